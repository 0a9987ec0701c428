"""Hashing passwords: the same work for everybody."""

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


class TestSlots:
    async def test_two_hash_at_once(self):
        assert hashing.slots._value == 2
