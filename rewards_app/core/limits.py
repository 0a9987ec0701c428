"""Rate limits: counted in this process, or in Redis when several workers share them.

Who is counted is kept as a fingerprint: addresses of people have no place in a cache.
"""

import time
from functools import lru_cache

from limits import RateLimitItem, RateLimitItemPerMinute, parse
from limits.aio.storage import RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from rewards_app.core.connections.silence import patience_with_redis
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.limits_in_memory import SweptStorage
from rewards_app.core.sealed import fingerprint
from rewards_app.core.settings import settings
from rewards_app.core.watching import storms

__all__ = [
    "RateLimitItem",
    "RateLimitItemPerMinute",
    "forget",
    "give_back",
    "is_used_up",
    "parse",
    "refuse_over",
    "spend",
    "spend_if_left",
]


class SharedStorage(RedisStorage):
    """Attempts counted in Redis, the newest first."""

    def __init__(self, url: str) -> None:
        super().__init__(f"async+{url}", implementation="redispy", **patience_with_redis(url))

    async def give_back(self, key: str) -> None:
        redis = self.bridge.get_connection()  # pyright: ignore[reportAttributeAccessIssue]
        await redis.lpop(self.bridge.prefixed_key(key))


@lru_cache(maxsize=1)
def _storage() -> SharedStorage | SweptStorage:
    url = settings().redis_url
    return SharedStorage(url) if url else SweptStorage()


@lru_cache(maxsize=1)
def _limiter() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(_storage())


async def refuse_over(limit: RateLimitItem, *who: str) -> None:
    """Raise TooManyAttempts when `who` has used up `limit`; does not count."""
    if await is_used_up(limit, *who):
        raise await _refusal(limit, *who)


async def is_used_up(limit: RateLimitItem, *who: str) -> bool:
    """Whether the next attempt of `who` would be refused; does not count."""
    return not await _limiter().test(limit, *_counted_as(*who))


async def spend(limit: RateLimitItem, *who: str) -> None:
    """Count one attempt of `who`, or raise TooManyAttempts."""
    if not await _limiter().hit(limit, *_counted_as(*who)):
        raise await _refusal(limit, *who)


async def spend_if_left(limit: RateLimitItem, *who: str) -> bool:
    """Count one attempt of `who` where `limit` has room for it, and tell whether it had.

    For what goes on without: nobody is refused, so many of them are no storm.
    """
    return await _limiter().hit(limit, *_counted_as(*who))


async def give_back(limit: RateLimitItem, *who: str) -> None:
    """What `who` spent last was no attempt of the kind that is counted."""
    await _storage().give_back(limit.key_for(*_counted_as(*who)))


async def forget(limit: RateLimitItem, *who: str) -> None:
    """A success clears what the failures before it counted."""
    await _limiter().clear(limit, *_counted_as(*who))


async def _refusal(limit: RateLimitItem, *who: str) -> TooManyAttempts:
    storms.note(storms.What.LIMITED, f"{who[0]}, {limit}", *who)
    return TooManyAttempts(seconds=await _wait(limit, *who))


async def _wait(limit: RateLimitItem, *who: str) -> int:
    stats = await _limiter().get_window_stats(limit, *_counted_as(*who))
    return max(1, round(stats.reset_time - time.time()))


def _counted_as(what: str, *who: str) -> tuple[str, str]:
    """The limit's name, and nothing that tells of whom: not even what else is found by them."""
    return what, fingerprint("\n".join(("limit", *who)))


def forget_everything() -> None:
    _limiter.cache_clear()
    _storage.cache_clear()
