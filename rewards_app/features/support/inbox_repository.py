"""Everybody's tickets as admins find them, in the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.like import literally
from rewards_app.features.support.rules import Status


@dataclass(frozen=True, slots=True)
class Entry:
    """A ticket in the list, with whose it is."""

    number: int
    subject: str
    about: str
    status: Status
    at: datetime
    """Since when it waits, where those stand first that have waited longest; else when anything of
    it has changed last."""
    account_id: UUID
    name: str
    role: str


FOUND: LiteralString = """
select ticket.number, ticket.subject, ticket.about, ticket.status, ticket.{at},
    account.id, account.display_name, account.role
from support_tickets ticket join accounts account on account.id = ticket.account_id
where (%(status)s::text is null or ticket.status = %(status)s)
    and (%(number)s::bigint is null or ticket.number = %(number)s)
    and (%(like)s::text is null or ticket.subject ilike %(like)s or ticket.message ilike %(like)s
        or ticket.name ilike %(like)s or account.display_name ilike %(like)s
        or exists (select from support_messages said
            where said.ticket_id = ticket.id and said.text ilike %(like)s))
"""
WAITED_LONGEST: LiteralString = (
    FOUND.replace("{at}", "waits_since")
    + """
    and (%(at)s::timestamptz is null or (ticket.waits_since, ticket.number) > (%(at)s, %(key)s))
order by ticket.waits_since, ticket.number limit %(limit)s
"""
)
NEWEST: LiteralString = (
    FOUND.replace("{at}", "changed_at")
    + """
    and (%(at)s::timestamptz is null or (ticket.changed_at, ticket.number) < (%(at)s, %(key)s))
order by ticket.changed_at desc, ticket.number desc limit %(limit)s
"""
)


async def find(
    session: AsyncSession,
    *,
    status: Status | None,
    number: int | None,
    text: str,
    after: tuple[datetime, int] | None,
    limit: int,
) -> list[Entry]:
    """Of the open ones those first that have waited longest, of all others the newest."""
    at, key = after or (None, None)
    values: Mapping[str, Any] = {
        "status": status.value if status else None,
        "number": number,
        "like": f"%{literally(text)}%" if text else None,
        "at": at,
        "key": key,
        "limit": limit,
    }
    query = WAITED_LONGEST if status is Status.OPEN else NEWEST
    return [
        Entry(number, subject, about, Status(stands), at, account_id, name, role)
        for number, subject, about, stands, at, account_id, name, role in await rows(
            session, query, values
        )
    ]


COUNTS: LiteralString = "select status, count(*) from support_tickets group by status"
OPEN: LiteralString = """
select count(*) from (select from support_tickets where status = 'open' limit %(most)s) as waiting
"""


async def counts(session: AsyncSession) -> dict[Status, int]:
    found: dict[str, int] = {row[0]: row[1] for row in await rows(session, COUNTS, {})}
    return {status: found.get(status.value, 0) for status in Status}


async def open_count(session: AsyncSession, *, most: int) -> int:
    return (await rows(session, OPEN, {"most": most}))[0][0]


@dataclass(frozen=True, slots=True)
class Sender:
    account_id: UUID
    name: str
    email: str
    is_verified: bool
    role: str
    language: str
    joined_at: datetime
    restrictions: list[str]
    is_closed: bool
    """They are deleting their account."""

    @property
    def is_mailed(self) -> bool:
        """Whether an answer goes to them by mail, as `repository.recipient` knows them."""
        return self.is_verified and not self.is_closed


SENDER: LiteralString = """
select account.id, account.display_name, account.email, account.email_verified_at is not null,
    account.role, account.language, account.created_at,
    array(select held.kind::text from account_restrictions held
        where held.account_id = account.id and held.ended_at is null order by held.kind),
    account.closed_at is not null
from accounts account where account.id = %(account)s
"""


async def sender(session: AsyncSession, account_id: UUID) -> Sender:
    return Sender(*(await rows(session, SENDER, {"account": account_id}))[0])
