"""What open pages show is kept for as long as they are open.

Reflex forgets a page's state an hour after it changed last: in Redis each part of it by itself, and
first of all the part that knows whose page it is. Pages may be open for longer, and be used.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import reflex as rx
import structlog
from redis.exceptions import RedisError
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState, State
from reflex.utils.token_manager import TokenManager

from rewards_app.core.rounds import rounds

_log = structlog.get_logger(__name__)

LOOKS_IN_ITS_TIME = 3
"""So often a page is kept within the time after which it would be forgotten."""
AT_ONCE = 10
"""A worker does nothing else while it asks for these."""


async def keep_open_pages(app: rx.App) -> None:
    """Run for the life of a worker: each keeps the pages whose sockets it has."""
    manager: Any = app.state_manager
    names = app.event_namespace
    if names is None:
        return
    sockets = names._token_manager  # pyright: ignore[reportPrivateUsage]

    async def keep_once() -> None:
        await keep(manager, open_here(sockets))

    await rounds(keep_once, manager.token_expiration / LOOKS_IN_ITS_TIME, "pages.not_kept")


def open_here(sockets: TokenManager) -> list[str]:
    own = sockets.instance_id
    return [token for token, record in sockets.token_to_socket.items() if record.instance_id == own]


async def keep(manager: Any, tokens: Iterable[str]) -> None:
    """These pages were left by nobody: they are forgotten as late as if all had changed now."""
    if isinstance(manager, StateManagerMemory):
        for token in tokens:
            if token in manager.states:
                manager._track_token(_page(token))
    if isinstance(manager, StateManagerRedis):
        try:
            await _keep_in_redis(manager, tokens)
        except RedisError as failure:
            # They have two more tries.
            _log.warning("pages.not_kept", reason=type(failure).__name__)


async def _keep_in_redis(manager: StateManagerRedis, tokens: Iterable[str]) -> None:
    left = iter(tokens)
    while some := list(islice(left, AT_ONCE)):
        pipeline = manager.redis.pipeline(transaction=False)
        for key in (key for token in some for key in keys_of(token)):
            pipeline.expire(key, manager.token_expiration)
        await pipeline.execute()


def keys_of(token: str) -> list[str]:
    """Under which Redis has the parts of this page's state."""
    return list(map(_page(token)._state_key, _family(State)))


def _page(token: str) -> BaseStateToken:
    return BaseStateToken(ident=token, cls=State)


def _family(state: type[BaseState]) -> Iterator[type[BaseState]]:
    yield state
    for child in state.get_substates():
        yield from _family(child)
