"""The case of one account that an admin looks into, and what is decided on it."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.core.told import then_shown
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.admin import case_rows
from rewards_app.features.admin.case_address import QUERY, TAB
from rewards_app.features.admin.state import AdminState
from rewards_app.features.advertiser import review
from rewards_app.features.advertiser.review_rules import NothingToCredit
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.fraud import cases, measures
from rewards_app.features.fraud.case_rules import SPANS, Source
from rewards_app.features.fraud.cases import TimeLine
from rewards_app.features.fraud.measure_rules import (
    CreditedInPart,
    DecidedMeanwhile,
    UnknownAccount,
)
from rewards_app.features.notifications.rules import NOBODY

_log = structlog.get_logger(__name__)

PAUSE, RESUME, SUSPEND, RESTORE = "pause", "resume", "suspend", "restore"
CREDIT_VIEW, CREDIT_ALL = "credit_view", "credit_all"
LIFTING = (RESUME, RESTORE)
DECISIONS = (PAUSE, RESUME, SUSPEND, RESTORE, CREDIT_VIEW, CREDIT_ALL)


class CaseState(AppState):
    """`account_id` is empty while no case is open; `person` until it is known."""

    account_id: str = ""
    is_unknown: bool = False
    """There is no such account."""
    has_failed: bool = False
    person: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    holding: list[dict[str, Any]] = []
    """What the account may not do now."""
    held_kinds: list[str] = []
    source: str = ""
    """Empty: of every source."""
    events: list[dict[str, Any]] = []
    """The newest first."""
    next_before: str = ""
    """Older events come before this one; empty where there are none."""
    hour: str = ""
    """The hour whose views are looked at one by one."""
    views: list[dict[str, Any]] = []
    asked: str = ""
    """What is about to be decided: a row of DECISIONS."""
    view: dict[str, Any] = {}
    """The one whose company is about to get its money back."""
    span: str = "day"
    creditable: dict[str, int] = {}
    """How many views companies paid for in that span, and how much."""

    _next: tuple[datetime, str] | None = None

    @allow(Role.ADMIN)
    async def load(self):
        """Open the case that the address names, or none."""
        wanted = id_from(self._query.get(QUERY, ""))
        self._forget()
        if wanted:
            await self._open(wanted)

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something has changed somewhere: the newest is read again, what is older stays."""
        is_shown = bool(self.person) and (await self.get_state(AdminState)).tab == TAB
        if is_shown:
            await self._load()

    @allow(Role.ADMIN)
    async def choose_source(self, source: str):
        if source and source not in set(Source):
            raise BadArguments
        self.source, self.hour, self.views = source, "", []
        if self.account_id:
            self._list(await self._time_line())

    @allow(Role.ADMIN)
    async def load_more(self, before: str):
        """Older events; asked twice for the same ones, they come once."""
        if before != self.next_before or self._next is None:
            return
        found = await self._time_line(self._next)
        self.events = [*self.events, *map(case_rows.event, found.shown)]
        self._remember(found)

    @allow(Role.ADMIN)
    async def look_at_hour(self, hour: str):
        """Show each view of an hour, or fold it again."""
        if hour == self.hour or not self.account_id:
            self.hour, self.views = "", []
            return
        self.views = await self._views(_moment(hour))
        self.hour = hour

    @allow(Role.ADMIN)
    async def ask(self, what: str):
        """Open the decision: what it leads to stands there before it is taken."""
        if what not in DECISIONS or what == CREDIT_VIEW or not self.person:
            raise BadArguments
        self._forget_refusal()
        if what == CREDIT_ALL:
            await self._count()
        self.asked = what

    @allow(Role.ADMIN)
    async def ask_view(self, view_id: Identifier):
        """The same for one view of the hour that is looked at."""
        found = next((view for view in self.views if view["id"] == str(view_id)), None)
        if found is None:
            raise BadArguments
        self._forget_refusal()
        self.view, self.asked = found, CREDIT_VIEW

    @allow(Role.ADMIN)
    async def choose_span(self, span: str):
        if span not in SPANS or not self.person:
            raise BadArguments
        self.span = span
        await self._count()

    @allow(Role.ADMIN)
    async def cancel(self):
        self.asked, self.view, self.refusal = "", {}, {}

    @allow(Role.ADMIN)
    async def decide(self, form: LongForm):
        """What was asked, for the reason that stands in the form."""
        if not self.asked or not self.person:
            return
        self._start_work()
        yield
        async with then_shown(self._load):
            await self._do(form.get("reason", ""))
            self.is_busy = False
            self.asked, self.view = "", {}

    async def _do(self, reason: str) -> None:
        try:
            if self.asked in (CREDIT_VIEW, CREDIT_ALL):
                await self._credit(reason)
            else:
                await self._measure(reason)
        except DecidedMeanwhile:
            self.asked = ""
            raise

    async def _measure(self, reason: str) -> None:
        account_id, now = UUID(self.account_id), utc_now()
        async with transaction() as session:
            match self.asked:
                case "pause":
                    await measures.pause_earning(session, self._actor, account_id, reason, now=now)
                case "suspend":
                    await measures.suspend(session, self._actor, account_id, reason, now=now)
                case "resume":
                    seen = self._held(Kind.EARNING_PAUSED)
                    await measures.resume_earning(session, self._actor, seen, reason, now=now)
                case _:
                    seen = self._held(Kind.SUSPENDED)
                    await measures.restore(session, self._actor, seen, reason, now=now)
        self._notify(
            f"admin.case.done.{self.asked}",
            self._done_text,
            name=self.person["name"] or [NOBODY],
        )

    @property
    def _done_text(self) -> str:
        """Every page says why somebody is restricted, and none why they are so no more."""
        lifted = "lifted_" if self.asked in LIFTING else ""
        unmailed = "" if self.person["is_mailed"] else "unmailed_"
        return f"admin.case.done_{lifted}{unmailed}text"

    async def _credit(self, reason: str) -> None:
        """View after view, each for itself: what was credited stays, whatever comes then."""
        wanted = await self._chosen(UUID(self.account_id))
        credited = 0
        for view_id in wanted:
            try:
                async with transaction() as session:
                    await review.credit_back(session, self._actor, view_id, reason, now=utc_now())
                credited += 1
            except NothingToCredit:
                # Another admin was quicker with this one.
                if self.asked == CREDIT_VIEW:
                    raise
            except Exception as failure:
                if not credited:
                    raise
                raise _broken_off(failure, done=credited, wanted=len(wanted)) from failure
        if not credited:
            raise NothingToCredit
        self._notify("admin.case.credited_title", "admin.case.credited_text", count=credited)

    async def _chosen(self, account_id: UUID) -> list[UUID]:
        """One view, or all of the span; never another account's."""
        async with transaction() as session:
            if self.asked == CREDIT_VIEW:
                view_id = UUID(self.view["id"])
                await cases.own_view(session, self._actor, account_id, view_id)
                return [view_id]
            found = await cases.creditable_views(
                session, self._actor, account_id, self.span, now=utc_now()
            )
        if not found:
            raise NothingToCredit
        return list(found)

    def _held(self, kind: Kind) -> UUID:
        """The restriction that is shown, so that nobody lifts one that they have not seen."""
        found = next((held for held in self.holding if held["kind"] == kind.value), None)
        if found is None:
            raise DecidedMeanwhile
        return UUID(found["id"])

    async def _open(self, account_id: UUID) -> None:
        self.account_id = str(account_id)
        try:
            await self._load()
        except UnknownAccount:
            self.is_unknown = True
        except Exception:
            self.has_failed = True
            raise

    async def _load(self) -> None:
        account_id = UUID(self.account_id)
        async with transaction() as session:
            found = await cases.case(session, self._actor, account_id, now=utc_now())
        line = await self._time_line()
        self.has_failed = False
        person = found.person
        self.person = asdict(person) | {
            "id": str(person.id),
            "since": person.since.isoformat(),
            "is_own": person.id == self._actor.user_id,
            "is_mailed": person.is_mailed,
            "company_card": f"{CARD}{person.company_id}" if person.company_id else "",
        }
        self.figures = case_rows.figures(found)
        self.holding = [case_rows.held(held) for held in found.holding]
        self.held_kinds = [held.kind for held in found.holding]
        events = renewed(self.events, [case_rows.event(event) for event in line.shown])
        if events:
            self.events = events
        else:
            self._list(line)
        if self.hour:
            self.views = await self._views(_moment(self.hour))
        if self.asked == CREDIT_ALL:
            await self._count()

    async def _time_line(self, before: tuple[datetime, str] | None = None) -> TimeLine:
        async with transaction() as session:
            return await cases.time_line(
                session,
                self._actor,
                UUID(self.account_id),
                source=Source(self.source) if self.source else None,
                before=before,
            )

    async def _views(self, hour: datetime) -> list[dict[str, Any]]:
        async with transaction() as session:
            found = await cases.views_of_hour(session, self._actor, UUID(self.account_id), hour)
        return [case_rows.view(view) for view in found]

    async def _count(self) -> None:
        async with transaction() as session:
            found = await cases.creditable(
                session, self._actor, UUID(self.account_id), self.span, now=utc_now()
            )
        self.creditable = asdict(found) | {"now": min(found.views, cases.CREDITED_AT_ONCE)}

    def _list(self, found: TimeLine) -> None:
        self.events = [case_rows.event(event) for event in found.shown]
        self._remember(found)

    def _remember(self, found: TimeLine) -> None:
        self._next = found.next_before
        self.next_before = found.next_before[1] if found.next_before else ""

    def _forget(self) -> None:
        self.account_id, self.person, self.figures, self.holding = "", {}, {}, []
        self.is_unknown, self.has_failed = False, False
        self.held_kinds = []
        self.source, self.events, self.next_before, self._next = "", [], "", None
        self.hour, self.views, self.asked, self.view = "", [], "", {}
        self._forget_refusal()


def _broken_off(failure: Exception, **counts: int) -> CreditedInPart:
    told = CreditedInPart(**counts)
    if not isinstance(failure, DomainError):
        _log.error("handler.broke", exc_info=failure)
        told.is_defect = True
    return told


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadArguments from None
    if moment.tzinfo is None:
        raise BadArguments
    return moment
