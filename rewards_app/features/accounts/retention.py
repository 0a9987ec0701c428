"""How long is kept who was signed in and what was mailed: what is older is forgotten at night."""

from datetime import datetime, timedelta

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of
from rewards_app.core.ids import first_id_since

LINKS_ARE_KEPT = timedelta(days=7)
"""After they expired: whoever follows one a little late is told that it is too old."""
NEVER_PROVEN = timedelta(days=30)
"""So long an account waits for its address to be proven: somebody else may own that."""

# Sessions are found along their ids, which follow time; one that is alive was used since.
SESSIONS = rows_of(
    "account_sessions",
    "id",
    "id < %(first)s and coalesce(ended_at, last_active_at) < %(before)s"
    " and last_active_at < %(before)s",
)
# By the newest link that proves an address we know the browser that signed up, until it is proved.
LINKS = rows_of(
    "email_links",
    "token_hash",
    """expires_at < %(before)s and not (purpose = 'verify'
        and exists (
            select from accounts account
            where account.id = email_links.account_id and account.email_verified_at is null)
        and not exists (
            select from email_links newer
            where newer.account_id = email_links.account_id and newer.purpose = 'verify'
                and newer.created_at > email_links.created_at))""",
)
TICKETS = rows_of("sign_in_tickets", "token_hash", "expires_at < %(before)s")
STEPS = rows_of("sign_in_steps", "token_hash", "expires_at < %(before)s")
CHALLENGES = rows_of("passkey_challenges", "id", "expires_at < %(before)s")
# Those in force stay, and those that an open appeal is about.
RESTRICTIONS = rows_of(
    "account_restrictions",
    "id",
    """ended_at < %(before)s and not exists (
        select from support_tickets ticket
        where ticket.about = 'restriction:' || account_restrictions.id
            and ticket.status <> 'closed')""",
)


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
