"""What the watch page shows, and what its player asks for."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, Seconds, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, DoneNotShown, StorageAway, StorageFull
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.ads import (
    catalogue,
    finishing,
    listing,
    rules,
    service,
    standings,
    stories,
)
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.ads.stories import Outcome
from rewards_app.features.coins import service as coins

WATCHING, SAVING, REWARDED = "watching", "saving", "rewarded"
ENDS = ("finish", "ask_again")
"""What a page says of an ad that is over."""


class WatchState(AppState):
    """`stage` is empty, WATCHING, SAVING (finished, but our answer is late) or REWARDED."""

    ads: list[dict[str, Any]] = []
    is_loaded: bool = False
    available: int = 0
    ads_today: int = 0
    ads_watched: int = 0
    total_coins: int = 0
    outcomes: list[dict[str, Any]] = []
    stage: str = ""
    running: dict[str, Any] = {}
    """The ad in the player."""
    elsewhere: dict[str, Any] = {}
    """An ad that another tab of this player shows, or that was left unfinished."""
    earned: int = 0
    in_sitting: int = 0
    """Paid for in this sitting; who needs no breaks has none."""
    has_sittings: bool = False
    break_ends_at: str = ""
    """Empty while no break is due."""
    break_ends_in: int = 0
    is_first: bool = False
    """What was earned are this player's first coins of all; so it stays until the next ad."""

    _known: finishing.Known | None = None
    _over_at: datetime | None = None
    """When enough of the ad in the player has been watched, unless it pauses."""
    _heard: finishing.EndHeard | None = None
    """The first word of its end: however long we are away then, it was in time."""
    _is_minor: bool = True
    _is_zone_known: bool = False
    """The zone that their days follow; a birthday begins with the day there."""
    _acts_for_a_company: bool = False
    """Then its ads are not listed: they are paid to everybody else."""

    @allow(*PLAYING_ROLES)
    async def load(self):
        """Show the page; an ad that this tab had running goes on where the server's clock says."""
        now = utc_now()
        self.is_first = self.is_first and self.stage == REWARDED
        self._is_minor = await service.is_minor(self._actor, now=now)
        self._acts_for_a_company = await service.acts_for_a_company(self._actor)
        found = await listing.listings.opened(is_minor=self._is_minor, player=self._listed_for)
        self.ads, self.available = [_card(ad) for ad in found.ads], found.available
        await self._load_own(now=now)
        await self._go_on(now=now)
        self.is_loaded = True

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """Something of this player's own has changed, perhaps in another tab."""
        await self._look_again(now=utc_now())

    @allow(*PLAYING_ROLES, passive=True)
    async def renew(self):
        """Ads have come or gone: what stays, stays where it is."""
        if not self.is_loaded:
            return
        # Time makes nobody one again, but for whose days' zone was not known before; for another
        # birth date the page is opened anew.
        if self._is_minor or not self._is_zone_known:
            self._is_minor = await service.is_minor(self._actor, now=utc_now())
        found = await listing.listings.of(is_minor=self._is_minor, player=self._listed_for)
        cards = {str(ad.id): _card(ad) for ad in found.ads}
        places = rules.in_their_places([ad["id"] for ad in self.ads], [*cards])
        self._keep(ads=[cards[place] for place in places], available=found.available)

    @property
    def _listed_for(self) -> UUID | None:
        return self._actor.user_id if self._acts_for_a_company else None

    @allow(*PLAYING_ROLES)
    async def start(self, ad_id: Identifier, fingerprint: str):
        now = utc_now()
        with told_as(rules.NotStarted.title, broken=rules.NotStarted):
            try:
                async with transaction() as session:
                    running = await service.start_ad(
                        session,
                        self._actor,
                        ad_id,
                        self._caller,
                        fingerprint=fingerprint,
                        now=now,
                    )
            except rules.NoAdToShow:
                await service.list_anew(ad_id, now=now)
                raise
        self.elsewhere = {}
        self._show_player(running, now=now)
        if running.instead_of:
            # Not in the transaction: it has locked another campaign. Else the sweep does it.
            with suppress(StorageAway, StorageFull):
                await service.give_back_place(running.instead_of, now=now)

    @allow(*PLAYING_ROLES, asked_again=True)
    async def finish(self, session_id: Identifier, watch_time: Seconds):
        """The page says that the ad is over; the server's clock decides."""
        no_answer_came = self.stage == SAVING and self._shows(session_id)
        await self._finish(session_id, watch_time, is_repeated=no_answer_came)

    @allow(*PLAYING_ROLES, asked_again=True)
    async def ask_again(self, session_id: Identifier, watch_time: Seconds):
        """The page heard no answer to `finish`: what was paid meanwhile is no refusal."""
        if self.stage == REWARDED and self._shows(session_id):
            # Said before, and perhaps never heard.
            self.stage, self.earned = REWARDED, self.earned
        else:
            await self._finish(session_id, watch_time, is_repeated=True)

    async def _finish(self, session_id: UUID, watch_time: int, *, is_repeated: bool) -> None:
        is_shown = self._shows(session_id)
        self._hear_end(session_id)
        self.stage = SAVING
        with told_as(rules.SECURITY_CHECK, broken=rules.UnknownView):
            async with transaction() as session:
                finished = await finishing.finish_ad(
                    session,
                    self._actor,
                    session_id,
                    client_seconds=watch_time,
                    known=self._known if is_shown else None,
                    is_repeated=is_repeated,
                    shown_by=self._caller if is_shown else None,
                    heard=self._heard,
                    now=utc_now(),
                )
        if finished is None:
            await self._look_again(now=utc_now())
            return
        self.stage = REWARDED
        self.earned = finished.coins
        # What was paid is told, also where nobody can say whether it was the first.
        with suppress(DoneNotShown):
            await then_show(self._see_whether_first)
        self._notify(
            "watch.completed",
            "watch.earned",
            style="gaming",
            coins=finished.coins,
            remaining=finished.left_today,
        )

    def _hear(self, handler: str, arguments: Mapping[str, Any]) -> None:
        if handler in ENDS:
            self._hear_end(arguments["session_id"])

    def _hear_end(self, view_id: UUID) -> None:
        """By our clock, and only what can be true: paying looks at the view as it was then."""
        now, is_paused = utc_now(), self.running.get("is_paused")
        is_over = self._over_at is not None and now >= self._over_at and not is_paused
        if is_over and self._heard is None and self._shows(view_id):
            self._heard = finishing.EndHeard(view_id, now)

    async def _see_whether_first(self) -> None:
        """Asked only where it can be: the figure on the page may know of this ad already."""
        self.is_first = (
            self.ads_watched <= 1 and (await coins.balance_of(self._actor.user_id)).ads == 1
        )

    @allow(*PLAYING_ROLES)
    async def pause(self, session_id: Identifier):
        """The tab is hidden."""
        is_paused = await service.pause(self._actor, session_id, self._caller, now=utc_now())
        if is_paused and self._shows(session_id):
            self.running = self.running | {"is_paused": True}

    @allow(*PLAYING_ROLES, asked_again=True)
    async def resume(self, session_id: Identifier):
        """The tab is seen again. A running ad counts as activity.

        The page asks until there is an answer: also where nothing is known of its ad, it gets one.
        """
        now = utc_now()
        if self._shows(session_id):
            await self._go_on(now=now)
        else:
            await self._look_again(now=now)

    @allow(*PLAYING_ROLES)
    async def leave(self, session_id: Identifier):
        """The player left the page while it showed the ad."""
        now = utc_now()
        await service.leave(self._actor, session_id, self._caller, now=now)
        await self._put_away(now=now)

    @allow(*PLAYING_ROLES)
    async def give_up(self, session_id: Identifier):
        """The player does not want to go on with the ad, wherever it runs."""
        now = utc_now()
        await service.give_up(self._actor, session_id, now=now)
        await self._put_away(now=now)

    async def _put_away(self, *, now: datetime) -> None:
        self._close_player()
        self.elsewhere = {}
        await self._load_own(now=now)

    @allow(*PLAYING_ROLES)
    async def take_over(self, session_id: Identifier):
        """Go on here with the ad that another tab showed; what is over is shown no more."""
        now = utc_now()
        try:
            async with transaction() as session:
                running = await service.take_over(
                    session, self._actor, session_id, self._caller, now=now
                )
        except rules.ViewEnded:
            ending = await stories.ending_of(self._actor.user_id, session_id, now=now)
            await self._look_again(now=now)
            if ending is None:
                raise
            self._tell(ending)
            return
        self.elsewhere = {}
        self._show_player(running, now=now)

    @allow(*PLAYING_ROLES)
    async def close(self):
        """The reward was seen, or its page was left; what is not paid yet is not closed by that."""
        if self.stage == REWARDED:
            self._close_player()

    async def _load_own(self, *, now: datetime) -> None:
        account_id = self._actor.user_id
        standing = await standings.standing(account_id, now=now)
        balance = await coins.balance_of(account_id)
        outcomes = await stories.latest_outcomes(account_id, now=now)
        self._is_zone_known = standing.time_zone != ""
        self.ads_today = standing.ads_today
        self.ads_watched = balance.ads
        self.total_coins = balance.total
        await self._load_sitting(now=now)
        self.outcomes = [
            asdict(outcome) | {"started_at": outcome.started_at.isoformat()} for outcome in outcomes
        ]

    async def _load_sitting(self, *, now: datetime) -> None:
        account_id = self._actor.user_id
        sitting = await standings.sitting_of(account_id, now=now) if self._is_minor else None
        rest = rules.break_until(sitting, now=now) if sitting else None
        self._keep(
            has_sittings=sitting is not None,
            in_sitting=sitting.rewarded if sitting else 0,
            break_ends_at=rest.isoformat() if rest else "",
            break_ends_in=ceil((rest - now).total_seconds()) if rest else 0,
        )

    async def _look_again(self, *, now: datetime) -> None:
        await self._load_own(now=now)
        running = await self._running_ad(now=now)
        await self._follow(running, opens=self.stage in (WATCHING, SAVING), now=now)

    async def _go_on(self, *, now: datetime) -> None:
        """An ad that this tab had running goes on where the server's clock says."""
        running = await self._running_ad(now=now)
        if running and running.is_here and running.is_paused:
            await service.resume(self._actor, running.view_id, self._caller, now=now)
            running = replace(running, is_paused=False)
        await self._follow(running, opens=True, now=now)

    async def _running_ad(self, *, now: datetime) -> RunningAd | None:
        return await service.running_ad(self._actor, self._caller, heard=self._heard, now=now)

    async def _follow(self, running: RunningAd | None, *, opens: bool, now: datetime) -> None:
        """Show the ad that runs here, or say that there is one; a reward stays in sight."""
        if opens and running and running.is_here:
            self._show_player(running, now=now)
        elif self.stage != REWARDED:
            ending = await self._ending_of_shown(running, now=now)
            self._close_player()
            self.elsewhere = _shown(running) if running else {}
            if ending:
                self._tell(ending)

    async def _ending_of_shown(self, running: RunningAd | None, *, now: datetime) -> Outcome | None:
        """What became of the ad in the player, unless it runs on in another tab."""
        shown = self.running.get("session_id")
        if not shown or (running and str(running.view_id) == shown):
            return None
        return await stories.ending_of(self._actor.user_id, UUID(shown), now=now)

    def _tell(self, ending: Outcome) -> None:
        """The page promised to wait: nobody is left to guess why an ad is gone."""
        if ending.is_rewarded:
            self._notify("watch.completed", "errors.ads.already_rewarded")
            return
        self._notify(
            "watch.not_credited",
            f"watch.reasons.{ending.reason}",
            style="destructive",
            count=ending.missing_seconds,
            required=ending.required_seconds,
            limit=rules.DAILY_LIMIT,
        )

    def _shows(self, session_id: UUID) -> bool:
        return self.running.get("session_id") == str(session_id)

    def _show_player(self, running: RunningAd, *, now: datetime) -> None:
        if not self._shows(running.view_id):
            self._heard = None
        missing = timedelta(seconds=running.seconds) - timedelta(milliseconds=running.watched_ms)
        self._over_at = now + missing
        self.stage, self.is_first = WATCHING, False
        # Also what counts as before is an answer, and a page keeps what is equal.
        self.running = _shown(running) | {"answer": str(new_id())}
        self._known = running.known

    def _close_player(self) -> None:
        self.stage, self.running, self.earned = "", {}, 0
        self._over_at = self._heard = None

    def _refuse(self, error: DomainError) -> None:
        """On any failure the dialog closes; only when we could not save it stays and asks again."""
        if self.stage == SAVING and isinstance(error, (StorageAway, StorageFull)):
            return
        super()._refuse(error)
        if self.stage == SAVING:
            self._close_player()


def _card(ad: catalogue.ShownAd) -> dict[str, Any]:
    return asdict(ad) | {"id": str(ad.id)}


def _shown(running: RunningAd) -> dict[str, Any]:
    """What the player needs; times in milliseconds, since the page counts on from here."""
    return _card(running.ad) | {
        "ad_id": str(running.ad.id),
        "session_id": str(running.view_id),
        "seconds": running.seconds,
        "reward": running.reward,
        "watched_ms": running.watched_ms,
        "is_paused": running.is_paused,
        "link": f"/ads/visit/{running.view_id}" if running.ad.has_link else "",
    }
