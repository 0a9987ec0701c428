"""The gate before every event: deny by default, know who calls, check what they say."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Protocol, runtime_checkable
from uuid import UUID

import reflex as rx
import structlog
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event
from reflex_base.registry import RegistrationContext

from rewards_app.core import loads, reflex_events
from rewards_app.core.access import Access, access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller, caller_from
from rewards_app.core.errors import (
    AccountSuspended,
    BadArguments,
    DomainError,
    NeedsSecondFactor,
    NotAllowed,
    SessionEnded,
    SessionExpired,
    StorageAway,
)
from rewards_app.core.sealed import short_mark
from rewards_app.core.settings import settings
from rewards_app.core.watching import storms, watch

_log = structlog.get_logger(__name__)

FRESH_SECONDS = 4.0
"""How long a known session is believed without asking the database, if nothing is announced.

Also where an announcement was lost, who is signed out is out within five seconds."""

NOBODY = Caller()
current_caller: ContextVar[Caller] = ContextVar("current_caller", default=NOBODY)
current_actor: ContextVar[Actor | None] = ContextVar("current_actor", default=None)


WAS_SILENT: list[Callable[[str], Awaitable[bool]]] = []
"""Whether it was silence that ended a session; filled from above."""


async def loss_of(session_hash: str) -> SessionExpired:
    """The words for a session that is over: of silence only where there was some."""
    try:
        silent = [await was_silent(session_hash) for was_silent in WAS_SILENT]
    except StorageAway:
        return SessionExpired()
    return SessionExpired() if all(silent) else SessionEnded()


class Loss(Enum):
    """Whether somebody was signed in where nobody is now."""

    NONE = auto()
    NOW = auto()
    """Found out by this very event."""
    BEFORE = auto()


FindActors = Callable[[Collection[str]], Awaitable[Mapping[str, Actor]]]
Known = tuple[float, Actor | None]


@dataclass
class KnownActors:
    """Who stands behind a session, remembered for a moment: events come by the thousand.

    Whoever asks in the same turn of the loop asks together, and many tabs of one session once.
    """

    find: FindActors
    size: int = 20_000
    _known: OrderedDict[str, Known] = field(default_factory=OrderedDict)
    _asked: dict[str, asyncio.Future[Known | None]] = field(default_factory=dict)
    """Each is answered with None if something was announced meanwhile."""
    _gathered: dict[str, asyncio.Future[Known | None]] = field(default_factory=dict)
    """What is asked next, all of it together."""
    _asking: set[asyncio.Task[None]] = field(default_factory=set)

    async def actor_of(self, session_hash: str) -> Actor | None:
        if not session_hash:
            return None
        while True:
            known = self._known.get(session_hash)
            if known and time.monotonic() - known[0] < FRESH_SECONDS:
                return known[1]
            # Whoever stops waiting takes the answer from nobody else.
            told = await asyncio.shield(self._asked.get(session_hash) or self._ask(session_hash))
            if told:
                return told[1]

    def _ask(self, session_hash: str) -> asyncio.Future[Known | None]:
        if not self._gathered:
            asking = asyncio.create_task(self._ask_gathered())
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
        new: asyncio.Future[Known | None] = asyncio.get_running_loop().create_future()
        # What is not asked yet will be younger than whatever was announced.
        answer = self._asked[session_hash] = self._gathered.setdefault(session_hash, new)
        return answer

    async def _ask_gathered(self) -> None:
        asked, self._gathered = self._gathered, {}
        try:
            found = await self.find(asked)
        except Exception as failure:
            for session_hash, answer in asked.items():
                self._has_answered(session_hash, answer)
                answer.set_exception(failure)
            return
        for session_hash, answer in asked.items():
            told = (time.monotonic(), found.get(session_hash))
            # If something was announced meanwhile, what was read is older than that.
            is_true_still = self._has_answered(session_hash, answer)
            if is_true_still:
                self._remember(session_hash, told)
            answer.set_result(told if is_true_still else None)

    def _has_answered(self, session_hash: str, answer: asyncio.Future[Known | None]) -> bool:
        """Whether nothing was announced since it was asked; nobody else waits for this answer."""
        is_true_still = self._asked.get(session_hash) is answer
        if is_true_still:
            del self._asked[session_hash]
        return is_true_still

    def _remember(self, session_hash: str, told: Known) -> None:
        self._known[session_hash] = told
        self._known.move_to_end(session_hash)
        while len(self._known) > self.size:
            self._known.popitem(last=False)

    def forget(self, session_hash: str) -> None:
        self._known.pop(session_hash, None)
        self._asked.pop(session_hash, None)

    def forget_everybody(self) -> None:
        self._known.clear()
        self._asked.clear()

    def forget_user(self, user_id: UUID) -> None:
        stale = [
            key for key, (_, actor) in self._known.items() if actor and actor.user_id == user_id
        ]
        for key in stale:
            self.forget(key)
        # Whose the others are is not known before they are answered.
        self._asked.clear()


async def _note_nothing(state: BaseState, *, is_return: bool) -> None:
    """For an app without pages."""


class NoteOpening(Protocol):
    async def __call__(self, state: BaseState, *, is_return: bool) -> None: ...


class Refuse(Protocol):
    async def __call__(
        self, state: BaseState, error: DomainError, *, is_told: bool = True
    ) -> StateUpdate: ...


@runtime_checkable
class Listening(Protocol):
    """A state that wants to know what its page asked while nobody could tell who asks."""

    def _hear(self, handler: str, arguments: Mapping[str, Any]) -> None: ...


class Gate(rx.Middleware):
    """Runs before every handler, background ones too. Deny is the default."""

    def __init__(
        self,
        actors: KnownActors,
        *,
        meet: Callable[[BaseState, Caller, Actor | None], Awaitable[Loss]],
        keep_to_its_owner: Callable[[BaseState, Caller, str], Awaitable[None]],
        refuse: Refuse,
        note_activity: Callable[[Actor], Awaitable[None]],
        note_place: Callable[[Actor, Caller], None] = lambda actor, caller: None,
        note_opening: NoteOpening = _note_nothing,
    ) -> None:
        self.actors = actors
        self._meet = meet
        self._keep_to_its_owner = keep_to_its_owner
        self._refuse = refuse
        self._note_activity = note_activity
        self._note_place = note_place
        self._note_opening = note_opening

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        if not (event.router_data or state.router_data):
            # We ask something of a page of which nothing is known: whose it is comes with its own
            # next word.
            return StateUpdate()
        caller = caller_from(state.router_data)
        current_caller.set(caller)
        current_actor.set(None)
        try:
            actor = await self.actors.actor_of(caller.session_hash)
        except DomainError as failure:
            await self._keep_to_its_owner(state, caller, event.name)
            is_own = event.name in reflex_events.OWN
            return self._own(event) if is_own else await self._on_trouble(state, event, failure)
        current_actor.set(actor)
        watch.role.set(actor.role.value if actor else "visitor")
        # What we ask of a page ourselves comes without a route: it tells nothing of where it is.
        if actor and event.router_data:
            self._note_place(actor, caller)
        loss = await self._meet(state, caller, actor)
        if event.name in reflex_events.OWN:
            if reflex_events.is_opening(event):
                await self._note_opening(state, is_return=reflex_events.is_return(event))
            return self._own(event)
        access = _access_to(event.name)
        if access is None:
            _note("gate.undeclared", event, caller, actor)
            return StateUpdate()
        if not access.admits(actor):
            _note("gate.denied", event, caller, actor)
            return await self._on_denied(state, event, access, loss, caller.session_hash)
        if actor and not access.even_suspended and (refusal := _kept_from_acting(actor)):
            _log.info(f"gate.{refusal.code}", handler=_short(event.name), **_who(caller, actor))
            # What comes by itself is not worth a word: the page says why, or leads on.
            passes_over = access.is_passive
            return StateUpdate() if passes_over else await self._refuse(state, refusal)
        return await self._admit(state, event, access, actor)

    def _own(self, event: Event) -> StateUpdate | None:
        if reflex_events.is_sane(event):
            return None
        _note("gate.bad_own_event", event, current_caller.get(), current_actor.get())
        return StateUpdate()

    async def _admit(
        self, state: BaseState, event: Event, access: Access, actor: Actor | None
    ) -> StateUpdate | None:
        try:
            arguments = access.checked(event.payload)
            event.payload.update(arguments)
        except BadArguments as refusal:
            _note("gate.bad_arguments", event, current_caller.get(), actor)
            return await self._refuse(state, refusal)
        if actor and not access.is_passive:
            try:
                await self._note_activity(actor)
            except DomainError as failure:
                return await self._on_trouble(state, event, failure)
        return None

    async def _on_trouble(
        self, state: BaseState, event: Event, failure: DomainError
    ) -> StateUpdate:
        access = _access_to(event.name)
        is_told = access is None or not access.passes_over(failure)
        if access and not is_told:
            self._let_hear(state, event, access)
        return await self._refuse(state, failure, is_told=is_told)

    def _let_hear(self, state: BaseState, event: Event, access: Access) -> None:
        """Nobody can do it now; when it was said may count all the same."""
        path, _, handler = event.name.rpartition(".")
        found = state._get_root_state().get_substate(path.split("."))
        if isinstance(found, Listening):
            with suppress(BadArguments):
                found._hear(handler, access.checked(event.payload))

    async def _on_denied(
        self, state: BaseState, event: Event, access: Access, loss: Loss, session_hash: str
    ) -> StateUpdate:
        if loss is Loss.NONE:
            return await self._refuse(state, NotAllowed())
        if loss is Loss.NOW:
            return await self._refuse(state, await loss_of(session_hash))
        # The page is led away already. What it asks by itself until then is not worth a word.
        if access.is_passive or loads.is_named(event.name):
            return StateUpdate()
        refused = await self._refuse(state, await loss_of(session_hash))
        return StateUpdate(delta=refused.delta)


def lacks_second_factor(actor: Actor) -> bool:
    """An admin who does nothing before setting one up, where that is required."""
    is_bare = actor.role is Role.ADMIN and not actor.has_second_factor
    return is_bare and settings().requires_admin_factor


def _kept_from_acting(actor: Actor) -> DomainError | None:
    if actor.is_suspended:
        return AccountSuspended()
    return NeedsSecondFactor() if lacks_second_factor(actor) else None


def may_act(actor: Actor) -> bool:
    """For what is asked over HTTP, where no gate stands."""
    return _kept_from_acting(actor) is None


def may_administer(actor: Actor) -> bool:
    return actor.role is Role.ADMIN and may_act(actor)


def _note(what: str, event: Event, caller: Caller, actor: Actor | None) -> None:
    """No page of ours does that: it is logged, and counted in case it does not stop."""
    handler = _short(event.name)
    _log.warning(what, handler=handler, **_who(caller, actor))
    if event.name != reflex_events.REPORT:
        storms.note(storms.What.DENIED, handler, caller.session_hash if actor else caller.source)


def _short(name: str) -> str:
    """The last two parts of an event's name, without the modules before the state's own name."""
    state, _, handler = name.rpartition(".")
    return f"{state.rpartition('___')[2]}.{handler}"[:120]


def _access_to(name: str) -> Access | None:
    registered = RegistrationContext.get().event_handlers.get(name)
    return access_of(registered.handler.fn) if registered else None


def _who(caller: Caller, actor: Actor | None) -> dict[str, str]:
    return {
        "user_id": str(actor.user_id) if actor else "",
        "role": actor.role if actor else "visitor",
        "place": short_mark(caller.address),
    }
