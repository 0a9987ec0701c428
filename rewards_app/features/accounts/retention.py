"""How long is kept who was signed in and what was mailed: what is older is forgotten at night."""

from datetime import datetime, timedelta
from typing import LiteralString

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget
from rewards_app.core.ids import first_id_since

LINKS_ARE_KEPT = timedelta(days=7)
"""After they expired: whoever follows one a little late is told that it is too old."""

# Sessions are found along their ids, which follow time; one that is alive was used since.
SESSIONS: LiteralString = """
with old as (
    delete from account_sessions where id in (
        select id from account_sessions
        where id < %(first)s and coalesce(ended_at, last_active_at) < %(before)s
            and last_active_at < %(before)s
        limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
LINKS: LiteralString = """
with old as (
    delete from email_links where token_hash in (
        select token_hash from email_links where expires_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
TICKETS: LiteralString = """
with old as (
    delete from sign_in_tickets where token_hash in (
        select token_hash from sign_in_tickets where expires_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
STEPS: LiteralString = """
with old as (
    delete from sign_in_steps where token_hash in (
        select token_hash from sign_in_steps where expires_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
CHALLENGES: LiteralString = """
with old as (
    delete from passkey_challenges where id in (
        select id from passkey_challenges where expires_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
# Those in force stay, and those that an open appeal is about.
RESTRICTIONS: LiteralString = """
with old as (
    delete from account_restrictions where id in (
        select id from account_restrictions held where ended_at < %(before)s and not exists (
            select from support_tickets ticket
            where ticket.about = 'restriction:' || held.id and ticket.status <> 'closed'
        ) limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_activity(*, now: datetime) -> dict[str, int]:
    """Sessions and restrictions that ended long ago; how many of each."""
    before = now - ACTIVITY_IS_KEPT
    return {
        "sessions": await forget(SESSIONS, first=first_id_since(before), before=before),
        "restrictions": await forget(RESTRICTIONS, before=before),
    }


async def forget_expired(*, now: datetime) -> dict[str, int]:
    """Links, tickets and steps of signing in that lead nowhere any more; how many of each."""
    return {
        "links": await forget(LINKS, before=now - LINKS_ARE_KEPT),
        "tickets": await forget(TICKETS, before=now),
        "steps": await forget(STEPS, before=now),
        "challenges": await forget(CHALLENGES, before=now),
    }
