"""The inbox of support: tickets as admins list them, and the one that the address names."""

from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from rewards_app.core.access import LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.admin.case_address import address_of
from rewards_app.features.admin.state import PATH, AdminState
from rewards_app.features.advertiser import directory as companies
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.notifications.rules import NOBODY
from rewards_app.features.support import inbox, rules
from rewards_app.features.support.inbox import Case, Entry, Found, Said
from rewards_app.features.support.rules import About, SaidMeanwhile, Status, UnknownTicket

TAB, QUERY = "support", "ticket"
MOST_AT_ONCE = 200
"""Each change sends the whole list again."""


class SupportDeskState(AppState):
    shows: str = ""
    """Empty until it is known, then `list`, `ticket` or `missing`."""
    has_failed: bool = False
    status: str = Status.OPEN.value
    """Of what is listed; empty: everything."""
    search: str = ""
    round: int = 0
    """Another one when a form begins anew."""
    counts: dict[str, int] = {}
    tickets: list[dict[str, Any]] = []
    """Of the open ones those first that have waited longest, of all others the newest."""
    is_by_wait: bool = True
    next_after: str = ""
    ticket: dict[str, Any] = {}
    """The one that is read. It stays as it was when it was opened."""
    said: list[dict[str, Any]] = []
    is_stale: bool = False
    """More was said than is shown."""

    _is_loading: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        self._is_loading = True
        asked = self._query.get(QUERY, "")
        if asked:
            await self._open(rules.number_from(asked) or 0)
        else:
            # What is being typed while the tickets still come is not taken away.
            self.round += bool(self.search)
            await self._load_first()
            self.shows = "list"
        self._is_loading = False

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody wrote, answered or closed: what is listed is read again, what is read stays."""
        if (await self.get_state(AdminState)).tab != TAB:
            return
        if self.shows == "list":
            await self._load_first(limit=min(max(inbox.A_PAGE, len(self.tickets)), MOST_AT_ONCE))
        elif self.shows == "ticket":
            async with transaction() as session:
                known = await inbox.version_of(session, self.ticket["number"])
            self._keep(is_stale=known != (UUID(self.ticket["newest"]), self.ticket["status"]))

    @allow(Role.ADMIN)
    async def choose(self, status: str):
        rules.status_from(status)
        self.status = status
        await self._load_first()

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self.search = rules.one_line(form.get("search", ""))[: inbox.LONGEST_QUERY]
        await self._load_first()

    @allow(Role.ADMIN)
    async def show_all(self):
        self.search, self.status = "", Status.OPEN.value
        self.round += 1
        await self._load_first()

    @allow(Role.ADMIN)
    async def load_more(self, after: str):
        """The next ones; asked twice for the same ones, they come once."""
        if not after or after != self.next_after:
            return
        found = await self._found(after=_place_from(after))
        self.tickets = self.tickets + [_line(entry) for entry in found.shown]
        self.next_after = _place(found)

    @allow(Role.ADMIN)
    async def read_again(self):
        """What is shown is not all there is any more."""
        if self.ticket:
            self._forget_refusal()
            await self._open(self.ticket["number"])

    @allow(Role.ADMIN)
    async def answer(self, form: LongForm):
        """What is read; what was said since must be read first."""
        if not self.ticket:
            return
        self._start_work()
        yield
        number, seen = self.ticket["number"], UUID(self.ticket["newest"])
        async with transaction() as session:
            await inbox.answer(
                session, self._actor, number, form.get("answer", ""), seen=seen, now=utc_now()
            )
        self.is_busy = False
        self.round += 1
        self._notify(
            "admin.support.answered_title",
            "admin.support.answered_text"
            if self.ticket["is_mailed"]
            else "admin.support.answered_unmailed_text",
            name=self.ticket["name"] or [NOBODY],
        )
        await then_show(lambda: self._open(number))

    @allow(Role.ADMIN)
    async def close_ticket(self):
        if not self.ticket:
            return
        self._forget_refusal()
        number, seen = self.ticket["number"], UUID(self.ticket["newest"])
        async with transaction() as session:
            await inbox.close(session, self._actor, number, seen=seen, now=utc_now())
        is_over = not self.ticket["reopens"]
        text = "admin.support.closed_for_good_text" if is_over else "admin.support.closed_text"
        self._notify("admin.support.closed_title", text, number=str(number))
        await then_show(lambda: self._open(number))

    async def _open(self, number: int) -> None:
        try:
            async with transaction() as session:
                found = await inbox.look_into(session, self._actor, number, now=utc_now())
                company = await companies.acted_for(session, self._actor, found.sender.account_id)
        except UnknownTicket:
            self._put_away()
            self.shows = "missing"
            return
        self.ticket = _ticket(found) | {
            "company": company.name if company else "",
            "company_card": f"{CARD}{company.id}" if company else "",
        }
        self.said = [_said(one) for one in found.said]
        self.is_stale = False
        self.shows = "ticket"

    def _forget(self) -> None:
        self.shows, self.has_failed = "", False
        self._put_away()
        self._forget_refusal()

    def _put_away(self) -> None:
        self.ticket, self.said, self.is_stale = {}, [], False

    async def _load_first(self, limit: int = inbox.A_PAGE) -> None:
        async with transaction() as session:
            counts = await inbox.counts(session)
            found = await self._find(session, limit=limit)
        known = {status.value: count for status, count in counts.items()}
        self._keep(
            counts=known | {"all": sum(known.values())},
            tickets=[_line(entry) for entry in found.shown],
            is_by_wait=found.is_by_wait,
            next_after=_place(found),
        )

    async def _found(self, after: tuple[datetime, int]) -> Found:
        async with transaction() as session:
            return await self._find(session, after=after)

    async def _find(
        self,
        session: AsyncSession,
        *,
        after: tuple[datetime, int] | None = None,
        limit: int = inbox.A_PAGE,
    ) -> Found:
        status = rules.status_from(self.status)
        return await inbox.find(session, self.search, status, after=after, limit=limit)

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place; what has changed is to be read."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False
        if isinstance(error, SaidMeanwhile):
            self.is_stale = True


def _place(found: Found) -> str:
    return (
        ""
        if found.next_after is None
        else f"{found.next_after[0].isoformat()} {found.next_after[1]}"
    )


def _place_from(text: str) -> tuple[datetime, int]:
    moment, _, number = text.partition(" ")
    try:
        return datetime.fromisoformat(moment), int(number)
    except ValueError:
        raise BadArguments from None


def _line(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "subject": entry.subject,
        "subject_key": rules.subject_key(entry.about),
        "status": entry.status.value,
        "at": entry.at.isoformat(),
        "name": entry.name,
        "role": entry.role,
    }


def _ticket(found: Case) -> dict[str, Any]:
    sender = found.sender
    kind = rules.kind_of(found.about)
    return {
        "number": found.number,
        "subject": found.subject,
        "subject_key": rules.subject_key(found.about),
        "status": found.status.value,
        "newest": str(found.newest),
        "can_answer": found.can_answer,
        "reopens": not rules.is_settled(Status.CLOSED, found.about),
        "is_restriction": kind is About.RESTRICTION,
        "is_elsewhere": kind in rules.DECIDED_ELSEWHERE,
        "is_order": kind is About.ORDER,
        "decided_at": _where_decided(found),
        "typed_name": found.typed_name,
        "typed_email": found.typed_email,
        "name": sender.name,
        "email": sender.email,
        "is_verified": sender.is_verified,
        "is_closed": sender.is_closed,
        "is_mailed": sender.is_mailed,
        "role": sender.role,
        "language": sender.language,
        "joined_at": sender.joined_at.isoformat(),
        "restrictions": sender.restrictions,
        "person": f"{PATH}?{urlencode({'tab': 'people', 'person': sender.account_id})}",
        "case": address_of(sender.account_id),
    }


def _where_decided(found: Case) -> str:
    """The place of the panel where more can be done than to answer."""
    match rules.kind_of(found.about):
        case About.RESTRICTION:
            return address_of(found.sender.account_id)
        case About.TOPIC | About.REPLY | About.PROFILE:
            return f"{PATH}?tab=reports"
        case About.ORDER:
            return f"{PATH}?{urlencode({'tab': 'orders', 'search': found.sender.account_id})}"
        case None:
            return ""


def _said(one: Said) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "text": one.text,
        "is_answer": one.is_answer,
        "at": one.at.isoformat(),
        "is_read": one.seen_at is not None,
    }
