"""What is written down of an action, what it changed, and what may be asked for."""

import csv
import dataclasses
import json
from pathlib import Path
from uuid import UUID

import pytest

from rewards_app.core.errors import BadArguments
from rewards_app.features.audit import rules, sheet
from rewards_app.features.audit.rules import FIRST, Action, Change, Line, Origin
from tests.people import NOON

LOCALES = Path(__file__).parents[3] / "assets" / "locales" / "members"


def a_line(**changes: object) -> Line:
    known = {
        "number": 1,
        "created_at": NOON,
        "origin": Origin.PERSON.value,
        "actor_id": UUID(int=7),
        "actor_name": "Linnea",
        "action": Action.ROLE_CHANGED.value,
        "about": f"account:{UUID(int=9)}",
        "label": "Maja",
        "before": {"role": "player"},
        "after": {"role": "admin"},
        "reason": "She runs the shop now",
    }
    return Line(**(known | changes))  # pyright: ignore[reportArgumentType]


class TestTheChain:
    def test_gives_the_same_line_the_same_hash(self):
        assert rules.chained(FIRST, a_line()) == rules.chained(FIRST, a_line())

    def test_is_of_sha_256_and_the_same_in_every_version(self):
        # pragma: allowlist nextline secret
        known = "5d6732bcbd7a8370a275b6532f49993b1b6adc0d5620504d70d9cfbb2a8d0c5b"
        assert rules.chained(FIRST, a_line()) == known

    @pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Line)])
    def test_breaks_with_any_word_of_a_line(self, name: str):
        other = {
            "number": 2,
            "created_at": NOON.replace(microsecond=1),
            "actor_id": None,
            "before": {},
            "after": {"role": "player"},
        }.get(name, "something else")
        changed = a_line(**{name: other})
        assert rules.chained(FIRST, changed) != rules.chained(FIRST, a_line())

    def test_breaks_with_the_line_before(self):
        assert rules.chained("1" * 64, a_line()) != rules.chained(FIRST, a_line())

    def test_cannot_be_fooled_by_moving_words_from_one_field_to_the_next(self):
        first = a_line(label="Maja", reason="is kind")
        second = a_line(label="Maja is", reason="kind")
        assert rules.chained(FIRST, first) != rules.chained(FIRST, second)


class TestChanges:
    def test_name_only_what_is_another_now(self):
        before = {"role": "player", "asked_for_admin": False}
        after = {"role": "admin", "asked_for_admin": False}
        assert rules.changes_of(before, after) == [Change("role", "player", "admin")]

    def test_say_where_there_was_nothing_before_or_is_nothing_since(self):
        before, after = {"old": 1}, {"new": ["a", "b"], "is_demo": True}
        assert rules.changes_of(before, after) == [
            Change("old", "1", None),
            Change("new", None, "a, b"),
            Change("is_demo", None, "yes"),
        ]

    def test_write_out_what_lies_within(self):
        after = {"weights": {"first": 40, "each_more": 10}}
        assert rules.changes_of({}, after) == [Change("weights", None, "first: 40, each_more: 10")]


class TestASearch:
    def test_is_read_from_what_a_page_sends(self):
        found = rules.search_from("  maja ", "role_changed", str(UUID(int=7)), "account:x")
        assert found == rules.Search("maja", Action.ROLE_CHANGED, UUID(int=7), "account:x")

    def test_is_of_everything_where_nothing_is_asked_for(self):
        assert rules.search_from("", "", "", "") == rules.Search()
        assert rules.Search().values == {}

    def test_knows_who_did_what_no_person_did(self):
        assert rules.search_from("", "", "automation", "").by is Origin.AUTOMATION

    @pytest.mark.parametrize(
        "asked",
        [
            ("x" * 201, "", "", ""),
            ("a\0b", "", "", ""),
            ("", "deleted", "", ""),
            ("", "", "somebody", ""),
            ("", "", "' or 1=1 --", ""),
            ("", "", "", "x" * 121),
        ],
    )
    def test_that_no_page_sends_is_refused(self, asked: tuple[str, str, str, str]):
        with pytest.raises(BadArguments):
            rules.search_from(*asked)


class TestTheSheet:
    def test_runs_no_formula(self):
        line = a_line(label="=1+1", reason="@SUM(A1)", actor_name="+Linnea", about="-2")
        written = sheet.rows_of([(line, "abc")])
        for formula in ("=1+1", "@SUM(A1)", "+Linnea", "-2"):
            assert f"'{formula}" in written
            assert f",{formula}" not in written

    def test_has_as_many_columns_as_its_head_names(self):
        row = sheet.rows_of([(a_line(reason='a "quoted", word'), "abc")])
        assert len(next(csv.reader([row.strip()]))) == len(sheet.COLUMNS)

    def test_keeps_what_was_and_what_is_whole(self):
        row = sheet.rows_of([(a_line(after={"name": "Åsa"}), "abc")])
        assert '""name"": ""Åsa""' in row


@pytest.mark.parametrize("file", sorted(LOCALES.glob("*.json")), ids=lambda file: file.stem)
def test_every_action_has_its_words(file: Path):
    known = json.loads(file.read_text("utf-8"))
    assert [action for action in Action if f"audit.actions.{action}" not in known] == []
