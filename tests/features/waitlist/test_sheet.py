"""The sheet of who waits: its columns, its name, and nothing that a spreadsheet would run."""

import csv
from datetime import UTC, date, datetime

import pytest

from rewards_app.core.ids import new_id
from rewards_app.features.waitlist.sheet import Waiting, heading, lines_of, name_of

LATE = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)


def read(*people: Waiting) -> list[dict[str, str]]:
    text = heading() + lines_of(people)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))


def a_person(email: str = "maja@example.com", *, notified: bool = False) -> Waiting:
    return Waiting(new_id(), email, LATE, notified, is_confirmed=True)


class TestTheSheet:
    def test_has_the_columns_of_the_specification(self):
        assert read(a_person(), a_person("emil@example.com", notified=True)) == [
            {"Email": "maja@example.com", "Datum": "2026-03-15", "Notifierad": "Nej"},
            {"Email": "emil@example.com", "Datum": "2026-03-15", "Notifierad": "Ja"},
        ]

    @pytest.mark.parametrize(
        "email", ["=cmd|' /c calc'!a0@x.se", "+1@x.se", "-1@x.se", "@sum(a1)@x.se", "＝1@x.se"]
    )
    def test_runs_nothing(self, email: str):
        assert read(a_person(email))[0]["Email"] == f"'{email}"

    def test_is_named_by_its_date(self):
        assert name_of(date(2026, 3, 14)) == "waitlist-2026-03-14.csv"
