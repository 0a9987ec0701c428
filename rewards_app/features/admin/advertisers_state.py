"""Applications of companies as admins see them, and the decision on one of them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import BadArguments, DomainError, Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.admin.application_rows import application_row
from rewards_app.features.admin.state import LONGEST_SEARCH, AdminState
from rewards_app.features.advertiser import review
from rewards_app.features.advertiser.review import Applications
from rewards_app.features.advertiser.review_rules import (
    ChangedMeanwhile,
    DecidedMeanwhile,
    UnknownApplication,
)
from rewards_app.features.advertiser.rules import Status

DECISIONS = {status.value: status for status in (Status.APPROVED, Status.REJECTED)}


class AdvertisersState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    pending: list[dict[str, Any]] = []
    """The newest first, as are the processed ones."""
    pending_before: str = ""
    """Older ones come before this one; empty where there are none."""
    processed: list[dict[str, Any]] = []
    processed_before: str = ""
    search: str = ""
    """What a company's name or email begins with, or an identifier of something of its."""
    round: int = 0
    """Another one when the search is given up: its field begins anew."""
    found: list[dict[str, Any]] = []
    """What is looked for, the newest first, while something is."""
    found_before: str = ""
    asked: dict[str, Any] = {}
    """The application that is decided on; `decision` says what it is to become."""

    _is_loading: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        self._begin_search()
        self._is_loading = True
        await self._load()
        self.is_loaded, self._is_loading = True, False

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something about companies has changed somewhere: as much as is shown is read again."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != "advertisers":
            return
        await self._load()
        if self.asked:
            await self._look_whether_it_still_waits()

    @allow(Role.ADMIN)
    async def load_more_pending(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) == self.pending_before:
            async with transaction() as session:
                found = await review.pending(session, before=before)
            self._list_pending(found, after=self.pending)

    @allow(Role.ADMIN)
    async def load_more_processed(self, before: Identifier):
        if str(before) == self.processed_before:
            async with transaction() as session:
                found = await review.processed(session, before=before)
            self._list_processed(found, after=self.processed)

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self.search, self.found = form.get("search", "").strip()[:LONGEST_SEARCH], []
        await self._load()

    @allow(Role.ADMIN)
    async def show_all(self):
        self._begin_search()
        await self._load()

    @allow(Role.ADMIN)
    async def load_more_found(self, before: Identifier):
        if str(before) == self.found_before:
            async with transaction() as session:
                found = await review.find(session, self.search, before=before)
            self._list_found(found, after=self.found)

    @allow(Role.ADMIN)
    async def ask(self, advertiser_id: Identifier, decision: str):
        """Decided on is what was shown."""
        if decision not in DECISIONS:
            raise BadArguments
        self._forget_refusal()
        shown = self.pending + self.processed + self.found
        row = next((row for row in shown if row["id"] == str(advertiser_id)), None)
        if row is None:
            raise UnknownApplication
        self.asked = row | {"decision": decision}

    @allow(Role.ADMIN)
    async def close(self):
        self.asked, self.refusal = {}, {}

    @allow(Role.ADMIN)
    async def decide(self, form: LongForm):
        if not self.asked:
            return
        self._start_work()
        yield
        decision, company = self.asked["decision"], self.asked["company"]
        with told_as("admin.advertisers.not_updated", broken=Unexpected):
            async with transaction() as session:
                await review.decide(
                    session,
                    self._actor,
                    UUID(self.asked["id"]),
                    DECISIONS[decision],
                    form.get("reason", ""),
                    version=datetime.fromisoformat(self.asked["version"]),
                    now=utc_now(),
                )
        self.is_busy = False
        self.asked = {}
        self._notify(
            f"admin.advertisers.{decision}_title",
            f"admin.advertisers.{decision}_text",
            company=company,
        )
        await then_show(self._load)

    def _begin_search(self) -> None:
        """What is being typed while the lists still come is not taken away."""
        if self.search:
            self.search, self.found, self.found_before = "", [], ""
            self.round += 1

    def _forget(self) -> None:
        self.is_loaded, self.has_failed = False, False
        self.pending, self.processed, self.found, self.asked = [], [], [], {}
        self._forget_refusal()

    async def _load(self) -> None:
        """As many as are shown, and at least the newest."""
        async with transaction() as session:
            pending = await review.pending(session, limit=_at_least_a_page(self.pending))
            processed = await review.processed(session, limit=_at_least_a_page(self.processed))
            found = await self._find(session)
        self._list_pending(pending)
        self._list_processed(processed)
        self._list_found(found)

    async def _find(self, session: AsyncSession) -> Applications:
        if not self.search:
            return Applications([], None)
        return await review.find(session, self.search, limit=_at_least_a_page(self.found))

    def _list_pending(self, found: Applications, after: list[dict[str, Any]] | None = None) -> None:
        self.pending = [*(after or []), *map(application_row, found.shown)]
        self.pending_before = str(found.next_before or "")

    def _list_processed(
        self, found: Applications, after: list[dict[str, Any]] | None = None
    ) -> None:
        self.processed = [*(after or []), *map(application_row, found.shown)]
        self.processed_before = str(found.next_before or "")

    def _list_found(self, found: Applications, after: list[dict[str, Any]] | None = None) -> None:
        self.found = [*(after or []), *map(application_row, found.shown)]
        self.found_before = str(found.next_before or "")

    async def _look_whether_it_still_waits(self) -> None:
        async with transaction() as session:
            known = await review.application(session, UUID(self.asked["id"]))
        if known.version.isoformat() != self.asked["version"]:
            has_waited = known.status.value == self.asked["status"]
            self._refuse(ChangedMeanwhile() if has_waited else DecidedMeanwhile())

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place; what is not any more is not decided on."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False
        title = "not_updated" if self.asked else "not_loaded"
        self._notify(
            f"admin.advertisers.{title}", error.text_key, style="destructive", **error.params
        )
        if isinstance(error, DecidedMeanwhile | ChangedMeanwhile | UnknownApplication):
            self.asked = {}


def _at_least_a_page(shown: list[dict[str, Any]]) -> int:
    return max(review.A_PAGE, len(shown))
