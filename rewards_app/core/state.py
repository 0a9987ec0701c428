"""AppState: what every page knows of the person who looks at it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import reflex as rx
import structlog
from redis.exceptions import RedisError
from reflex.event import EventSpec
from reflex.state import BaseState, StateUpdate
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event.context import EventContext

from rewards_app.core import access, routes, tabs
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.errors import (
    DomainError,
    NeedsSecondFactor,
    Param,
    SessionExpired,
    StorageAway,
    Unexpected,
)
from rewards_app.core.gate import current_actor, current_caller, lacks_second_factor
from rewards_app.core.ids import new_id
from rewards_app.i18n import languages

_log = structlog.get_logger(__name__)

VISITOR = "visitor"
ROUTES: dict[str, dict[routes.Audience, Sequence[Any]]] = {}
"""For each path, whom it is for and what then loads; filled from the page table."""
EVERYWHERE: dict[str, Sequence[Any]] = {}
"""For each role, what loads with every page: its frame shows it."""

SECOND_FACTOR = "/security?section=two-factor"
"""Where admins set one up before they do anything else, where that is required."""
EVEN_SUSPENDED: set[str] = set()
"""The paths whose pages a suspended account still sees."""
WHEN_SUSPENDED: list[Any] = []
"""What loads for a suspended account on every other path: why, and how to appeal."""


ON_LANGUAGE: list[Callable[[Actor, str], Awaitable[None]]] = []
"""What else happens when somebody who is signed in chooses a language."""


class AppState(rx.State):
    """The root of every state of ours: the actor, the language, the last notice.

    Few public vars on purpose: each is sent to every visitor.
    """

    role: str = ""
    """Empty until the session is known, then `visitor` or a Role."""
    name: str = ""
    email: str = ""
    is_missing: bool = False
    """There is no such page for this person."""
    language: str = rx.LocalStorage(languages.DEFAULT, name="language", sync=True)
    notice: dict[str, Any] = {}
    refusal: dict[str, Any] = {}
    """The last refusal, shown beside the form that met it."""
    is_busy: bool = False
    """A form of this page is being worked on."""
    door: str = ""
    """Where the whole document goes next: only HTTP can change the session's cookie."""
    players_online: int = 0
    needs_age: bool = False
    """This person must say when they were born before anything else."""
    is_suspended: bool = False
    """Of most pages this person sees only why, and how to appeal."""

    _session_hash: str = ""
    _door_hash: str = ""
    _is_acquainted: bool = False

    @property
    def _actor(self) -> Actor:
        """The person acting now; only handlers for signed-in people may ask."""
        actor = current_actor.get()
        if actor is None:
            raise SessionExpired
        return actor

    @property
    def _caller(self) -> Caller:
        return current_caller.get()

    @property
    def _language(self) -> str:
        return languages.known(self.language)

    @access.public(passive=True)
    async def enter(self):
        """Runs when any page opens: show who is here, or lead them where they belong."""
        self.refusal = {}
        actor = current_actor.get()
        self._show(actor)
        self.is_busy = False
        # This player may be newer than the last count.
        self.players_online = max(tabs.online(), 1) if actor and actor.is_player else tabs.online()
        path = _normal(self.router.url.path)
        tabs.show(self._caller.tab, path)
        loads = ROUTES.get(path, {})
        place = routes.where_to(path, actor.role if actor else None, loads)
        self.is_missing = isinstance(place, routes.NotFound)
        match place:
            case routes.GoTo(elsewhere):
                return rx.redirect(elsewhere, replace=True)
            case routes.Stay(audience) if self._must_add_factor(actor, path, audience):
                return rx.redirect(SECOND_FACTOR, replace=True)
            case routes.Stay() if self.is_suspended and path not in EVEN_SUSPENDED:
                return [*EVERYWHERE.get(self.role, ()), *WHEN_SUSPENDED]
            case routes.Stay(audience):
                return [*EVERYWHERE.get(self.role, ()), *loads[audience]]
            case routes.NotFound():
                _log.info("page.not_found", path=path[:200], role=self.role)
                return None

    @access.public(passive=True)
    async def check_in(self):
        """Called by the server when an account or a session changed: show what is true now."""
        actor = current_actor.get()
        was_suspended = self.is_suspended
        self._show(actor)
        if actor is None:
            return rx.redirect("/landing", replace=True)
        # The page shows something else now, and loads it.
        return AppState.enter if self.is_suspended != was_suspended else None

    @access.public()
    async def choose_language(self, code: str):
        self.language = languages.known(code)
        actor = current_actor.get()
        if actor:
            for keep in ON_LANGUAGE:
                await keep(actor, self.language)

    @access.public(passive=True)
    async def apologise(self):
        """Something broke on our side; the log has it, the person is told."""
        self._refuse(Unexpected())

    @access.signed_in(even_suspended=True)
    async def still_here(self):
        """The page saw activity: the gate notes it, and the session lives on."""

    def _must_add_factor(self, actor: Actor | None, path: str, audience: routes.Audience) -> bool:
        is_open_to_them = audience.visitors or path in EVEN_SUSPENDED
        return actor is not None and lacks_second_factor(actor) and not is_open_to_them

    def _show(self, actor: Actor | None) -> None:
        self.role = actor.role.value if actor else VISITOR
        self.name = actor.name if actor else ""
        self.email = actor.email if actor else ""
        self.needs_age = bool(actor and actor.needs_age)
        self._keep(is_suspended=bool(actor and actor.is_suspended))

    def _keep(self, **values: Any) -> None:
        """Only what is different is set: what is set is sent."""
        for name, value in values.items():
            if getattr(self, name) != value:
                setattr(self, name, value)

    def _notify(self, title: str, text: str, *, style: str = "default", **params: Param) -> None:
        """Show one toast; `title` and `text` are keys of the catalogue."""
        self.notice = {
            "id": str(new_id()),
            "style": style,
            "title": title,
            "text": text,
            "params": params,
        }

    def _refuse(self, error: DomainError) -> None:
        _log.info("refused", code=error.code, state=type(self).__name__)
        self.is_busy = False
        self.refusal = {"code": error.code, "text": error.text_key, "params": error.params}
        self._notify(error.title, error.text_key, style="destructive", **error.params)


