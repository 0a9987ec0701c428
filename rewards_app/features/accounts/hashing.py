"""Password hashes: argon2id in a thread, at most two at once, the same time for everybody."""

import asyncio
import secrets
from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

_hasher = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1, type=Type.ID)
slots = asyncio.Semaphore(2)
"""Taken before a sign-in's first query, so that a storm of them holds no connections."""


async def hashed(password: str) -> str:
    async with slots:
        return await asyncio.to_thread(_hasher.hash, password)


async def matches(password: str, password_hash: str | None) -> bool:
    """Whether `password` made the hash. Without a hash it takes the same time to say no.

    The caller holds one of `slots`.
    """
    is_right = await asyncio.to_thread(_verify, password, password_hash or _hash_of_nobody())
    return is_right and password_hash is not None


def is_outdated(password_hash: str) -> bool:
    return _hasher.check_needs_rehash(password_hash)


def _verify(password: str, password_hash: str) -> bool:
    try:
        return _hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    return _hasher.hash(secrets.token_urlsafe(16))
