"""Identifiers follow each other as what they name does."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from rewards_app.core import ids
from rewards_app.core.ids import first_id_since, id_at, id_from, may_be_ours, new_id

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


class TestNewId:
    def test_follows_the_one_before_it_within_one_millisecond(self, monkeypatch):
        monkeypatch.setattr(ids, "_latest", (0, 0))
        with time_machine.travel(NOON, tick=False):
            made = [new_id() for _ in range(2000)]
        assert made == sorted(made)
        assert len(set(made)) == len(made)
        assert first_id_since(NOON) <= made[0] < made[-1] < first_id_since(NOON + MILLISECOND)

    def test_is_of_its_moment_even_if_the_clock_was_put_back(self):
        with time_machine.travel(NOON, tick=False):
            new_id()
        with time_machine.travel(NOON - timedelta(days=1), tick=False):
            assert new_id() < first_id_since(NOON - timedelta(days=1) + MILLISECOND)

    def test_is_one_of_the_seventh_version(self):
        made = new_id()
        assert (made.version, made.variant) == (7, "specified in RFC 4122")

    def test_more_than_can_be_counted_are_different_still(self):
        with time_machine.travel(NOON, tick=False):
            assert len({new_id() for _ in range(10_000)}) == 10_000


def test_one_of_a_moment_lies_in_its_millisecond():
    made = id_at(NOON)
    assert first_id_since(NOON) <= made < first_id_since(NOON + MILLISECOND)
    assert made.version == 7


@pytest.mark.parametrize("told", ["", "me", "1" * 35, "g" * 36, "{" + "1" * 34 + "}", "1" * 37])
def test_what_is_no_identifier_names_nothing(told: str):
    assert id_from(told) is None


def test_an_identifier_is_read_as_it_is_written():
    made = new_id()
    assert id_from(str(made)) == made


class TestWhatMayBeOurs:
    def test_is_made_as_we_make_them(self):
        assert may_be_ours(str(new_id()))
        assert may_be_ours(str(id_at(NOON)))

    @pytest.mark.parametrize(
        "other", ["550e8400-e29b-41d4-a716-446655440000", "order 7", "", 7, None], ids=repr
    )
    def test_is_nothing_else(self, other: object):
        assert not may_be_ours(other)
