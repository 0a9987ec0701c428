"""Tickets: what people asked, under a number that both sides can name."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.support import repository, rules
from rewards_app.features.support.repository import Waiting
from rewards_app.features.support.rules import LONGEST_SUBJECT, About, Status
from rewards_app.models import SupportTicket

CHANGED = "support_ticket_changed"
"""Announced with the sender's id, when anything about one of their tickets has changed."""
APPEALED = "appealed"
"""Announced with the account's id, when an appeal was made, gone on with or settled."""
APPEALED_ELSEWHERE = "appealed_elsewhere"
"""Announced with the thing's id, when more was said in an appeal that is decided where it is."""
FORGET_AT_ONCE = 1000


async def open_ticket(
    session: AsyncSession,
    account_id: UUID,
    subject: str,
    message: str,
    *,
    about: str = "",
    name: str = "",
    email: str = "",
    now: datetime,
) -> int:
    """The ticket's number. What is asked again while a ticket about it is open joins that one."""
    text = rules.cleaned(message, field="message")
    values = {
        "id": new_id(),
        "account_id": account_id,
        "subject": subject[:LONGEST_SUBJECT],
        "message": text,
        "name": name,
        "email": email,
        "about": about,
        "status": "open",
        "created_at": now,
        "changed_at": now,
        "waits_since": now,
    }
    statement = insert(SupportTicket).values(**values).on_conflict_do_nothing()
    statement = statement.returning(col(SupportTicket.number))
    while True:
        made = (await run(session, statement)).first()
        if made:
            live.announce_after(session, CHANGED, str(account_id))
            return made[0]
        joined = await _join(session, account_id, about, text, now=now)
        if joined is not None:
            return joined


async def _join(
    session: AsyncSession, account_id: UUID, about: str, text: str, *, now: datetime
) -> int | None:
    """Say it in the one that is open, unless it was the last thing said there. None where that
    was closed while this waited for it."""
    found = await repository.open_about(session, about)
    ticket = next((one for one in found if one.account_id == account_id), None)
    if ticket is None:
        return None
    last = await repository.newest_of(session, ticket.id)
    if text != (last.text if last else ticket.message):
        await add(session, ticket, text, now=now)
    return ticket.number or 0


async def add(session: AsyncSession, ticket: SupportTicket, text: str, *, now: datetime) -> None:
    """What its sender says next in a ticket that is locked: support is to answer again."""
    await repository.say(
        session,
        ticket,
        text,
        by=ticket.account_id,
        is_answer=False,
        status=Status.OPEN,
        now=now,
    )
    announce(session, ticket)


def announce(session: AsyncSession, ticket: SupportTicket) -> None:
    live.announce_after(session, CHANGED, str(ticket.account_id))
    kind = rules.kind_of(ticket.about)
    if kind is About.RESTRICTION:
        live.announce_after(session, APPEALED, str(ticket.account_id))
    elif kind in rules.DECIDED_ELSEWHERE:
        live.announce_after(session, APPEALED_ELSEWHERE, rules.thing_of(ticket.about))


async def withdraw(session: AsyncSession, about: str, *, now: datetime) -> None:
    """What it was about is gone or mended by its author's own hand: nothing is left to be
    decided."""
    for ticket in await repository.open_about(session, about):
        repository.set_status(ticket, Status.CLOSED, now=now)
        announce(session, ticket)


async def forget(session: AsyncSession, *, now: datetime) -> int:
    """Forget what was answered or closed, and then left alone for so long as it is kept; so many
    tickets."""
    before = now - rules.KEPT_FOR
    return await repository.forget(session, before=before, limit=FORGET_AT_ONCE)


async def open_about(session: AsyncSession, account_id: UUID, about: list[str]) -> dict[str, int]:
    """The numbers of this account's open tickets, by what they are about."""
    query = select(SupportTicket.about, SupportTicket.number).where(
        SupportTicket.account_id == account_id,
        col(SupportTicket.about).in_(about),
        SupportTicket.status != "closed",
    )
    return {subject: number for subject, number in (await session.exec(query)).all() if number}


@dataclass(frozen=True, slots=True)
class Latest:
    """A ticket as its sender sees it."""

    number: int
    status: str
    created_at: datetime


async def latest_about(
    session: AsyncSession, account_id: UUID, about: list[str]
) -> dict[str, Latest]:
    """The account's newest tickets, closed ones too, by what they are about."""
    query = (
        select(SupportTicket)
        .where(SupportTicket.account_id == account_id, col(SupportTicket.about).in_(about))
        .order_by(col(SupportTicket.about), col(SupportTicket.number).desc())
        .distinct(col(SupportTicket.about))
    )
    return {
        ticket.about: Latest(ticket.number or 0, ticket.status, ticket.created_at)
        for ticket in (await session.exec(query)).all()
    }


async def waiting_about(session: AsyncSession, about: list[str]) -> dict[str, Waiting]:
    """Whoever's tickets that are not closed yet, by what they are about."""
    return await repository.waiting_about(session, about)
