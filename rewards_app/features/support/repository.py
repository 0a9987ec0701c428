"""Tickets and what is said in them, in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import new_id
from rewards_app.features.support.rules import Status
from rewards_app.models import SupportMessage, SupportTicket


async def own(
    session: AsyncSession, account_id: UUID, number: int, *, locks: bool = False
) -> SupportTicket | None:
    """The account's ticket of that number; nobody else's."""
    query = select(SupportTicket).where(
        SupportTicket.account_id == account_id, SupportTicket.number == number
    )
    return (await session.exec(query.with_for_update() if locks else query)).first()


async def any_of(
    session: AsyncSession, number: int, *, locks: bool = False
) -> SupportTicket | None:
    """Whoever's ticket: for admins."""
    query = select(SupportTicket).where(SupportTicket.number == number)
    return (await session.exec(query.with_for_update() if locks else query)).first()


async def open_about(session: AsyncSession, about: str) -> Sequence[SupportTicket]:
    """The tickets about it that are not closed, locked."""
    query = select(SupportTicket).where(
        SupportTicket.about == about, SupportTicket.status != Status.CLOSED
    )
    return (await session.exec(query.with_for_update())).all()


async def messages(session: AsyncSession, ticket_id: UUID) -> Sequence[SupportMessage]:
    query = select(SupportMessage).where(SupportMessage.ticket_id == ticket_id)
    return (await session.exec(query.order_by(col(SupportMessage.id)))).all()


async def newest_of(session: AsyncSession, ticket_id: UUID) -> SupportMessage | None:
    query = select(SupportMessage).where(SupportMessage.ticket_id == ticket_id)
    return (await session.exec(query.order_by(col(SupportMessage.id).desc()).limit(1))).first()


async def say(
    session: AsyncSession,
    ticket: SupportTicket,
    text: str,
    *,
    by: UUID | None,
    is_answer: bool,
    status: Status,
    now: datetime,
) -> UUID:
    """Add to a ticket that is locked, which then stands as `status`."""
    message = SupportMessage(
        id=new_id(),
        ticket_id=ticket.id,
        by_account_id=by,
        is_answer=is_answer,
        text=text,
        created_at=now,
    )
    session.add(message)
    set_status(ticket, status, now=now)
    await session.flush()
    return message.id


def set_status(ticket: SupportTicket, status: Status, *, now: datetime) -> None:
    if status is Status.OPEN and ticket.status != Status.OPEN:
        ticket.waits_since = now
    ticket.status = status.value
    ticket.changed_at = now


async def note_seen(
    session: AsyncSession, shown: Sequence[SupportMessage], *, answers: bool, now: datetime
) -> bool:
    """Of these messages, what the other side said was opened; False where nothing of it was new.

    What was said since they were read from the database is shown to nobody yet.
    """
    query = update(SupportMessage).where(
        col(SupportMessage.id).in_([one.id for one in shown]),
        col(SupportMessage.is_answer) == answers,
        col(SupportMessage.seen_at).is_(None),
    )
    return bool((await session.exec(query.values(seen_at=now))).rowcount)


@dataclass(frozen=True, slots=True)
class Line:
    """A ticket in its sender's list."""

    number: int
    subject: str
    about: str
    status: Status
    changed_at: datetime
    unread: int


LIST: LiteralString = """
select ticket.number, ticket.subject, ticket.about, ticket.status, ticket.changed_at,
    (select count(*) from support_messages said
        where said.ticket_id = ticket.id and said.is_answer and said.seen_at is null)
from support_tickets ticket
where ticket.account_id = %(account)s and ticket.number < %(before)s
order by ticket.number desc limit %(limit)s
"""
NEWEST = 2**62


async def of_sender(
    session: AsyncSession, account_id: UUID, *, before: int | None, limit: int
) -> list[Line]:
    """Newest first."""
    values = {"account": account_id, "before": before or NEWEST, "limit": limit}
    return [
        Line(number, subject, about, Status(status), changed_at, unread)
        for number, subject, about, status, changed_at, unread in await rows(session, LIST, values)
    ]


ANSWER: LiteralString = """
select said.text from support_messages said
    join support_tickets ticket on ticket.id = said.ticket_id
where ticket.account_id = %(account)s and ticket.number = %(number)s and said.is_answer
order by said.id desc limit 1
"""


async def latest_answer(session: AsyncSession, account_id: UUID, number: int) -> str:
    """What support said last in the account's own ticket; empty while it said nothing."""
    found = await rows(session, ANSWER, {"account": account_id, "number": number})
    return found[0][0] if found else ""


MOST_ADDITIONS = 5
"""Of one ticket that are quoted where it is decided on; the ticket itself has them all."""
SAID: LiteralString = """
ticket.message || array(
    select text from (
        select id, text from support_messages
        where ticket_id = ticket.id and not is_answer
        order by id desc limit %(additions)s
    ) as latest order by id
)
"""
"""What a ticket began with, and what its sender added last."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ticket that is not closed, as those see it who decide on what it is about."""

    number: int
    status: Status
    said: tuple[str, ...]
    """What it began with, and what its sender added last."""
    created_at: datetime


WAITING: LiteralString = f"""
select ticket.about, ticket.number, ticket.status, {SAID}, ticket.created_at
from support_tickets ticket
where ticket.about = any(%(about)s::text[]) and ticket.status <> 'closed'
"""  # noqa: S608  (both parts are ours)


async def waiting_about(session: AsyncSession, about: list[str]) -> dict[str, Waiting]:
    """Whoever's tickets, by what they are about."""
    values = {"about": about, "additions": MOST_ADDITIONS}
    return {
        thing: Waiting(number, Status(status), tuple(said), created_at)
        for thing, number, status, said, created_at in await rows(session, WAITING, values)
    }


@dataclass(frozen=True, slots=True)
class Recipient:
    email: str
    language: str


RECIPIENT: LiteralString = """
select email, language from accounts 
where id = %(account)s and email_verified_at is not null and closed_at is null
"""


async def recipient(session: AsyncSession, account_id: UUID) -> Recipient | None:
    """Where mails to the account go; None while nobody proved that the address is theirs, and
    once they have closed it."""
    found = await rows(session, RECIPIENT, {"account": account_id})
    return Recipient(*found[0]) if found else None


FORGET: LiteralString = """
with old as (
    delete from support_tickets where id in (
        select id from support_tickets
        where status <> 'open' and changed_at < %(before)s limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget(session: AsyncSession, *, before: datetime, limit: int) -> int:
    """Delete so many in which nothing was said since, with all that was said; never one that waits
    for support."""
    return (await write(session, FORGET, {"before": before, "limit": limit}))[0]
