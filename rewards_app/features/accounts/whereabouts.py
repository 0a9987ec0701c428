"""Sessions that are used from two places at once: noticed at each event, looked into soon after.

The event itself costs a comparison in this worker's memory; what differs is looked up in rounds.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.rounds import rounds
from rewards_app.core.sealed import fingerprints
from rewards_app.features.accounts import place_rules, session_repository
from rewards_app.features.accounts.devices import device_of
from rewards_app.features.accounts.place_rules import Place, place_of
from rewards_app.features.alerts import service as alerts
from rewards_app.models import AccountSession

MOVED = "session_moved"
"""Announced with the session's id: what other workers believe of its place is not true any more."""
LOOK_EVERY_SECONDS = 0.5
MOST_REMEMBERED = 50_000
MOST_AT_ONCE = 500
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class _Connection:
    place: Place
    since: datetime


@dataclass(frozen=True, slots=True)
class _Move:
    """A session seen elsewhere than this worker saw it last."""

    session_id: UUID
    here: _Connection
    address: str
    at: datetime
    tries: int = 0

    @property
    def key(self) -> tuple[UUID, Place]:
        return self.session_id, self.here.place


_connections: OrderedDict[str, _Connection] = OrderedDict()
_last: OrderedDict[UUID, Place] = OrderedDict()
_moves: dict[tuple[UUID, Place], _Move] = {}
_names: OrderedDict[str, Place] = OrderedDict()
"""The places behind the marks that this worker has made."""


def listen() -> None:
    live.on(MOVED, _forget)


async def _forget(session_id: str) -> None:
    _last.pop(UUID(session_id), None)


def note(actor: Actor, caller: Caller) -> None:
    """What came over a socket, not what we ask of its page: that tells nothing of where it is."""
    here = _connections.get(caller.socket) or _meet(caller)
    before = _last.get(actor.session_id)
    if before is here.place or before == here.place:
        return
    _keep(_last, actor.session_id, here.place)
    move = _Move(actor.session_id, here, caller.address, utc_now())
    _moves.setdefault(move.key, move)


def _meet(caller: Caller) -> _Connection:
    here = _Connection(place_of(caller.user_agent, caller.address), utc_now())
    _keep(_connections, caller.socket, here)
    return here


def _keep(known: OrderedDict[Any, Any], key: object, value: object) -> None:
    known[key] = value
    while len(known) > MOST_REMEMBERED:
        known.popitem(last=False)


async def keep_looking() -> None:
    """Run for the life of a worker."""
    await rounds(look_once, LOOK_EVERY_SECONDS, "whereabouts.not_looked")


async def look_once() -> None:
    """Some of those that were seen elsewhere, each in the order in which it moved."""
    moves = [_moves.pop(key) for key in list(_moves)[:MOST_AT_ONCE]]
    if not moves:
        return
    try:
        await _look_at(moves)
    except DomainError:
        _put_back(moves)
        raise
    except Exception:
        _put_back(_to_be_tried_again(moves))
        raise


def _to_be_tried_again(moves: list[_Move]) -> list[_Move]:
    """What fails each time, although the database is there, keeps nobody else waiting."""
    return [replace(move, tries=move.tries + 1) for move in moves if move.tries < MOST_TRIES - 1]


def _put_back(moves: list[_Move]) -> None:
    """Before those that came meanwhile."""
    later = dict(_moves)
    _moves.clear()
    _moves.update({move.key: move for move in moves})
    for key, move in later.items():
        _moves.setdefault(key, move)


async def _look_at(moves: list[_Move]) -> None:
    async with transaction() as session:
        marks = await session_repository.place_marks(session, {move.session_id for move in moves})
        moved = {m.session_id for m in moves if marks.get(m.session_id) not in _marks(m.here.place)}
        sessions = await session_repository.lock_sessions(session, moved)
        for move in moves:
            if known := sessions.get(move.session_id):
                await _look(session, known, move)


def _marks(place: Place) -> list[str]:
    """What is kept of a place: it tells places apart, and nobody where they are.

    The first is kept; by the others a place is known that was marked with a key of before.
    """
    marks = [f"{place.version}{mark[:63]}" for mark in fingerprints(str(place))]
    for mark in marks:
        _keep(_names, mark, place)
    return marks


async def _look(session: AsyncSession, known: AccountSession, move: _Move) -> None:
    marks, before = _marks(move.here.place), known.place_hash
    here = marks[0]
    at_sign_in = device_of(known.user_agent)
    is_other_browser = place_rules.is_other_browser(at_sign_in, move.here.place.device)
    # One home has addresses of both kinds, and a browser takes now this one, now that one.
    is_other_kind = before[:1] not in ("", here[:1])
    if before in marks or (is_other_kind and not is_other_browser):
        return
    if is_other_browser:
        await _alert(session, known, move, ", ".join(filter(None, at_sign_in)))
    elif known.place_before_hash in marks and place_rules.is_back_at_once(
        known.place_changed_at, move.here.since, move.at
    ):
        await _alert(session, known, move, str(_names.get(before, "?")))
    known.place_before_hash, known.place_hash = before, here
    known.place_changed_at = move.at
    session.add(known)
    if before:
        live.announce_after(session, MOVED, str(known.id))


async def _alert(session: AsyncSession, known: AccountSession, move: _Move, other: str) -> None:
    """The address only where the session's owner lets us note it: we cannot tell who is who."""
    await alerts.raise_alert(
        session,
        alerts.Kind.SESSION_IN_TWO_PLACES,
        about=f"session:{known.id}",
        account_id=known.account_id,
        address=move.address if known.ip_address else None,
        now=move.at,
        first=other,
        second=str(move.here.place),
    )


def forget() -> None:
    """For tests, which share one process."""
    for known in (_connections, _last, _moves, _names):
        known.clear()
