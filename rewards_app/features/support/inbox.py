"""Everybody's tickets, as admins find, read, answer and close them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import Kind
from rewards_app.features.support import inbox_repository, letters, repository, rules, service
from rewards_app.features.support.inbox_repository import Entry, Sender
from rewards_app.features.support.letters import TurnedDown
from rewards_app.features.support.rules import SaidMeanwhile, Status, UnknownTicket
from rewards_app.models import SupportTicket

__all__ = ["Case", "Entry", "Found", "Said", "Sender", "TurnedDown"]

A_PAGE = 25
MOST_COUNTED = 1000
LONGEST_QUERY = 120
HIGHEST_NUMBER = 2**62


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of the list; `next_after` leads to the rest of it."""

    shown: Sequence[Entry]
    next_after: tuple[datetime, int] | None
    is_by_wait: bool
    """Those first that have waited longest, with since when; else what has changed last."""


async def find(
    session: AsyncSession,
    text: str = "",
    status: Status | None = Status.OPEN,
    *,
    after: tuple[datetime, int] | None = None,
    limit: int = A_PAGE,
) -> Found:
    """By words of what was said, by a name, or by its number, which is one however it stands."""
    wanted = rules.one_line(text)[:LONGEST_QUERY]
    number = _number_from(wanted)
    stands = None if number else status
    found = await inbox_repository.find(
        session,
        status=stands,
        number=number,
        text="" if number else wanted,
        after=after,
        limit=limit + 1,
    )
    shown = found[:limit]
    last = shown[-1] if len(found) > limit else None
    return Found(shown, (last.at, last.number) if last else None, stands is Status.OPEN)


def _number_from(text: str) -> int | None:
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        return None
    is_short = len(digits) <= LONGEST_QUERY
    return min(int(digits), HIGHEST_NUMBER) if is_short else HIGHEST_NUMBER


async def counts(session: AsyncSession) -> dict[Status, int]:
    return await inbox_repository.counts(session)


async def waiting_count(session: AsyncSession) -> int:
    """So many wait for an answer or a decision, counted up to a thousand."""
    return await inbox_repository.open_count(session, most=MOST_COUNTED)


@dataclass(frozen=True, slots=True)
class Said:
    id: UUID
    text: str
    is_answer: bool
    by: UUID | None
    at: datetime
    seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class Case:
    """A ticket with all that was said, and who asks."""

    number: int
    subject: str
    about: str
    status: Status
    typed_name: str
    typed_email: str
    said: Sequence[Said]
    sender: Sender

    @property
    def newest(self) -> UUID:
        """Whatever is decided is decided on what was said up to this."""
        return self.said[-1].id

    @property
    def can_answer(self) -> bool:
        is_elsewhere = rules.kind_of(self.about) in rules.DECIDED_ELSEWHERE
        return not (is_elsewhere or rules.is_settled(self.status, self.about))


async def look_into(session: AsyncSession, actor: Actor, number: int, *, now: datetime) -> Case:
    _refuse_others(actor)
    ticket = await repository.any_of(session, number)
    if ticket is None:
        raise UnknownTicket
    found = await repository.messages(session, ticket.id)
    await repository.note_seen(session, found, answers=False, now=now)
    first = Said(ticket.id, ticket.message, False, ticket.account_id, ticket.created_at, None)
    rest = [
        Said(one.id, one.text, one.is_answer, one.by_account_id, one.created_at, one.seen_at)
        for one in found
    ]
    return Case(
        number=number,
        subject=ticket.subject,
        about=ticket.about,
        status=Status(ticket.status),
        typed_name=ticket.name,
        typed_email=ticket.email,
        said=[first, *rest],
        sender=await inbox_repository.sender(session, ticket.account_id),
    )


async def version_of(session: AsyncSession, number: int) -> tuple[UUID, str] | None:
    """What was said last, and how the ticket stands: another one, and it is to be read again."""
    ticket = await repository.any_of(session, number)
    return (await _newest(session, ticket), ticket.status) if ticket else None