def _normal(path: str) -> str:
    return path.rstrip("/") or "/"


async def meet(state: BaseState, caller: Caller, actor: Actor | None) -> bool:
    """Empty a state that belongs to another session. True when this tab's session has ended.

    The tab's token is no identity: whoever reconnects with it brings their own cookies,
    and finds nothing of whoever was there before. Visitors are told apart by their door.
    """
    app_state = await state.get_state(AppState)
    belongs_to = caller.session_hash if actor else ""
    tabs.remember(caller, actor)
    if not app_state._is_acquainted:
        _acquaint(app_state, belongs_to, caller)
        return False
    is_same_browser = app_state._door_hash == caller.door_hash
    if app_state._session_hash == belongs_to and is_same_browser:
        return False
    has_lost_session = bool(app_state._session_hash) and not belongs_to
    _empty(state, app_state, keeps_notice=is_same_browser)
    _acquaint(app_state, belongs_to, caller)
    return has_lost_session


async def keep_to_its_owner(state: BaseState, caller: Caller) -> None:
    """While nobody can tell who calls: a page keeps what it shows, for the same cookies only."""
    app_state = await state.get_state(AppState)
    is_same_browser = app_state._door_hash == caller.door_hash
    if app_state._session_hash not in ("", caller.session_hash) or not is_same_browser:
        _empty(state, app_state, keeps_notice=False)


def _acquaint(app_state: AppState, belongs_to: str, caller: Caller) -> None:
    app_state._is_acquainted = True
    app_state._session_hash = belongs_to
    app_state._door_hash = caller.door_hash


def _empty(state: BaseState, app_state: AppState, *, keeps_notice: bool) -> None:
    root: Any = state._get_root_state()
    language, is_hydrated = app_state.language, root.is_hydrated
    notice = app_state.notice if keeps_notice else {}
    root.reset()
    app_state.language, root.is_hydrated, app_state.notice = language, is_hydrated, notice
    app_state._show(None)


async def refuse(state: BaseState, error: DomainError) -> StateUpdate:
    """Answer a refused event: a notice, and for an ended session the way out."""
    app_state = await state.get_state(AppState)
    app_state._refuse(error)
    events = []
    if isinstance(error, SessionExpired):
        app_state.role = VISITOR
        events = rx.event.Event.from_event_type(rx.redirect("/landing", replace=True))
    if isinstance(error, NeedsSecondFactor):
        events = rx.event.Event.from_event_type(rx.redirect(SECOND_FACTOR))
    delta = await state._get_root_state()._get_resolved_delta()
    state._get_root_state()._clean()
    return StateUpdate(delta=delta, events=events)


def on_broken_handler(exception: Exception) -> EventSpec | None:
    """Reflex's own answer would be a script for the page to evaluate."""
    if isinstance(exception, RedisError):
        _log.error("states.away", reason=type(exception).__name__)
        _say_without_state(StorageAway())
        return None
    _log.error("handler.broke", exc_info=exception)
    apologise: Any = AppState.apologise
    return apologise()


def _say_without_state(error: DomainError) -> None:
    """Tell a page whose state cannot be reached; nothing of it is kept."""
    told = {"id": str(new_id()), "style": "destructive", "title": error.title}
    values = {"notice": told | {"text": error.text_key, "params": {}}, "is_busy": False}
    delta = {f"{name}{FIELD_MARKER}": value for name, value in values.items()}
    telling = asyncio.ensure_future(
        EventContext.get().emit_delta({AppState.get_full_name(): delta})
    )
    _being_told.add(telling)
    telling.add_done_callback(_being_told.discard)


_being_told: set[asyncio.Future[None]] = set()
