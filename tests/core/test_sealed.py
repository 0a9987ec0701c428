"""Encryption at rest, and identifiers."""

import base64
import time

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from rewards_app.core import sealed
from rewards_app.core.ids import new_id
from rewards_app.core.sealing import Key, KeyMissing, Seal


class TestSealed:
    def test_opens_to_what_was_sealed(self):
        assert sealed.unseal(sealed.seal("+46 70 Ж")) == "+46 70 Ж"

    def test_is_by_aes_with_256_bits_in_gcm(self):
        head, _, closed = sealed.seal("Ж").rpartition(".")
        content = base64.urlsafe_b64decode(closed)
        [key] = sealed.opening_keys()
        assert len(key) == 32
        assert AESGCM(key).decrypt(content[:12], content[12:], f"{head}.".encode()).decode() == "Ж"

    def test_never_looks_the_same_twice(self):
        assert sealed.seal("+4670") != sealed.seal("+4670")

    def test_refuses_what_was_tampered_with(self):
        text = sealed.seal("+4670")
        with pytest.raises(InvalidTag):
            sealed.unseal(text[:-6] + ("A" * 5 if text[-6:-1] != "A" * 5 else "B" * 5) + text[-1])

    def test_opens_a_piece_of_a_file_at_its_place_only(self):
        piece = Seal.of(sealed.opening_keys()).seal_bytes(b"\x00\xff", b"file:7")
        assert sealed.unseal_bytes(piece, b"file:7") == b"\x00\xff"
        with pytest.raises(InvalidTag):
            sealed.unseal_bytes(piece, b"file:8")

    def test_hands_its_key_to_programs_that_know_no_settings(self):
        assert Seal.of(sealed.opening_keys()).unseal(sealed.seal("Ж")) == "Ж"


OLD, NEW, FOREIGN = (name.encode() * 32 for name in "onf")


class TestAnotherKey:
    def test_seals_while_the_one_before_still_opens(self):
        before, after = Seal.of([OLD]), Seal.of([NEW, OLD])
        assert after.unseal(before.seal("Ж")) == "Ж"
        assert after.unseal_bytes(before.seal_bytes(b"7", b"1"), b"1") == b"7"
        assert after.seal("Ж").startswith(after.head)
        assert Seal.of([NEW]).unseal(after.seal("Ж")) == "Ж"

    def test_is_named_where_it_is_missing(self):
        with pytest.raises(KeyMissing, match=Seal.of([OLD]).keys[0].name):
            Seal.of([NEW]).unseal(Seal.of([OLD]).seal("Ж"))
        with pytest.raises(InvalidTag):
            Seal.of([NEW]).unseal_bytes(Seal.of([OLD]).seal_bytes(b"7", b"1"), b"1")

    def test_opens_nothing_under_anothers_name(self):
        sealed_by_new = Seal.of([NEW]).seal("Ж")
        forged = Seal.of([OLD]).head + sealed_by_new.rpartition(".")[2]
        with pytest.raises(InvalidTag):
            Seal.of([NEW, OLD]).unseal(forged)

    def test_opens_what_was_sealed_before_keys_had_names(self):
        nameless = base64.urlsafe_b64encode(Key(OLD).close("Ж".encode(), None)).decode()
        piece = Key(OLD).close(b"1", b"place")
        both = Seal.of([NEW, OLD])
        assert both.unseal(nameless) == "Ж"
        assert both.unseal_bytes(piece, b"place") == b"1"
        with pytest.raises(InvalidTag):
            Seal.of([NEW, FOREIGN]).unseal(nameless)

    def test_tells_its_name_and_nothing_of_itself(self):
        assert Key(NEW).name not in (NEW + OLD).hex()
        assert Key(NEW).name != Key(OLD).name
        assert len(Key(NEW).name) == 8


class TestIdentifiers:
    def test_are_of_version_7(self):
        assert {new_id().version for _ in range(100)} == {7}

    def test_come_in_the_order_of_time(self):
        first = new_id()
        time.sleep(0.002)
        assert first < new_id()
