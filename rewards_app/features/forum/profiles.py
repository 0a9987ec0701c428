"""What players say of themselves, as moderators decide on it, in the database."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.forum import decision_repository, desk_rules
from rewards_app.features.forum.desk_rules import Reason
from rewards_app.features.forum.talk_repository import HAS_PROFILE
from rewards_app.features.guardians import service as guardians

CHANGED = "profile_changed"
"""Announced with the account's id when its profile says something else."""

OPEN: LiteralString = f"""
select account.id
from accounts account left join profiles profile on profile.account_id = account.id
where account.id = %(id)s and {HAS_PROFILE}
"""  # noqa: S608  (all parts are ours)
HIDE: LiteralString = """
with bio as (
    update profiles set hidden_at = %(now)s
    where account_id = %(id)s and bio <> '' and hidden_at is null returning account_id
)
update user_games set hidden_at = %(now)s
where account_id = %(id)s and hidden_at is null and (is_custom or achievements <> '') returning id
"""
LAST_HIDDEN: LiteralString = """
select max(hidden_at) as at from (
    select hidden_at from profiles where account_id = %(id)s
    union all select hidden_at from user_games where account_id = %(id)s
) as moments
"""
# What was hidden before that was decided on by itself.
SHOW: LiteralString = f"""
with last as ({LAST_HIDDEN}),
bio as (
    update profiles set hidden_at = null from last
    where account_id = %(id)s and hidden_at = last.at returning account_id
)
update user_games set hidden_at = null from last
where account_id = %(id)s and hidden_at = last.at returning id
"""  # noqa: S608  (both parts are ours)
NOTE_SAID: LiteralString = """
insert into profiles (account_id, bio, is_public, said_at, updated_at)
values (%(id)s, '', true, %(now)s, %(now)s)
on conflict (account_id) do update set said_at = excluded.said_at
returning account_id
"""
REPORTED: LiteralString = """
select id from forum_reports where profile_id = %(id)s and settled_at is null limit 1
"""


async def may_be_opened(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """By others."""
    found = await rows(session, OPEN, {"id": account_id})
    return bool(found) and await guardians.may_be_seen(session, account_id, now=now)


async def hide(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """From others: all that is written there. What was hidden before stays so."""
    await rows(session, HIDE, {"id": account_id, "now": now})


async def show(session: AsyncSession, account_id: UUID) -> None:
    """What was hidden last, and at once."""
    await rows(session, SHOW, {"id": account_id})


async def note_said(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Since when it says what it says: what was reported before was said of other words."""
    await rows(session, NOTE_SAID, {"id": account_id, "now": now})


async def hidden_at(session: AsyncSession, account_id: UUID) -> datetime | None:
    """When something that is hidden still was hidden last."""
    return (await rows(session, LAST_HIDDEN, {"id": account_id}))[0][0]


async def is_reported(session: AsyncSession, account_id: UUID) -> bool:
    return bool(await rows(session, REPORTED, {"id": account_id}))


async def why_hidden(session: AsyncSession, account_id: UUID) -> Reason | None:
    """For its owner; None where nothing is hidden."""
    at = await hidden_at(session, account_id)
    if at is None:
        return None
    return desk_rules.reason_of(await decision_repository.hide_reason(session, account_id, at=at))
