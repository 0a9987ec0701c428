"""Tabs that come back: the worker that they come to goes on with what they showed.

Reflex keeps on record which worker has a tab's socket, and takes a token that is on record for
another tab's copy: it gets a new token and an empty state. A worker that was killed takes nothing
off the record, and one that stops may be slower than the tabs that leave it. And whoever goes from
one network to another is back at once, while the old socket seems open for most of a minute.
"""

import asyncio
import pickle
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import reflex as rx
from redis.exceptions import RedisError
from reflex.app import EventNamespace
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate
from reflex.utils.token_manager import LostAndFoundRecord, RedisTokenManager
from socketio import AsyncServer

from rewards_app.core import live, reflex_events
from rewards_app.core.caller import caller_from
from rewards_app.core.sockets.frames import LONGEST_TOKEN, token_of

RETURNED = "tab_returned"
LOOKS = 6
SECONDS_BETWEEN_LOOKS = 0.2
"""So long a living worker is given to let a tab go; a copied tab waits as long, once."""
LOOKS_OF_WHO_IS_BACK = 40
"""Its worker was told to close the old socket, and does so: if it is that busy, eight seconds
later, and the page loses nothing of what it showed."""
LOOKS_TO_ASK_FOR_LIFE = 5
"""Each of them is an update to whoever has the tab."""

_is_back: ContextVar[bool] = ContextVar("is_back", default=False)


def take_over_tabs(app: rx.App) -> None:
    names, sockets = app.event_namespace, app.sio
    assert names
    assert sockets
    doorway = Doorway(names, sockets)
    meet = names.on_connect

    async def meet_again(sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        is_back = False
        if reflex_events.comes_back(auth):
            # Reflex says itself what it cannot ask.
            with suppress(RedisError, OSError):
                is_back = await doorway.make_room(sid, environ)
        before = _is_back.set(is_back)
        try:
            await meet(sid, environ, auth)
        finally:
            _is_back.reset(before)

    names.on_connect = meet_again
    live.on(RETURNED, doorway.hear)
    if isinstance(owners := doorway.owners, RedisTokenManager):
        take_over_from_the_dead(owners)


class Doorway:
    """The old socket of a page that is back is closed; that of a copied tab is not.

    A page that was opened tells what it was built with, a copied one too. And a token is no secret:
    whoever comes with it must be the same browser.
    """

    def __init__(self, names: EventNamespace, sockets: AsyncServer) -> None:
        self.names = names
        self.sockets = sockets
        self.owners = names._token_manager  # pyright: ignore[reportPrivateUsage]

    async def make_room(self, sid: str, environ: dict[str, Any]) -> bool:
        """Whether another worker was told to close the old socket."""
        token = token_of(environ)
        said = self.names._build_static_router_data(sid, environ)  # pyright: ignore[reportPrivateUsage]
        door = caller_from(said).door_hash
        if not (token and door) or len(token) > LONGEST_TOKEN:
            return False
        await self._close(token, door)
        if isinstance(owners := self.owners, RedisTokenManager):
            owner = await owners._get_token_owner(token, refresh=True)  # pyright: ignore[reportPrivateUsage]
            if owner and owner != owners.instance_id:
                live.announce(RETURNED, f"{token} {door} {owner}")
                # Who hears nothing of the others tells them nothing, either.
                return live.heard_by() is not None
        return False

    async def hear(self, key: str) -> None:
        token, door, owner = key.rsplit(" ", 2)
        if owner == self.owners.instance_id:
            await self._close(token, door)

    async def _close(self, token: str, door: str) -> None:
        owners, names = self.owners, self.names
        known = owners.token_to_socket.get(token)
        if known is None or known.instance_id != owners.instance_id:
            return
        said = names._static_router_data.get(known.sid)  # pyright: ignore[reportPrivateUsage]
        if said is None or caller_from(said).door_hash != door:
            return
        # Before its end is told: then it would be taken off the record after the new one is on it.
        if going := names.on_disconnect(known.sid):
            await going
        await self.sockets.disconnect(known.sid, namespace=names.namespace)


def take_over_from_the_dead(owners: RedisTokenManager) -> None:
    link = owners.link_token_to_sid

    async def take_over_and_link(token: str, sid: str) -> str | None:
        # Reflex says so itself, and goes on with what it knows.
        with suppress(RedisError, OSError):
            await _wait_until_free(owners, token)
        return await link(token, sid)

    owners.link_token_to_sid = take_over_and_link


async def _wait_until_free(owners: RedisTokenManager, token: str) -> None:
    for number in range(LOOKS_OF_WHO_IS_BACK if _is_back.get() else LOOKS):
        owner = await owners._get_token_owner(token, refresh=True)  # pyright: ignore[reportPrivateUsage]
        if owner is None:
            return
        asks = number % LOOKS_TO_ASK_FOR_LIFE == 0 and owner != owners.instance_id
        if asks and not await _lives(owners, owner, token):
            await _forget(owners, token)
            return
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


async def _lives(owners: RedisTokenManager, owner: str, token: str) -> bool:
    """Whether a worker hears what is sent to it: Redis knows at once when its connection is gone.

    What is sent is an update that changes nothing.
    """
    message = LostAndFoundRecord(token=token, update=StateUpdate())
    channel = f"channel:{owners._get_lost_and_found_key(owner)}"  # pyright: ignore[reportPrivateUsage]
    return bool(await owners.redis.publish(channel, pickle.dumps(message)))


async def _forget(owners: RedisTokenManager, token: str) -> None:
    """Its record, and the lock that it held if it died in the middle of an event of the tab."""
    known: Any = owners.token_to_socket.pop(token, None)
    if known:
        owners.sid_to_token.pop(known.sid, None)
    state = BaseStateToken(ident=token, cls=State)
    lock = StateManagerRedis._lock_key(state)  # pyright: ignore[reportPrivateUsage]
    await owners.redis.delete(owners._get_redis_key(token), lock)  # pyright: ignore[reportPrivateUsage]
