"""Encryption at rest, and identifiers."""

import time

import pytest
from cryptography.exceptions import InvalidTag

from rewards_app.core import sealed
from rewards_app.core.ids import new_id
from rewards_app.core.sealing import Seal


class TestSealed:
    def test_opens_to_what_was_sealed(self):
        assert sealed.unseal(sealed.seal("+46 70 Ж")) == "+46 70 Ж"

    def test_never_looks_the_same_twice(self):
        assert sealed.seal("+4670") != sealed.seal("+4670")

    def test_refuses_what_was_tampered_with(self):
        text = sealed.seal("+4670")
        with pytest.raises(InvalidTag):
            sealed.unseal(text[:-6] + ("A" * 5 if text[-6:-1] != "A" * 5 else "B" * 5) + text[-1])

    def test_opens_a_piece_of_a_file_at_its_place_only(self):
        piece = sealed.seal_bytes(b"\x00\xff", b"file:7")
        assert sealed.unseal_bytes(piece, b"file:7") == b"\x00\xff"
        with pytest.raises(InvalidTag):
            sealed.unseal_bytes(piece, b"file:8")

    def test_hands_its_key_to_programs_that_know_no_settings(self):
        assert Seal(sealed.key()).unseal(sealed.seal("Ж")) == "Ж"


class TestIdentifiers:
    def test_are_of_version_7(self):
        assert {new_id().version for _ in range(100)} == {7}

    def test_come_in_the_order_of_time(self):
        first = new_id()
        time.sleep(0.002)
        assert first < new_id()
