"""People in the database as admins look for them: each way by an index, the newest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.actor import Role
from rewards_app.core.database import AsyncSession, plan_for_these_values, rows
from rewards_app.core.like import literally


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    name: str
    email: str
    role: Role
    is_verified: bool
    asked_for_admin: bool
    since: datetime
    restrictions: Sequence[str]
    """What they may not do now."""
    is_closed: bool
    is_erased: bool


_PERSON: LiteralString = """
select account.id, account.display_name, account.email, account.role,
    account.email_verified_at is not null, account.asked_for_admin, account.created_at,
    array(select kind from account_restrictions restriction
        where restriction.account_id = account.id and restriction.ended_at is null order by kind),
    account.closed_at is not null,
    account.closed_at is not null and exists(select from account_closures closure
        where closure.account_id = account.id and closure.erased_at is not null)
from accounts account
"""
# By the index of open restrictions alone: there are few of them among many people. A first stretch
# and a later one are two statements: one for both would read the index from its beginning.
_OPEN: LiteralString = "select distinct account_id from account_restrictions where ended_at is null"
_RESTRICTED: LiteralString = f"""{_PERSON} where account.id in (
    {_OPEN} order by account_id desc limit %(limit)s
) order by account.id desc
"""
_RESTRICTED_BEFORE: LiteralString = f"""{_PERSON} where account.id in (
    {_OPEN} and account_id < %(before)s order by account_id desc limit %(limit)s
) order by account.id desc
"""
_WHICH: Mapping[str, LiteralString] = {
    "": "true",
    "unverified": "account.email_verified_at is null",
    "asked_for_admin": "account.asked_for_admin",
}
_OF_ROLE: LiteralString = "account.role = %(which)s"
_BEGINS: LiteralString = r"""(account.email like %(begins)s escape '\'
    or lower(account.display_name) like %(begins)s escape '\')"""


async def newest(
    session: AsyncSession,
    *,
    account_id: UUID | None = None,
    begins: str = "",
    which: str = "",
    before: UUID | None = None,
    limit: int,
) -> list[Person]:
    """`begins` is what an email or a name begins with, in any case."""
    known = {
        "id": account_id,
        "begins": f"{literally(begins.lower())}%",
        "which": which,
        "before": before,
        "limit": limit,
    }
    is_searched = bool(begins or account_id)
    if which == "restricted" and not is_searched:
        query = _RESTRICTED_BEFORE if before else _RESTRICTED
        return _people(await rows(session, query, known))
    if begins:
        await plan_for_these_values(session)
    wanted: list[LiteralString] = [
        *([] if which == "restricted" else [_WHICH.get(which, _OF_ROLE)]),
        *(["account.id = %(id)s"] if account_id else []),
        *([_BEGINS] if begins else []),
        *(["account.id < %(before)s"] if before else []),
    ]
    condition: LiteralString = " and ".join(wanted)
    if which == "restricted":
        return _people(await rows(session, _searched_restricted(condition), known))
    query = f"{_PERSON} where {condition} order by account.id desc limit %(limit)s"
    return _people(await rows(session, query, known))


def _searched_restricted(condition: LiteralString) -> LiteralString:
    """Whoever is held is looked up, one after the other, until there are enough."""
    return f"""{_PERSON} where account.id in (
        select held.account_id from ({_OPEN} order by account_id desc) as held
            join accounts account on account.id = held.account_id
        where {condition} order by held.account_id desc limit %(limit)s
    ) order by account.id desc
    """  # noqa: S608  (all parts are ours)


def _people(found: Sequence[Any]) -> list[Person]:
    return [
        Person(account_id, name, email, Role(role), *rest)
        for account_id, name, email, role, *rest in found
    ]


@dataclass(frozen=True, slots=True)
class Facts:
    """What stands in nobody's list."""

    language: str
    country: str
    is_age_verified: bool
    has_password: bool
    providers: Sequence[str]
    """Who else vouches for this person."""
    last_active_at: datetime | None


FACTS: LiteralString = """
select language, country, age_verified_at is not null, password_hash is not null,
    array(select distinct provider from account_identities
        where account_identities.account_id = accounts.id order by provider),
    (select max(last_active_at) from account_sessions
        where account_sessions.account_id = accounts.id)
from accounts where id = %(id)s
"""


async def facts_of(session: AsyncSession, account_id: UUID) -> Facts | None:
    found = await rows(session, FACTS, {"id": account_id})
    return Facts(*found[0]) if found else None


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A browser in which somebody is signed in."""

    id: UUID
    user_agent: str
    created_at: datetime
    last_active_at: datetime


OPEN_SESSIONS: LiteralString = """
select id, user_agent, created_at, last_active_at from account_sessions
where account_id = %(id)s and ended_at is null
    and last_active_at > %(active_since)s and created_at > %(created_since)s
order by last_active_at desc limit 50
"""


async def open_sessions(
    session: AsyncSession, account_id: UUID, *, active_since: datetime, created_since: datetime
) -> list[OpenSession]:
    known = {"id": account_id, "active_since": active_since, "created_since": created_since}
    return [OpenSession(*row) for row in await rows(session, OPEN_SESSIONS, known)]
