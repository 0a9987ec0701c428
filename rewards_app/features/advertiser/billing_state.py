"""The money of a company as its owner sees it: paid in, set aside, spent; every entry of it."""

from collections.abc import Sequence
from typing import Annotated, Any

import reflex as rx
from pydantic import Field

from rewards_app.core.access import Identifier, LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.core.ids import id_from, new_id
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.core.told import then_shown, told_as
from rewards_app.features.advertiser import statement, top_ups
from rewards_app.features.advertiser.billing_rules import (
    FAILED_TITLE,
    UNPAID,
    Status,
    StillOpening,
    TopUpFailed,
)
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.money_rows import entry_rows, top_up_row
from rewards_app.features.advertiser.settings_state import TAB
from rewards_app.features.advertiser.statement import Statement
from rewards_app.features.advertiser.top_ups import Begun, TopUps

EntryNumber = Annotated[int, Field(gt=0, lt=2**63)]


class BillingState(AppState):
    is_loaded: bool = False
    top_ups: list[dict[str, Any]] = []
    """Newest first."""
    top_ups_before: str = ""
    """Older ones come before this one; empty where there are none."""
    entries: list[dict[str, Any]] = []
    """Newest first."""
    next_before: int = 0
    """Older entries come before this number; 0 where there are none."""
    attempt: str = ""
    """Of the form that is open: pressing twice asks once."""
    came_back_to: str = ""
    """The top-up whose checkout the owner has just come from."""
    has_left: bool = False
    """They came from it without having paid: it is being closed."""

    @signed_in()
    async def load(self):
        self.came_back_to, self.has_left = "", False
        if not await self._is_owner():
            return None
        await self._begin()
        asked = self._query
        top_up_id, came = id_from(asked.get("order", "")), asked.get("came", "")
        if top_up_id and came in ("paid", "cancelled"):
            self.came_back_to, self.has_left = str(top_up_id), came == "cancelled"
            come_back: Any = BillingState.come_back
            return come_back(str(top_up_id), self.has_left)
        return None

    @signed_in(passive=True)
    async def refresh(self):
        """Money came or went: what is new comes first, older entries stay as they are."""
        is_open = (await self.get_state(AdvertiserState)).tab == TAB
        if not is_open or not await self._is_owner():
            return
        if not self.is_loaded:
            # The company has become theirs while they looked.
            await self._begin()
            return
        async with transaction() as session:
            await self._load_top_ups(session)
            found = await statement.statement(session, self._actor)
        entries = renewed(self.entries, entry_rows(found), key="number")
        if entries:
            self.entries = entries
        else:
            self._list(found)

    @signed_in()
    async def load_more(self, before: EntryNumber):
        """Older entries; asked twice for the same ones, they come once."""
        if before != self.next_before:
            return
        async with transaction() as session:
            found = await statement.statement(session, self._actor, before=before)
        self.entries = self.entries + entry_rows(found)
        self.next_before = found.next_before or 0

    @signed_in()
    async def load_more_top_ups(self, before: Identifier):
        if str(before) != self.top_ups_before:
            return
        async with transaction() as session:
            found = await top_ups.listed(session, self._actor, before=before)
        self._list_top_ups(found, behind=self.top_ups)

    @signed_in()
    async def top_up(self, form: LongForm):
        """To the checkout, in this tab: it leads back here."""
        self._start_work()
        yield
        attempt = id_from(form.get("attempt", ""))
        if attempt is None:
            raise BadArguments
        with told_as(FAILED_TITLE):
            begun = await top_ups.begin(
                self._actor,
                form.get("amount", ""),
                attempt,
                language=self._language,
                now=utc_now(),
            )
        self.is_busy = False
        if begun.checkout_url:
            yield rx.redirect(begun.checkout_url)
        async with then_shown(self._load_newest):
            self._take(begun)

    @signed_in()
    async def come_back(self, top_up_id: Identifier, has_cancelled: bool):
        """From the checkout: ask at once what became of the payment, or close it."""
        async with then_shown(self._load_newest):
            await top_ups.come_back(self._actor, top_up_id, has_cancelled=has_cancelled)

    @signed_in()
    async def look_again(self, top_up_id: Identifier):
        await top_ups.come_back(self._actor, top_up_id, has_cancelled=False)
        await self._load_newest()

    @signed_in()
    async def cancel(self, top_up_id: Identifier):
        self.is_busy = True
        yield
        async with then_shown(self._load_newest):
            await top_ups.cancel(self._actor, top_up_id)
            self._notify("billing.cancelled_title", "billing.cancelled_text")
        self.is_busy = False

    def _refuse(self, error: DomainError) -> None:
        super()._refuse(error)
        if isinstance(error, TopUpFailed):
            # It is over: the next press asks for a new one.
            self.attempt = str(new_id())

    def _take(self, begun: Begun) -> None:
        if begun.status is Status.WAITING and not begun.checkout_url:
            raise StillOpening
        if begun.status in UNPAID:
            raise TopUpFailed
        self.attempt = str(new_id())

    async def _is_owner(self) -> bool:
        return (await self.get_state(AdvertiserState)).is_owner

    async def _begin(self) -> None:
        self.top_ups = []
        await self._load_newest()
        self.attempt = str(new_id())
        self.is_loaded = True

    async def _load_newest(self) -> None:
        async with transaction() as session:
            await self._load_top_ups(session)
            self._list(await statement.statement(session, self._actor))

    async def _load_top_ups(self, session: AsyncSession) -> None:
        """As many as are shown, and at least the newest: each may have become something else."""
        limit = max(top_ups.A_PAGE, len(self.top_ups))
        self._list_top_ups(await top_ups.listed(session, self._actor, limit=limit))

    def _list_top_ups(self, found: TopUps, behind: Sequence[dict[str, Any]] = ()) -> None:
        self.top_ups = [*behind, *map(top_up_row, found.shown)]
        self.top_ups_before = str(found.next_before or "")

    def _list(self, found: Statement) -> None:
        self.entries = entry_rows(found)
        self.next_before = found.next_before or 0
