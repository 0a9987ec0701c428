"""Encryption at rest, and identifiers."""

import time

import pytest
from cryptography.exceptions import InvalidTag

from rewards_app.core import sealed
from rewards_app.core.ids import new_id


class TestSealed:
    def test_opens_to_what_was_sealed(self):
        assert sealed.unseal(sealed.seal("+46 70 Ж")) == "+46 70 Ж"

    def test_never_looks_the_same_twice(self):
        assert sealed.seal("+4670") != sealed.seal("+4670")

    def test_refuses_what_was_tampered_with(self):
        text = sealed.seal("+4670")
        with pytest.raises(InvalidTag):
            sealed.unseal(text[:-6] + ("A" * 5 if text[-6:-1] != "A" * 5 else "B" * 5) + text[-1])


class TestIdentifiers:
    def test_are_of_version_7(self):
        assert {new_id().version for _ in range(100)} == {7}

    def test_come_in_the_order_of_time(self):
        first = new_id()
        time.sleep(0.002)
        assert first < new_id()
