"""What this worker's open tabs are told without asking."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from uuid import UUID

import reflex as rx
import structlog
from reflex.istate.manager.token import BaseStateToken
from reflex_base.event import Event

from rewards_app.core import live, tabs
from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.gate import KnownActors
from rewards_app.core.ids import new_id
from rewards_app.core.page import Page
from rewards_app.core.rounds import rounds
from rewards_app.core.routes import WATCH
from rewards_app.core.sockets.meeting import led_out
from rewards_app.core.state import REFRESHES, AppState
from rewards_app.features.accounts import details, restrictions, sessions
from rewards_app.features.ads import service as ads
from rewards_app.features.ads.state import WatchState
from rewards_app.features.advertiser import membership
from rewards_app.features.coins import service as coins
from rewards_app.features.factors import service as factors
from rewards_app.features.guardians import service as guardians
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.letters import SETTINGS
from rewards_app.features.notifications.rules import TOLD_ROLES
from rewards_app.features.notifications.state import BellState
from rewards_app.features.privacy import exports
from rewards_app.features.profile import unlocking
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.features.shell import service
from rewards_app.features.shell.state import BarState, CompanyBarState
from rewards_app.features.shop import buying
from rewards_app.features.support import service as support
from rewards_app.features.support.restriction_state import RestrictionState

_log = structlog.get_logger(__name__)

SHOW_SESSIONS = frozenset({"/security", "/profile", "/advertiser"})
"""The pages on which one's sessions can be listed."""

Shown = TypeVar("Shown", bound=AppState)


