"""Tabs whose worker is gone: the worker that they come to goes on with what they showed.

Reflex keeps on record which worker has a tab's socket, and takes a token that is on record for
another tab's copy: it gets a new token and an empty state. A worker that was killed takes nothing
off the record, and one that stops may be slower than the tabs that leave it.
"""

import asyncio
import pickle
from contextlib import suppress
from typing import Any

import reflex as rx
from redis.exceptions import RedisError
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate
from reflex.utils.token_manager import LostAndFoundRecord, RedisTokenManager

LOOKS = 6
SECONDS_BETWEEN_LOOKS = 0.2
"""So long a living worker is given to let a tab go; a copied tab waits as long, once."""


def take_over_tabs(app: rx.App) -> None:
    names = app.event_namespace
    owners = names._token_manager if names else None  # pyright: ignore[reportPrivateUsage]
    if not isinstance(owners, RedisTokenManager):
        return
    link = owners.link_token_to_sid

    async def take_over_and_link(token: str, sid: str) -> str | None:
        # Reflex says so itself, and goes on with what it knows.
        with suppress(RedisError, OSError):
            await _wait_until_free(owners, token)
        return await link(token, sid)

    owners.link_token_to_sid = take_over_and_link


async def _wait_until_free(owners: RedisTokenManager, token: str) -> None:
    for _ in range(LOOKS):
        owner = await owners._get_token_owner(token, refresh=True)  # pyright: ignore[reportPrivateUsage]
        if owner is None:
            return
        if owner != owners.instance_id and not await _lives(owners, owner, token):
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
