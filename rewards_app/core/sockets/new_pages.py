"""Pages that open for the first time: one address brings so many in an hour, and no more.

Whoever opens a socket names its page, and what is kept of one that was never heard of before stays
for an hour after it has gone. Nobody needs an account for that.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Any

import reflex as rx
import structlog
from redis.exceptions import RedisError
from reflex.istate.manager.redis import StateManagerRedis
from socketio.exceptions import ConnectionRefusedError

from rewards_app.core import limits
from rewards_app.core.caller import caller_from
from rewards_app.core.limits import parse
from rewards_app.core.page_states.open_pages import keys_of
from rewards_app.core.settings import settings
from rewards_app.core.watching import storms

_log = structlog.get_logger(__name__)

NEW_PAGES = parse("6000/hour")
"""A school of a thousand behind one address opens a page anew for each of its lessons."""
LIMIT = "pages.new"


def limit_new_pages(app: rx.App) -> None:
    """A page that is known comes in without being counted: one that is back, or loaded anew.

    It is looked for as the socket opens, and never by what the page does then. One that is refused
    tries again by itself, every two seconds in the end.
    """
    names, sockets = app.event_namespace, app.sio
    assert names
    assert sockets
    owners = names._token_manager  # pyright: ignore[reportPrivateUsage]
    link = owners.link_token_to_sid

    async def link_and_count(token: str, sid: str) -> str | None:
        copied_as = await link(token, sid)
        # Whose page is open elsewhere gets another, which nobody can have heard of.
        if copied_as or not await _is_kept(app.state_manager, token):
            environ: Any = sockets.get_environ(sid, names.namespace)
            said = names._build_static_router_data(sid, environ)  # pyright: ignore[reportPrivateUsage]
            if not await _may_open(caller_from(said).source):
                await owners.disconnect_token(copied_as or token, sid)
                raise ConnectionRefusedError
        return copied_as

    owners.link_token_to_sid = link_and_count


async def _is_kept(manager: Any, token: str) -> bool:
    """Redis forgets each part of a page by itself."""
    if isinstance(manager, StateManagerRedis):
        # Who cannot be asked keeps nothing new, either.
        with suppress(RedisError, OSError):
            return bool(await manager.redis.exists(*keys_of(token)))
        return True
    return token in manager.states


async def _may_open(source: str) -> bool:
    """Without saying how long to wait: to find that out takes longer than to refuse.

    An address that everybody has would soon be refused to everybody.
    """
    if not settings().tells_visitors_apart:
        _say_that_nobody_counts()
        return True
    with suppress(RedisError, OSError):
        if not await limits.spend_if_left(NEW_PAGES, LIMIT, source):
            storms.note(storms.What.LIMITED, LIMIT, LIMIT, source)
            return False
    return True


@lru_cache(maxsize=1)
def _say_that_nobody_counts() -> None:
    """Once for each worker."""
    _log.warning("pages.not_counted", reason="PUBLIC_URL is https, TRUSTED_PROXY_HOPS is 0")