async def answer(
    session: AsyncSession, actor: Actor, number: int, text: str, *, seen: UUID, now: datetime
) -> None:
    """Tell it in the ticket, by the bell and by mail. `seen`: the last thing that was read of it.

    An appeal against a restriction that is answered leaves the restriction as it is.
    """
    _refuse_others(actor)
    said = rules.answer_from(text)
    ticket = await _locked(session, number)
    rules.refuse_answer(Status(ticket.status), ticket.about)
    await _refuse_unread(session, ticket, seen)
    before = ticket.status
    message_id = await _say(session, ticket, said, Status.ANSWERED, by=actor.user_id, now=now)
    if to := await repository.recipient(session, ticket.account_id):
        await letters.answered(session, to, ticket, said)
    await _ring(session, ticket, Kind.SUPPORT_ANSWER, message_id, now=now)
    await _record(session, actor, Action.SUPPORT_ANSWERED, ticket, before, now=now)


async def close(
    session: AsyncSession, actor: Actor, number: int, *, seen: UUID, now: datetime
) -> None:
    """Nothing is left to be said. Who still waited is told by the bell, and may go on."""
    _refuse_others(actor)
    ticket = await _locked(session, number)
    await _refuse_unread(session, ticket, seen)
    rules.refuse_closing(Status(ticket.status), ticket.about)
    if ticket.status == Status.CLOSED:
        return
    before = ticket.status
    repository.set_status(ticket, Status.CLOSED, now=now)
    service.announce(session, ticket)
    if before == Status.OPEN:
        await _ring(session, ticket, Kind.SUPPORT_CLOSED, seen, now=now)
    await _record(session, actor, Action.SUPPORT_CLOSED, ticket, before, now=now)


async def settle(
    session: AsyncSession,
    about: str,
    answer_in: Callable[[str], str],
    *,
    by: UUID,
    turned_down: TurnedDown | None = None,
    now: datetime,
) -> None:
    """What was asked about it is decided elsewhere: the tickets say how, and are closed.

    `answer_in` says it in the sender's language; `turned_down` where no other mail tells them.
    """
    for ticket in await repository.open_about(session, about):
        sender = await inbox_repository.sender(session, ticket.account_id)
        said = answer_in(sender.language)
        await _say(session, ticket, said, Status.CLOSED, by=by, now=now)
        to = await repository.recipient(session, ticket.account_id) if turned_down else None
        if turned_down and to:
            await letters.turned_down(session, to, ticket, turned_down)


async def _say(
    session: AsyncSession,
    ticket: SupportTicket,
    text: str,
    status: Status,
    *,
    by: UUID,
    now: datetime,
) -> UUID:
    message_id = await repository.say(
        session, ticket, text, by=by, is_answer=True, status=status, now=now
    )
    service.announce(session, ticket)
    return message_id


async def _ring(
    session: AsyncSession, ticket: SupportTicket, kind: Kind, message_id: UUID, *, now: datetime
) -> None:
    """Once for each message: the answer, or the last thing that was said before the closing."""
    key = rules.subject_key(ticket.about)
    await notifications.tell(
        session,
        ticket.account_id,
        kind,
        link=f"{rules.TICKET}{ticket.number}",
        cause=f"support:{message_id}",
        now=now,
        number=str(ticket.number),
        title=[key] if key else ticket.subject,
    )


async def _locked(session: AsyncSession, number: int) -> SupportTicket:
    ticket = await repository.any_of(session, number, locks=True)
    if ticket is None:
        raise UnknownTicket
    return ticket


async def _refuse_unread(session: AsyncSession, ticket: SupportTicket, seen: UUID) -> None:
    if await _newest(session, ticket) != seen:
        raise SaidMeanwhile


async def _newest(session: AsyncSession, ticket: SupportTicket) -> UUID:
    """The last thing that was said in it: the question itself, where nothing followed."""
    last = await repository.newest_of(session, ticket.id)
    return last.id if last else ticket.id


async def _record(
    session: AsyncSession,
    actor: Actor,
    action: Action,
    ticket: SupportTicket,
    before: str,
    *,
    now: datetime,
) -> None:
    """By its number alone: what is said in a ticket is forgotten one day, the log never is."""
    await audit.record(
        session,
        actor,
        action,
        f"ticket:{ticket.number}",
        label=f"#{ticket.number}",
        before={"status": before},
        after={"status": ticket.status},
        now=now,
    )


def _refuse_others(actor: Actor) -> None:
    if actor.role is not Role.ADMIN:
        raise NotAllowed