class TabCalls:
    """Reaches this worker's tabs: sessions that ended, accounts that changed, who is online."""

    def __init__(self, app: rx.App, actors: KnownActors, pages: Iterable[Page]) -> None:
        self.app = app
        self.actors = actors
        self.is_told = {
            (page.path, role): page.is_told for page in pages if page.is_told for role in page.roles
        }
        self.worker_id = new_id()
        self.estimate = service.Estimate()
        for topic in (sessions.SESSION_ENDED, sessions.SESSION_TAKEN):
            live.on_own(topic, self.actors.forget)
        for topic in (sessions.ACCOUNT_CHANGED, factors.CHANGED):
            live.on_own(topic, self._forget_who_it_is)
        live.on(sessions.SESSION_ENDED, self._on_session_ended)
        live.on(sessions.SESSION_TAKEN, self._on_session_taken)
        live.on(sessions.SESSIONS_CHANGED, self._on_sessions_changed)
        live.on(sessions.ACCOUNT_CHANGED, self._on_account_changed)
        live.on(factors.CHANGED, self._on_account_changed)
        live.on(restrictions.CHANGED, self._on_restricted)
        live.on(support.APPEALED, self._on_appealed)
        live.on(coins.CHANGED, self._on_own_change)
        live.on(buying.CHANGED, self._on_own_change)
        live.on(ads.GIVEN_UP, self._on_ad_gone)
        live.on(ads.TAKEN_OVER, self._on_ad_gone)
        live.on(membership.CHANGED, self._on_company_change)
        live.on(notifications.TOLD, self._on_told)
        live.on(guardians.CHANGED, self._on_guardian_answered)
        live.on(exports.CHANGED, self._on_export_changed)
        live.on(details.CHANGED, self._on_details_changed)
        live.on(unlocking.UNLOCKED, self._on_unlocked)
        live.on(live.TAKEN_UP, self._on_taken_up)

    async def _on_session_ended(self, session_hash: str) -> None:
        await self._sign_out(session_hash, AppState.check_in)

    async def _on_session_taken(self, session_hash: str) -> None:
        await self._sign_out(session_hash, AppState.hear_of_end)

    async def _sign_out(self, session_hash: str, and_then: Any) -> None:
        self.actors.forget(session_hash)
        await self._lead_out(tabs.of_session(session_hash))
        await self.ask(tabs.of_session(session_hash), [and_then])

    async def _on_sessions_changed(self, account_id: str) -> None:
        """Every list of this person's sessions shows the one that has begun, or ended."""
        own = tabs.of_user(UUID(account_id))
        await self.ask(
            [token for token in own if tabs.place_of(token) in SHOW_SESSIONS],
            [SessionsState.refresh, AccountSecurityState.refresh],
        )

    def _forget_who_it_is(self, account_id: str) -> None:
        self.actors.forget_user(UUID(account_id))

    async def _on_account_changed(self, account_id: str) -> None:
        self._forget_who_it_is(account_id)
        await self._ask_to_check_in(tabs.of_user(UUID(account_id)))

    async def _on_restricted(self, account_id: str) -> None:
        """Whatever page is open says what its owner may not do, or that they may again."""
        for token in tabs.of_user(UUID(account_id)):
            is_player = tabs.role_of(token) in PLAYING_ROLES
            own = REFRESHES.get(tabs.place_of(token), ()) if is_player else ()
            await self.ask([token], [RestrictionState.load, *own])

    async def _on_appealed(self, account_id: str) -> None:
        """Where the restriction is shown, the answer to the appeal is."""
        await self.ask(tabs.of_user(UUID(account_id)), [RestrictionState.load])

    async def _on_own_change(self, account_id: str) -> None:
        """Every screen of this player shows the new balance, and what else its page says.

        Who plays no more has other pages, also at the same paths: an old order may be settled yet.
        """
        own = tabs.of_user(UUID(account_id))
        for token in [token for token in own if tabs.role_of(token) in PLAYING_ROLES]:
            await self.ask([token], [BarState.load, *REFRESHES.get(tabs.place_of(token), ())])

    async def _on_ad_gone(self, account_id: str) -> None:
        """Where this player may go on with it, or has it in sight, it is over or elsewhere."""
        own = tabs.of_user(UUID(account_id))
        watching = [token for token in own if tabs.place_of(token) == WATCH]
        await self.ask(watching, [WatchState.refresh])

    async def _on_company_change(self, key: str) -> None:
        """Every screen of its people shows the new name and balance."""
        if not key:
            return
        for user_id in await membership.people_of(UUID(key)):
            await self._show_company(tabs.of_user(user_id))

    async def _show_company(self, tokens: Iterable[str]) -> None:
        companies = [token for token in tokens if tabs.role_of(token) is Role.COMPANY]
        await self.ask(companies, [CompanyBarState.load])

    async def _on_told(self, account_id: str) -> None:
        """Every bell of this person rings, on whatever page."""
        await self._ring(tabs.of_user(UUID(account_id)))

    async def _on_export_changed(self, account_id: str) -> None:
        await self._show_export(tabs.of_user(UUID(account_id)))

    async def _show_export(self, tokens: Iterable[str]) -> None:
        """Where somebody watches their copy being made."""
        watching = [token for token in tokens if tabs.place_of(token) == exports.PAGE]
        await self.ask(watching, REFRESHES.get(exports.PAGE, ()))

    async def _on_details_changed(self, account_id: str) -> None:
        """The shop shows prices in another money, and settings what was corrected elsewhere."""
        for token in tabs.of_user(UUID(account_id)):
            place = tabs.place_of(token)
            if place == SETTINGS or tabs.role_of(token) in PLAYING_ROLES:
                await self.ask([token], REFRESHES.get(place, ()))

    async def _on_guardian_answered(self, account_id: str) -> None:
        """The card says it, and the page around it what waits no more, or again."""
        for token in tabs.of_user(UUID(account_id)):
            is_player = tabs.role_of(token) in PLAYING_ROLES
            own = REFRESHES.get(tabs.place_of(token), ()) if is_player else ()
            await self.ask([token], [GuardianState.load, *own])

    async def _ring(self, tokens: Iterable[str]) -> None:
        own = [token for token in tokens if tabs.role_of(token) in TOLD_ROLES]
        await self.ask(own, [BellState.load])

    async def _on_unlocked(self, account_id: str) -> None:
        """One of this player's tabs celebrates it: the first that is looked at."""
        own = tabs.of_user(UUID(account_id))
        players = [token for token in own if tabs.role_of(token) in PLAYING_ROLES]
        await self.ask(players, [MomentState.look])

    async def _on_taken_up(self, _key: str) -> None:
        """Sessions may have ended, coins and orders changed unheard: every tab looks again."""
        self.actors.forget_everybody()
        await self._ask_to_check_in(tabs.signed_in())
        for user_id in tabs.players():
            await self._on_own_change(str(user_id))
        await self._show_company(tabs.signed_in())
        await self._ring(tabs.signed_in())
        await self._show_export(tabs.signed_in())
        for token in tabs.signed_in():
            role = tabs.role_of(token)
            own = self.is_told.get((tabs.place_of(token), role), ()) if role else ()
            moments = [MomentState.look] if role in PLAYING_ROLES else []
            await self.ask([token], [*own, *moments])

    async def _lead_out(self, tokens: Iterable[str]) -> None:
        """Past whatever keeps these tabs busy: none waits until the others are emptied."""
        names, way_out = self.app.event_namespace, led_out()
        if names is None:
            return
        told = [names.emit_update(way_out, token) for token in self._connected(tokens)]
        for failure in filter(None, await asyncio.gather(*told, return_exceptions=True)):
            _log.error("tab.not_led_out", exc_info=failure)

    async def _ask_to_check_in(self, tokens: Iterable[str]) -> None:
        await self.ask(tokens, [AppState.check_in])

    async def ask(self, tokens: Iterable[str], handlers: Sequence[Any]) -> None:
        """Run passive handlers for these tabs, as if their pages had asked."""
        with self.app.set_contexts():
            for token in self._connected(tokens):
                for event in Event.from_event_type(list(handlers)):
                    await self.app.event_processor.enqueue(token, event)

    def _connected(self, tokens: Iterable[str]) -> list[str]:
        names = self.app.event_namespace
        if names is None:
            return []
        # What Reflex tells of sockets it gathers anew from all of them, each time it is asked.
        known = names._token_manager.token_to_socket  # pyright: ignore[reportPrivateUsage]

        def socket_of(token: str) -> str | None:
            record = known.get(token)
            return record.sid if record else None

        return tabs.on_their_sockets(tokens, socket_of)

    async def count_players(self) -> None:
        """Run for the life of a worker; tell the tabs when the number changes."""
        await rounds(self._count_once, service.TELL_EVERY.total_seconds(), "presence.not_counted")

    async def _count_once(self) -> None:
        names = self.app.event_namespace
        tabs.keep_only(names.token_to_sid if names else ())
        now = utc_now()
        try:
            async with transaction() as session:
                online = await service.players_online(
                    session, self.worker_id, tabs.players(), now=now
                )
        except Exception:
            estimated = self.estimate.at(now)
            if estimated is not None:
                await self._show_online(estimated)
            raise
        await self._show_online(online)
        await self.estimate.learn(now=now)

    async def _show_online(self, online: int) -> None:
        def show(state: AppState) -> None:
            state.players_online = online

        if tabs.note_online(online):
            await self.change(tabs.signed_in(), AppState, show)

    async def change(
        self, tokens: Iterable[str], kind: type[Shown], show: Callable[[Shown], None]
    ) -> None:
        """Change what these tabs show; a tab that is busy lets the others go first."""
        with self.app.set_contexts():
            changes = [self._change_one(token, kind, show) for token in self._connected(tokens)]
            outcomes = await asyncio.gather(*changes, return_exceptions=True)
        for failure in filter(None, outcomes):
            _log.error("tab.not_changed", state=kind.__name__, exc_info=failure)

    async def _change_one(
        self, token: str, kind: type[Shown], show: Callable[[Shown], None]
    ) -> None:
        async with self.app.modify_state(BaseStateToken(ident=token, cls=kind)) as state:
            show(await state.get_state(kind))
