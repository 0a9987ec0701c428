"""What measurements mean."""

from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.features.health.rules import Level, database_level, uptime

NOON = datetime(2026, 3, 14, 12, 0, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


class TestTheDatabase:
    @pytest.mark.parametrize(
        ("latency_us", "level"),
        [
            (0, Level.HEALTHY),
            (1_000_000, Level.HEALTHY),
            (1_000_001, Level.WARNING),
            (9_000_000, Level.WARNING),
            (None, Level.ERROR),
        ],
    )
    def test_is_a_warning_above_a_second_and_an_error_without_an_answer(
        self, latency_us: int | None, level: Level
    ):
        assert database_level(latency_us) is level


class TestUptime:
    def test_is_the_share_of_minutes_with_a_sample(self):
        first = NOON - 9 * MINUTE
        assert uptime(10, first, now=NOON) == 1
        assert uptime(9, first, now=NOON) == 0.9

    def test_looks_back_thirty_days_at_most(self):
        minutes = 30 * 24 * 60
        assert uptime(minutes // 2, NOON - 300 * DAY, now=NOON) == pytest.approx(0.5, abs=1e-4)

    def test_of_a_new_installation_begins_with_its_first_sample(self):
        assert uptime(1, NOON - timedelta(seconds=30), now=NOON) == 1

    def test_without_any_sample_is_none(self):
        assert uptime(0, None, now=NOON) is None

    def test_is_all_of_thirty_days_with_a_sample_each_minute(self):
        minutes = 30 * 24 * 60
        assert uptime(minutes, NOON - 30 * DAY, now=NOON + timedelta(seconds=30)) == 1

    def test_is_never_more_than_all(self):
        assert uptime(100, NOON - MINUTE, now=NOON) == 1
