"""What people type, hashed: argon2id in a thread, at most three at once, the same time for all."""

import asyncio
import os
import secrets
from base64 import b64decode
from collections.abc import Sequence
from functools import lru_cache

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type, hash_secret

_hasher = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1, type=Type.ID)
SALT = 16
slots = asyncio.Semaphore(2)
"""Taken before a sign-in's first query, so that a storm of them holds no connections."""
_slot_of_holders = asyncio.Semaphore(1)
"""For whoever may have a connection already. Nobody waits for anything while they have this: those
who have one of `slots` wait for a connection, and would wait for each other."""


async def hashed(password: str) -> str:
    async with _slot_of_holders:
        return await asyncio.to_thread(_hasher.hash, password)


async def matches(password: str, password_hash: str | None) -> bool:
    """Whether `password` made the hash. Without a hash it takes the same time to say no.

    The caller holds one of `slots`.
    """
    is_right = await asyncio.to_thread(_verify, password, password_hash or _hash_of_nobody())
    return is_right and password_hash is not None


async def hashed_alike(words: Sequence[str]) -> list[str]:
    """With one salt, their own: a guess is compared with all of them at the price of one."""
    salt = os.urandom(SALT)
    async with _slot_of_holders:
        return await asyncio.to_thread(lambda: [_hasher.hash(word, salt=salt) for word in words])


async def hashed_like(word: str, kept: str | None) -> str:
    """`word` with the salt and the costs of one of them; without one it takes the same time."""
    async with _slot_of_holders:
        return await asyncio.to_thread(_hash_like, word, kept or _hash_of_nobody())


def _hash_like(word: str, kept: str) -> str:
    costs, salt = extract_parameters(kept), kept.split("$")[-2]
    return hash_secret(
        word.encode("utf-8", "surrogatepass"),
        b64decode(salt + "=" * (-len(salt) % 4)),
        time_cost=costs.time_cost,
        memory_cost=costs.memory_cost,
        parallelism=costs.parallelism,
        hash_len=costs.hash_len,
        type=costs.type,
        version=costs.version,
    ).decode()


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
