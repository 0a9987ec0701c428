"""A person and their own tickets: asking, reading the answer, going on, closing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import contacts
from rewards_app.features.accounts.rules import BadEmail, DisposableEmail
from rewards_app.features.notifications import service as notifications
from rewards_app.features.support import letters, repository, rules, service
from rewards_app.features.support.repository import Line
from rewards_app.features.support.rules import (
    AppealWaits,
    BadReplyAddress,
    Question,
    Status,
    UnknownTicket,
)
from rewards_app.features.support.service import CHANGED
from rewards_app.models import SupportTicket

__all__ = [
    "CHANGED",
    "Line",
    "Said",
    "Thread",
    "Tickets",
    "ask",
    "ask_about",
    "close",
    "own",
    "reply",
    "thread",
]

TICKETS_PER_ACCOUNT = limits.parse("5/hour")
MESSAGES_PER_ACCOUNT = limits.parse("20/hour")
A_PAGE = 10


async def ask(
    session: AsyncSession, actor: Actor, form: Mapping[str, str], *, now: datetime
) -> int:
    """Keep the question and mail it to support; the ticket's number.

    Its receipt goes to the account's own address: who types another's sends them nothing.
    """
    question = rules.question_from(form)
    _refuse_no_address(question)
    await _count_ticket(actor)
    number = await service.open_ticket(
        session,
        actor.user_id,
        question.subject,
        question.message,
        name=question.name,
        email=question.email,
        now=now,
    )
    ticket = await _own(session, actor, number)
    await letters.asked(session, ticket)
    if to := await repository.recipient(session, actor.user_id):
        await letters.received(session, to, ticket)
    return number


async def ask_about(
    session: AsyncSession, actor: Actor, about: str, subject: str, message: str, *, now: datetime
) -> int:
    """Say it in the actor's ticket that is open about it, else in a new one; the ticket's number.

    Counted like any other ticket or reply.
    """
    text = rules.cleaned(message, field="message")
    if await service.open_about(session, actor.user_id, [about]):
        await _count_reply(actor)
    else:
        await _count_ticket(actor)
    return await service.open_ticket(session, actor.user_id, subject, text, about=about, now=now)


async def _count_ticket(actor: Actor) -> None:
    await limits.spend(TICKETS_PER_ACCOUNT, "support.ask", str(actor.user_id))


async def _count_reply(actor: Actor) -> None:
    await limits.spend(MESSAGES_PER_ACCOUNT, "support.reply", str(actor.user_id))


def _refuse_no_address(question: Question) -> None:
    """Any address that could be answered, also one made for the purpose."""
    try:
        contacts.refuse_bad_email(question.email)
    except DisposableEmail:
        pass
    except BadEmail:
        raise BadReplyAddress("email") from None


@dataclass(frozen=True, slots=True)
class Tickets:
    """A stretch of somebody's own, newest first; `next_before` leads to the older rest."""

    shown: Sequence[Line]
    next_before: int | None


async def own(
    session: AsyncSession, actor: Actor, *, before: int | None = None, limit: int | None = None
) -> Tickets:
    most = limit or A_PAGE
    found = await repository.of_sender(session, actor.user_id, before=before, limit=most + 1)
    shown = found[:most]
    return Tickets(shown, shown[-1].number if len(found) > most else None)


@dataclass(frozen=True, slots=True)
class Said:
    id: UUID
    text: str
    is_answer: bool
    at: datetime
    is_new: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """A ticket and all that was said in it, the question first."""

    number: int
    subject: str
    about: str
    status: Status
    said: Sequence[Said]

    @property
    def can_reply(self) -> bool:
        return not rules.is_settled(self.status, self.about)

    @property
    def can_close(self) -> bool:
        is_closed = self.status is Status.CLOSED
        return not (is_closed or rules.is_undecided(self.status, self.about))


async def note_reading(session: AsyncSession, actor: Actor, number: int, *, now: datetime) -> None:
    """Its sender has opened it: what the bell says of it is read, too."""
    await notifications.read_there(session, actor.user_id, [f"{rules.TICKET}{number}"], now=now)


async def thread(
    session: AsyncSession, actor: Actor, number: int, *, is_opened: bool = True, now: datetime
) -> Thread:
    """As its sender reads it: whatever was new in what they opened is read from now on.

    Nobody knows whether a page that follows along is seen.
    """
    ticket = await _own(session, actor, number)
    found = await repository.messages(session, ticket.id)
    first = Said(ticket.id, ticket.message, is_answer=False, at=ticket.created_at, is_new=False)
    rest = [
        Said(
            one.id,
            one.text,
            is_answer=one.is_answer,
            at=one.created_at,
            is_new=one.is_answer and one.seen_at is None,
        )
        for one in found
    ]
    if is_opened and await repository.note_seen(session, found, answers=True, now=now):
        live.announce_after(session, CHANGED, str(actor.user_id))
    return Thread(number, ticket.subject, ticket.about, Status(ticket.status), [first, *rest])


async def reply(
    session: AsyncSession, actor: Actor, number: int, message: str, *, now: datetime
) -> None:
    """Say more in one's own ticket: it waits for support again."""
    text = rules.reply_from(message)
    ticket = await _own(session, actor, number, locks=True)
    rules.refuse_reply(Status(ticket.status), ticket.about)
    await _count_reply(actor)
    await service.add(session, ticket, text, now=now)
    await letters.replied(session, ticket, actor, text)


async def close(session: AsyncSession, actor: Actor, number: int, *, now: datetime) -> None:
    """Nothing more is wanted; again it changes nothing."""
    ticket = await _own(session, actor, number, locks=True)
    if rules.is_undecided(Status(ticket.status), ticket.about):
        raise AppealWaits
    if ticket.status != Status.CLOSED:
        repository.set_status(ticket, Status.CLOSED, now=now)
        service.announce(session, ticket)


async def _own(
    session: AsyncSession, actor: Actor, number: int, *, locks: bool = False
) -> SupportTicket:
    ticket = await repository.own(session, actor.user_id, number, locks=locks)
    if ticket is None:
        raise UnknownTicket
    return ticket
