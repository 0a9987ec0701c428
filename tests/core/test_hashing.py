"""Hashing passwords: the same work for everybody."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import argon2
import pytest

from rewards_app.core import hashing
from tests.people import PASSWORD


@pytest.fixture
def work(monkeypatch) -> list[str]:
    """Every hash that is really computed."""
    computed: list[str] = []
    verify = argon2.PasswordHasher.verify

    def counting(self, password_hash: str, password: str) -> bool:
        computed.append(password_hash)
        return verify(self, password_hash, password)

    monkeypatch.setattr(argon2.PasswordHasher, "verify", counting)
    return computed


class TestMatches:
    async def test_knows_its_own_password(self):
        assert await hashing.matches(PASSWORD, await hashing.hashed(PASSWORD))

    async def test_knows_no_other(self):
        assert not await hashing.matches("another", await hashing.hashed(PASSWORD))

    @pytest.mark.parametrize("same", [8, 72, 100])
    async def test_looks_at_every_character(self, same: int):
        known = "Otter7-r" * 20
        password_hash = await hashing.hashed(known[:same] + "a")
        assert await hashing.matches(known[:same] + "a", password_hash)
        assert not await hashing.matches(known[:same] + "b", password_hash)
        assert not await hashing.matches(known[:same], password_hash)

    @pytest.mark.parametrize("other", [PASSWORD.lower(), PASSWORD.upper(), f" {PASSWORD} "])
    async def test_folds_and_strips_nothing(self, other: str):
        assert not await hashing.matches(other, await hashing.hashed(PASSWORD))

    async def test_works_as_hard_for_an_account_that_does_not_exist(self, work: list[str]):
        assert not await hashing.matches(PASSWORD, None)
        (computed,) = work
        assert computed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")

    @pytest.mark.parametrize("broken", ["", "not a hash", "$argon2id$v=19$broken"])
    async def test_a_broken_hash_opens_for_nobody(self, broken: str):
        assert not await hashing.matches(PASSWORD, broken)


class AtOnce:
    """How many hashes are being made or compared at the same time.

    The first ones wait until as many have come as are expected, however busy the machine is.
    """

    def __init__(self, *, expected: int) -> None:
        self.expected = expected
        self.running: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.most_of_all = 0
        self._counts = threading.Condition()

    def counts(self, what: str) -> Callable[..., Any]:
        real = getattr(argon2.PasswordHasher, what)

        def counted(*given: Any, **named: Any) -> Any:
            with self._counts:
                self.running[what] += 1
                self.most[what] = max(self.most[what], self.running[what])
                self.most_of_all = max(self.most_of_all, self.running.total())
                self._counts.notify_all()
                self._counts.wait_for(lambda: self.most_of_all >= self.expected, timeout=10)
            try:
                # Long enough for whoever may come beside it.
                time.sleep(0.05)
                return real(*given, **named)
            finally:
                with self._counts:
                    self.running[what] -= 1

        return counted


class TestSlots:
    async def test_what_has_a_connection_waits_for_nobody_who_waits_for_one(self):
        """Who signs in has a slot first, and asks for a connection then."""
        async with hashing.slots, hashing.slots:
            async with asyncio.timeout(10):
                kept = await hashing.hashed(PASSWORD)
                assert await hashing.hashed_like(PASSWORD, kept) == kept
                assert len(await hashing.hashed_alike([PASSWORD, "another"])) == 2

    async def test_three_hash_at_once(self, monkeypatch: pytest.MonkeyPatch):
        """Two who sign in, and one of those who have a connection already."""
        kept = await hashing.hashed(PASSWORD)
        at_once = AtOnce(expected=3)
        monkeypatch.setattr(argon2.PasswordHasher, "hash", at_once.counts("hash"))
        monkeypatch.setattr(argon2.PasswordHasher, "verify", at_once.counts("verify"))

        async def signs_in() -> None:
            async with hashing.slots:
                assert await hashing.matches(PASSWORD, kept)

        await asyncio.gather(
            *(signs_in() for _ in range(6)),
            *(hashing.hashed(f"{PASSWORD}{one}") for one in range(6)),
        )
        assert at_once.most == {"hash": 1, "verify": 2}
        assert at_once.most_of_all == 3
