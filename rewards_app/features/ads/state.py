"""What the watch page shows, and what its player asks for."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, Seconds, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError, StorageAway
from rewards_app.core.state import AppState
from rewards_app.features.ads import catalogue, rules, service, standings, stories
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.coins import service as coins

PLAYERS = (Role.PLAYER, Role.MODERATOR)

WATCHING, SAVING, REWARDED = "watching", "saving", "rewarded"


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

    @allow(*PLAYERS)
    async def load(self):
        """Show the page; an ad that this tab had running goes on where the server's clock says."""
        now = utc_now()
        async with transaction() as session:
            self.ads = [_card(ad) for ad in await catalogue.listed(session, now=now)]
            self.available = await catalogue.servable_count(session, now=now)
            await self._load_own(session, now=now)
            running = await service.running_ad(session, self._actor, self._caller, now=now)
            if running and running.is_here:
                await service.take_over(
                    session, self._actor, running.view_id, self._caller, now=now
                )
        if running and running.is_here:
            self._show_player(running)
        elif self.stage != REWARDED:
            self._close_player()
            self.elsewhere = _shown(running) if running else {}
        self.is_loaded = True

    @allow(*PLAYERS, passive=True)
    async def refresh(self):
        """Something of this player's own has changed, perhaps in another tab."""
        async with transaction() as session:
            await self._load_own(session, now=utc_now())

    @allow(*PLAYERS)
    async def start(self, ad_id: Identifier, fingerprint: str):
        async with transaction() as session:
            running = await service.start_ad(
                session,
                self._actor,
                ad_id,
                self._caller,
                fingerprint=fingerprint,
                now=utc_now(),
            )
        self.elsewhere = {}
        self._show_player(running)

    @allow(*PLAYERS)
    async def finish(self, session_id: Identifier, watch_time: Seconds):
        """The page says that the ad is over; the server's clock decides."""
        no_answer_came = self.stage == SAVING and self.running.get("session_id") == str(session_id)
        self.stage = SAVING
        async with transaction() as session:
            finished = await service.finish_ad(
                session,
                self._actor,
                session_id,
                client_seconds=watch_time,
                is_repeated=no_answer_came,
                now=utc_now(),
            )
        self.stage = REWARDED
        self.earned = finished.coins
        self._notify(
            "watch.completed",
            "watch.earned",
            style="gaming",
            coins=finished.coins,
            remaining=finished.left_today,
        )

    @allow(*PLAYERS)
    async def pause(self, session_id: Identifier):
        """The tab is hidden."""
        await service.pause(self._actor, session_id, now=utc_now())

    @allow(*PLAYERS)
    async def resume(self, session_id: Identifier):
        """The tab is seen again. A running ad counts as activity."""
        await service.resume(self._actor, session_id, now=utc_now())

    @allow(*PLAYERS)
    async def give_up(self, session_id: Identifier):
        """The player left the page while the ad ran."""
        await service.give_up(self._actor, session_id, now=utc_now())
        self._close_player()

    @allow(*PLAYERS)
    async def take_over(self, session_id: Identifier):
        """Go on here with the ad that another tab showed."""
        async with transaction() as session:
            running = await service.take_over(
                session, self._actor, session_id, self._caller, now=utc_now()
            )
        self.elsewhere = {}
        self._show_player(running)

    @allow(*PLAYERS)
    async def close(self):
        """The reward was seen."""
        self._close_player()

    async def _load_own(self, session: AsyncSession, *, now: datetime) -> None:
        account_id = self._actor.user_id
        standing = await standings.standing(session, account_id, now=now)
        outcomes = await stories.latest_outcomes(session, account_id, now=now)
        self.ads_today = standing.ads_today
        self.ads_watched = standing.ads_watched
        self.total_coins = (await coins.balance_of(account_id)).total
        self.outcomes = [
            asdict(outcome) | {"started_at": outcome.started_at.isoformat()} for outcome in outcomes
        ]

    def _show_player(self, running: RunningAd) -> None:
        self.stage = WATCHING
        self.running = _shown(running)

    def _close_player(self) -> None:
        self.stage, self.running, self.earned = "", {}, 0

    def _refuse(self, error: DomainError) -> None:
        """On any failure the dialog closes; only when we could not save it stays and asks again."""
        super()._refuse(error)
        if self.stage == SAVING and not isinstance(error, StorageAway):
            self._close_player()


class ReportState(AppState):
    """What a player says of an ad."""

    ad_id: str = ""
    title: str = ""

    @allow(*PLAYERS)
    async def ask(self, ad_id: Identifier, title: str):
        self.refusal = {}
        self.ad_id, self.title = str(ad_id), title

    @allow(*PLAYERS)
    async def send(self, form: dict[str, str]):
        async with transaction() as session:
            if not self.ad_id:
                raise rules.UnknownAd
            is_new = await stories.report_ad(
                session,
                self._actor,
                UUID(self.ad_id),
                form.get("reason", ""),
                form.get("text", ""),
                now=utc_now(),
            )
        self.ad_id = ""
        self._notify("watch.reported", "watch.reported_text" if is_new else "watch.reported_again")

    @allow(*PLAYERS)
    async def cancel(self):
        self.ad_id = ""


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
        "link": f"/ads/visit/{running.view_id}" if running.ad.has_link else "",
    }
