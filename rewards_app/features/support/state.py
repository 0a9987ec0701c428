"""Support as its visitor meets it: the form, their tickets, and the one that the address names."""

from typing import Any

from rewards_app.core.access import LongForm, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import then_show
from rewards_app.features.payments import service as payments
from rewards_app.features.support import rules, tickets
from rewards_app.features.support.rules import ASKING_ROLES, UnknownTicket, number_from
from rewards_app.features.support.tickets import Line, Said, Thread

LIST, MISSING, THREAD = "list", "missing", "thread"
QUERY = "ticket"


class SupportState(AppState):
    shows: str = ""
    """Empty until it is known, then LIST, MISSING or THREAD."""
    has_failed: bool = False
    contact: dict[str, Any] = {}
    """How else support is reached."""
    takes_cards: bool = True
    """Whether the shop takes them, by now."""
    tickets: list[dict[str, Any]] = []
    """Newest first."""
    next_before: int = 0
    ticket: dict[str, Any] = {}
    """The one that is read."""
    said: list[dict[str, Any]] = []
    round: int = 0
    """Another one when something was sent: its form begins anew."""

    _is_loading: bool = False

    @allow(*ASKING_ROLES, even_suspended=True)
    async def load(self):
        number = number_from(self._query.get(QUERY, ""))
        self.has_failed, self._is_loading = False, True
        if number is None or number != self.ticket.get("number"):
            self.shows, self.ticket, self.said = "", {}, []
            yield
        # What happens to other people's tickets does not concern this tab.
        self._care_for(str(self._actor.user_id))
        self.contact, self.takes_cards = _contact(), payments.takes_cards()
        await self._open(number)
        self._is_loading = False

    @allow(*ASKING_ROLES, passive=True, even_suspended=True)
    async def refresh(self):
        """One of theirs was answered, or written in from another tab."""
        if not self.shows:
            return
        self._keep(contact=_contact())
        # The address still names a ticket that there is not.
        if self.shows != MISSING:
            await self._look(self.ticket.get("number"), is_opened=False)

    @allow(*ASKING_ROLES, even_suspended=True)
    async def load_more(self, before: int):
        """Older ones; asked twice for the same ones, they come once."""
        if not self.next_before or before != self.next_before:
            return
        async with transaction() as session:
            found = await tickets.own(session, self._actor, before=before)
        self.tickets = self.tickets + [_line(line) for line in found.shown]
        self.next_before = found.next_before or 0

    @allow(*ASKING_ROLES, even_suspended=True)
    async def send(self, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            await tickets.ask(session, self._actor, form, now=utc_now())
        self.is_busy = False
        self.round += 1
        self._notify("support.sent_title", "support.sent_text")
        await then_show(lambda: self._look(None))

    @allow(*ASKING_ROLES, even_suspended=True)
    async def reply(self, form: LongForm):
        """In the ticket that is read."""
        if not self.ticket:
            return
        self._start_work()
        yield
        number, text = self.ticket["number"], form.get("reply", "")
        async with transaction() as session:
            await tickets.reply(session, self._actor, number, text, now=utc_now())
        self.is_busy = False
        self.round += 1
        self._notify("support.replied_title", "support.replied_text")
        await then_show(lambda: self._open(number))

    @allow(*ASKING_ROLES, even_suspended=True)
    async def close(self):
        """The ticket that is read: nothing more is wanted."""
        if not self.ticket:
            return
        self._forget_refusal()
        number = self.ticket["number"]
        async with transaction() as session:
            await tickets.close(session, self._actor, number, now=utc_now())
        self._notify("support.closed_title", "support.closed_text", number=str(number))
        await then_show(lambda: self._open(number))

    async def _open(self, number: int | None) -> None:
        """For somebody who is there: a page that follows along may be seen by nobody.

        The bell is told before the ticket is read: what comes in between stays new there.
        """
        if number:
            async with transaction() as session:
                await tickets.note_reading(session, self._actor, number, now=utc_now())
        await self._look(number)

    async def _look(self, number: int | None, *, is_opened: bool = True) -> None:
        async with transaction() as session:
            if number is None:
                await self._list(session)
            else:
                await self._read(session, number, is_opened=is_opened)

    async def _list(self, session: AsyncSession) -> None:
        limit = so_many(self.tickets, tickets.A_PAGE)
        found = await tickets.own(session, self._actor, limit=limit)
        newest = [_line(line) for line in found.shown]
        with_older = read_again(self.tickets, newest, key="number")
        if with_older:
            self._keep(tickets=with_older, shows=LIST)
        else:
            self._keep(tickets=newest, next_before=found.next_before or 0, shows=LIST)

    async def _read(self, session: AsyncSession, number: int, *, is_opened: bool) -> None:
        try:
            found = await tickets.thread(
                session, self._actor, number, is_opened=is_opened, now=utc_now()
            )
        except UnknownTicket:
            self.shows = MISSING
            return
        is_same = self.ticket.get("number") == number
        # What was new stays marked for as long as the page is open.
        new = {row["id"] for row in self.said if row["is_new"]} if is_same else set[str]()
        self._keep(
            ticket=_ticket(found),
            said=[_said(one, is_new=one.is_new or str(one.id) in new) for one in found.said],
            shows=THREAD,
        )

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False


def _contact() -> dict[str, Any]:
    chosen = settings()
    return {
        "email": chosen.support_email,
        "phone": chosen.support_phone,
        "phone_link": f"tel:{chosen.support_phone.replace(' ', '')}",
        "address": chosen.office_address,
        "is_open": rules.is_phone_open(utc_now()),
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "number": line.number,
        "subject": line.subject,
        "subject_key": rules.subject_key(line.about),
        "status": line.status.value,
        "at": line.changed_at.isoformat(),
        "unread": line.unread,
    }


def _ticket(found: Thread) -> dict[str, Any]:
    return {
        "number": found.number,
        "subject": found.subject,
        "subject_key": rules.subject_key(found.about),
        "status": found.status.value,
        "can_reply": found.can_reply,
        "can_close": found.can_close,
    }


def _said(one: Said, *, is_new: bool) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "text": one.text,
        "is_answer": one.is_answer,
        "at": one.at.isoformat(),
        "is_new": is_new,
    }
