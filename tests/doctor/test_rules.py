"""Figures of a deployment, on both sides of where they become wrong."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.core.postgres import embedded
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Kind, fine, is_anything_wrong, summary, worth_knowing, wrong

FINE, NOTE, WRONG = Kind.FINE, Kind.WORTH_KNOWING, Kind.WRONG
NIGHT = datetime(2026, 11, 22, 2, 10, tzinfo=UTC)
GIB = rules.GIB


class TestTheSheet:
    def test_is_wrong_by_one_line(self):
        assert is_anything_wrong([fine("A"), wrong("B")])

    def test_is_not_wrong_by_what_is_worth_knowing(self):
        assert not is_anything_wrong([fine("A"), worth_knowing("B")])

    def test_counts_its_lines(self):
        assert summary([fine("A"), wrong("B"), wrong("C")]) == "2 wrong, 0 worth knowing, 1 fine."

    def test_begins_each_line_with_its_kind(self):
        assert [str(one) for one in (fine("A."), worth_knowing("B."), wrong("C."))] == [
            *("fine   A.", "note   B.", "WRONG  C.")
        ]


@pytest.mark.parametrize(
    ("has", "kind"),
    [
        ({"is_own": True, "is_superuser": True, "is_owner": True}, FINE),
        ({"is_own": False, "is_superuser": True, "is_owner": True}, WRONG),
        ({"is_own": False, "is_superuser": False, "is_owner": True}, NOTE),
        ({"is_own": False, "is_superuser": False, "is_owner": False}, FINE),
    ],
)
def test_the_books_are_another_roles(has: dict[str, bool], kind: Kind):
    assert rules.database_role(**has, is_production=True).kind is kind
    assert rules.database_role(**has, is_production=False).kind is not WRONG


@pytest.mark.parametrize(
    ("number", "kind"), [(150004, FINE), (180001, FINE), (149999, WRONG), (190000, WRONG)]
)
def test_postgresql_15_is_the_oldest_and_18_the_newest(number: int, kind: Kind):
    assert rules.version(number).kind is kind


def test_the_newest_postgresql_is_that_of_the_programs_that_make_backups():
    program = [embedded.binary("pg_dump"), "--version"]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert f" {rules.NEWEST_POSTGRES}." in said


def test_letters_of_every_alphabet_are_kept():
    assert rules.encoding("UTF8") == []
    assert [one.kind for one in rules.encoding("SQL_ASCII")] == [WRONG]


@pytest.mark.parametrize(
    ("present", "is_known", "kind", "advice"),
    [
        ("new", True, FINE, "newest"),
        ("old", True, WRONG, "rewards migrate"),
        (None, False, WRONG, "rewards migrate"),
        (None, False, WRONG, "systemctl start watchcoins-migrate"),
        ("later", False, WRONG, "newer version"),
    ],
)
def test_the_schema_is_at_the_newest_migration(
    present: str | None, is_known: bool, kind: Kind, advice: str
):
    found = rules.revision(present, "new", is_known=is_known)
    assert (found.kind, advice in found.what) == (kind, True)


@pytest.mark.parametrize(
    ("allowed", "used", "workers", "kind"),
    [
        (100, 30, 1, FINE),
        (100, 95, 1, FINE),
        (100, 96, 1, WRONG),
        (70, 0, 2, FINE),
        (69, 0, 2, NOTE),
    ],
)
def test_connections_are_enough_for_every_worker(allowed: int, used: int, workers: int, kind: Kind):
    assert rules.connections(allowed, used, workers=workers).kind is kind


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("seconds", "kind"), [(0.2, FINE), (1.0, FINE), (1.1, NOTE), (5.0, NOTE), (5.1, WRONG)]
)
def test_clocks_agree(seconds: float, kind: Kind, sign: int):
    assert rules.clocks(timedelta(seconds=sign * seconds)).kind is kind


@pytest.mark.parametrize(
    ("free", "kind"),
    [(2 * GIB, FINE), (2 * GIB - 1, NOTE), (GIB // 4, NOTE), (GIB // 4 - 1, WRONG)],
)
def test_the_disk_has_room(free: int, kind: Kind):
    assert rules.disk(free, 20 * GIB, "data", "nothing works").kind is kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [("7.0.15", FINE), ("8.2", FINE), ("6.2.7", NOTE), ("", NOTE), ("unstable", NOTE)],
)
def test_redis_7_is_asked_for(said: str, kind: Kind):
    assert rules.redis_version(said).kind is kind


@pytest.mark.parametrize(
    ("policy", "most", "kind"),
    [
        ("noeviction", 100, FINE),
        ("noeviction", 0, NOTE),
        ("allkeys-lru", 0, NOTE),
        ("allkeys-lru", 100, WRONG),
        ("volatile-ttl", 100, WRONG),
    ],
)
def test_redis_throws_no_page_away(policy: str, most: int, kind: Kind):
    assert rules.redis_memory(policy, most, 50).kind is kind


@pytest.mark.parametrize(("used", "kind"), [(900, FINE), (901, WRONG), (1001, WRONG)])
def test_redis_has_room_for_more_pages(used: int, kind: Kind):
    assert rules.redis_memory("noeviction", 1000, used).kind is kind


@pytest.mark.parametrize(
    ("flags", "kinds"),
    [("g$sxeK", []), ("AKE", []), ("AE", [NOTE]), ("g$sK", [NOTE]), ("", [NOTE]), (None, [NOTE])],
)
def test_redis_tells_of_keys(flags: str | None, kinds: list[Kind]):
    assert [one.kind for one in rules.redis_notices(flags)] == kinds


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("watchcoins_before_20261024t021000", NOTE),
        ("watchcoins_before_20261024t020959", WRONG),
        ("watchcoins_before_the_move", NOTE),
        ("watchcoins_before_99999999t999999", NOTE),
    ],
)
def test_a_database_of_before_goes_within_a_month(name: str, kind: Kind):
    [found] = rules.databases_of_before([name], now=NIGHT)
    assert found.kind is kind
    assert f"'dropdb {name}' before the next base backup" in found.what


class TestTheSchedule:
    def test_that_never_ran_is_worth_knowing(self):
        assert [one.kind for one in rules.schedule(["a"], [], ran_ever=False)] == [NOTE]

    def test_names_each_job_that_is_late_or_failed(self):
        found = rules.schedule(["ads.sweep"], ["coins.expire"], ran_ever=True)
        assert [one.kind for one in found] == [WRONG, NOTE]
        assert "ads.sweep" in found[0].what
        assert "coins.expire" in found[1].what

    def test_is_fine_where_none_is(self):
        assert [one.kind for one in rules.schedule([], [], ran_ever=True)] == [FINE]


@pytest.mark.parametrize(("apart", "below", "kind"), [(0, 0, FINE), (-1, 0, WRONG), (0, 1, WRONG)])
def test_the_ledger_adds_up(apart: int, below: int, kind: Kind):
    assert rules.ledger(apart, below).kind is kind


@pytest.mark.parametrize(
    ("accounts", "codes", "is_production", "kind"),
    [(0, 0, True, FINE), (1, 0, True, WRONG), (0, 1, True, WRONG), (4, 9, False, NOTE)],
)
def test_demo_data_has_no_place_in_production(
    accounts: int, codes: int, is_production: bool, kind: Kind
):
    assert rules.demo(accounts, codes, is_production=is_production).kind is kind


class TestBackups:
    def test_none_is_wrong(self):
        [found] = rules.backup(None, None, now=NIGHT)
        assert found.kind is Kind.WRONG
        assert "mount its disk" in found.what

    def test_of_last_night_that_was_proven_is_fine(self):
        [found] = rules.backup(NIGHT, NIGHT, now=NIGHT + timedelta(hours=20))
        assert found == fine("The last backup is 20 hours old.")

    def test_of_the_night_before_is_wrong_and_one_never_restored_worth_knowing(self):
        old, unproven = rules.backup(NIGHT, None, now=NIGHT + timedelta(hours=30))
        assert old.kind is Kind.WRONG
        assert "30 hours" in old.what
        assert "rewards backup verify" in unproven.what


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, [FINE]),
        ({"is_failing": True}, [WRONG]),
        ({"has_kept": False}, [NOTE]),
        ({"has_kept": False, "is_failing": True}, [WRONG]),
        ({"was_restored": True}, [FINE]),
        ({"is_on": False}, []),
        ({"is_on": False, "was_restored": True}, [WRONG]),
    ],
)
def test_the_log_is_kept_for_a_point_in_time(changes: dict[str, bool], kinds: list[Kind]):
    as_it_should_be = {"is_on": True, "is_failing": False, "has_kept": True, "was_restored": False}
    assert [one.kind for one in rules.archive(**as_it_should_be | changes)] == kinds
