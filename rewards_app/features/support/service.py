"""Tickets: what people asked, under a number that both sides can name."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.support import rules
from rewards_app.models import SupportTicket

LONGEST_SUBJECT = 120


async def open_ticket(
    session: AsyncSession,
    account_id: UUID,
    subject: str,
    message: str,
    *,
    about: str = "",
    now: datetime,
) -> int:
    """The ticket's number. What is asked again while a ticket about it is open joins that one."""
    values = {
        "id": new_id(),
        "account_id": account_id,
        "subject": subject[:LONGEST_SUBJECT],
        "message": rules.cleaned(message),
        "about": about,
        "status": "open",
        "created_at": now,
    }
    statement = insert(SupportTicket).values(**values).on_conflict_do_nothing()
    made = (await run(session, statement.returning(col(SupportTicket.number)))).first()
    if made:
        return made[0]
    known = await open_about(session, account_id, [about])
    return known[about]


async def open_about(session: AsyncSession, account_id: UUID, about: list[str]) -> dict[str, int]:
    """The numbers of this account's open tickets, by what they are about."""
    query = select(SupportTicket.about, SupportTicket.number).where(
        SupportTicket.account_id == account_id,
        col(SupportTicket.about).in_(about),
        SupportTicket.status != "closed",
    )
    return {subject: number for subject, number in (await session.exec(query)).all() if number}


async def close_about(session: AsyncSession, about: str) -> None:
    """What was asked about it is settled."""
    query = update(SupportTicket).where(
        col(SupportTicket.about) == about, col(SupportTicket.status) != "closed"
    )
    await session.exec(query.values(status="closed"))


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


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket as those see it who answer."""

    number: int
    message: str
    created_at: datetime


async def waiting_about(session: AsyncSession, about: list[str]) -> dict[str, Ticket]:
    """Whoever's tickets that are not closed yet, by what they are about."""
    query = select(SupportTicket).where(
        col(SupportTicket.about).in_(about), SupportTicket.status != "closed"
    )
    return {
        ticket.about: Ticket(ticket.number or 0, ticket.message, ticket.created_at)
        for ticket in (await session.exec(query)).all()
    }
