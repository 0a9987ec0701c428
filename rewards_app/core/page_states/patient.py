"""Reflex's own connections to Redis, which has pages' states, give up one that is gone in silence.

Reflex takes nothing but an address, and an address cannot say how long to wait.
"""

from redis.asyncio import Redis
from reflex.utils import prerequisites

from rewards_app.core.connections.silence import patience_with_redis
from rewards_app.core.settings import settings

_made_by_reflex = prerequisites.get_redis


def give_up_in_silence() -> None:
    """To be said before there is an app."""
    prerequisites.get_redis = _patient_redis


def _patient_redis() -> Redis | None:
    redis = _made_by_reflex()
    if redis:
        patience = patience_with_redis(settings().redis_url)
        redis.connection_pool.connection_kwargs.update(patience)
    return redis
