"""A page and whoever is behind it: its state belongs to one session, and shows nobody else's."""

from typing import Any

import reflex as rx
from reflex.state import _ROUTER_FIELD_NAMES, BaseState, StateUpdate
from reflex_base.constants.state import FIELD_MARKER

from rewards_app.core import loads, tabs
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.errors import DomainError, NeedsSecondFactor, SessionExpired
from rewards_app.core.gate import Loss
from rewards_app.core.settings import settings
from rewards_app.core.state import SECOND_FACTOR, VISITOR, AppState

ENTER, ARRIVE = (f"{AppState.get_full_name()}.{handler}" for handler in ("enter", "arrive"))


async def meet(state: BaseState, caller: Caller, actor: Actor | None) -> Loss:
    """Empty a state that belongs to another session. Tells whether this tab has lost its own.

    The tab's token is no identity: whoever reconnects with it brings their own cookies,
    and finds nothing of whoever was there before. Visitors are told apart by their door.
    """
    app_state = await state.get_state(AppState)
    belongs_to = caller.session_hash if actor else ""
    tabs.remember(caller, actor)
    if not app_state._is_acquainted:
        await _begin(state, app_state)
        _acquaint(app_state, belongs_to, caller)
        return Loss.NONE
    is_same_browser = app_state._door_hash == caller.door_hash
    if app_state._session_hash == belongs_to and is_same_browser:
        return Loss.BEFORE if app_state._has_lost_session else Loss.NONE
    has_lost_session = bool(app_state._session_hash) and not belongs_to
    # The words of a sign-out are for whoever stays behind; whoever comes next has said nothing yet.
    await _empty(state, app_state, keeps_notice=is_same_browser and not belongs_to)
    _acquaint(app_state, belongs_to, caller)
    app_state._has_lost_session = has_lost_session and is_same_browser
    return Loss.NOW if has_lost_session else Loss.NONE


async def note_opening(state: BaseState, *, is_return: bool) -> None:
    """What is known of a page that returns may be older than what it shows: it is not here yet.

    A new one shows nothing, whatever came back before it: a page that is left may return once
    more, and be gone before it is found again.
    """
    app_state = await state.get_state(AppState)
    app_state._keep(_is_back=is_return)
    if is_return:
        app_state.visit = ""


async def keep_to_its_owner(state: BaseState, caller: Caller, handler: str) -> None:
    """While nobody can tell who calls: a page keeps what it shows, for the same cookies only.

    One that opens or is being filled has nothing to show; it is tried again where it has arrived.
    """
    app_state = await state.get_state(AppState)
    is_same_browser = app_state._door_hash == caller.door_hash
    if not app_state._is_acquainted:
        await _begin(state, app_state)
        app_state._show(None)
    elif app_state._session_hash not in ("", caller.session_hash) or not is_same_browser:
        await _empty(state, app_state, keeps_notice=False)
    if handler == ENTER:
        app_state._fail()
    elif handler == ARRIVE:
        app_state._arrive()
    elif loads.is_named(handler):
        app_state._miss()


def _acquaint(app_state: AppState, belongs_to: str, caller: Caller) -> None:
    app_state._is_acquainted = True
    app_state._session_hash = belongs_to
    app_state._door_hash = caller.door_hash


async def _begin(state: BaseState, app_state: AppState) -> None:
    """Redis forgets each part in its own time: nobody knows whose the others were.

    A worker's memory forgets all of them at once.
    """
    if not settings().redis_url:
        return
    await _whole(state)
    for part in app_state.substates.values():
        _reset(part)


async def _empty(state: BaseState, app_state: AppState, *, keeps_notice: bool) -> None:
    root = await _whole(state)
    language, is_hydrated = app_state.language, root.is_hydrated
    notice = app_state.notice if keeps_notice else {}
    _reset(root)
    app_state.language, root.is_hydrated, app_state.notice = language, is_hydrated, notice
    app_state._show(None)


async def _whole(state: BaseState) -> Any:
    """The root with all that belongs to it: from Redis an event has only what its handler needs."""
    root: Any = state._get_root_state()
    if not _has_all(root):
        await root._get_state_from_redis(type(root))
    return root


def _has_all(state: BaseState) -> bool:
    parts = state.substates.values()
    return len(parts) == len(type(state).get_substates()) and all(map(_has_all, parts))


def _reset(state: Any) -> None:
    """As Reflex's own `reset`, but what is as at the beginning is not sent again.

    A session may have hundreds of tabs, and all of them are emptied at the same moment.
    """
    owner = type(state)
    for name, field in owner.__fields__.items():
        is_own = field._owner is owner and name not in _ROUTER_FIELD_NAMES
        if is_own and state.get_value(name) != (beginning := field.default_value()):
            setattr(state, name, beginning)
    for part in state.substates.values():
        _reset(part)


def led_out() -> StateUpdate:
    """What ends all that a page shows of a person, before its state is emptied."""
    nothing = {"name": "", "email": "", "session": "", "needs_age": False, "is_suspended": False}
    values = {"role": VISITOR} | nothing
    delta = {f"{name}{FIELD_MARKER}": value for name, value in values.items()}
    events = rx.event.Event.from_event_type(rx.redirect("/landing", replace=True))
    return StateUpdate(delta={AppState.get_full_name(): delta}, events=events)


async def refuse(state: BaseState, error: DomainError, *, is_told: bool = True) -> StateUpdate:
    """Answer a refused event: a notice, and for an ended session the way out."""
    app_state = await state.get_state(AppState)
    if is_told:
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
