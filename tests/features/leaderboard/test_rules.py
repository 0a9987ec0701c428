"""Periods of the platform's days, ranks, and the way up."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.leaderboard import rules
from rewards_app.features.leaderboard.rules import Period, Standing, board_of, days_left

ALMOST_DECEMBER = datetime(2026, 11, 30, 22, 59, 59, tzinfo=UTC)
DECEMBER = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
"""Midnight in Stockholm, in winter."""


class TestBoardOf:
    @pytest.mark.parametrize(
        ("period", "now", "board"),
        [
            (Period.ALL, DECEMBER, "all"),
            (Period.MONTH, ALMOST_DECEMBER, "m:2026-11"),
            (Period.MONTH, DECEMBER, "m:2026-12"),
            (Period.WEEK, datetime(2026, 11, 22, 22, 59, tzinfo=UTC), "w:2026-11-16"),
            (Period.WEEK, datetime(2026, 11, 22, 23, 0, tzinfo=UTC), "w:2026-11-23"),
            (Period.WEEK, datetime(2027, 1, 1, 12, 0, tzinfo=UTC), "w:2026-12-28"),
        ],
    )
    def test_follows_the_days_of_stockholm_and_weeks_from_monday(
        self, period: Period, now: datetime, board: str
    ):
        assert board_of(period, now) == board

    @given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)))
    def test_boards_of_now_are_kept_and_began_after_what_is_kept(self, now: datetime):
        kept = rules.kept_boards(now)
        assert {board_of(period, now) for period in Period} <= set(kept)
        for period, since in rules.kept_since(now).items():
            assert board_of(period, since) in kept
            just_before = datetime.fromtimestamp(since.timestamp() - 1, UTC)
            assert board_of(period, just_before) not in kept


class TestDaysLeft:
    def test_counts_the_present_day(self):
        assert days_left(Period.MONTH, datetime(2026, 11, 22, 12, tzinfo=UTC)) == 9
        assert days_left(Period.MONTH, ALMOST_DECEMBER) == 1
        assert days_left(Period.MONTH, DECEMBER) == 31
        assert days_left(Period.WEEK, datetime(2026, 11, 22, 12, tzinfo=UTC)) == 1
        assert days_left(Period.WEEK, datetime(2026, 11, 23, 12, tzinfo=UTC)) == 7

    def test_all_time_has_no_end(self):
        assert days_left(Period.ALL, DECEMBER) is None


class TestPeriodFrom:
    @pytest.mark.parametrize("raw", ["", "year", "ALL", "week'--", "month\x00"])
    def test_anything_unknown_is_the_usual_one(self, raw: str):
        assert rules.period_from(raw) is Period.MONTH

    def test_knows_the_three(self):
        assert [rules.period_from(raw) for raw in ("week", "month", "all")] == list(Period)


class TestStanding:
    @pytest.mark.parametrize(
        ("rank", "players", "percent"), [(112, 1284, 9), (1, 1, 100), (1, 1000, 1), (3, 100, 3)]
    )
    def test_says_in_which_share_a_rank_is(self, rank: int, players: int, percent: int):
        assert Standing(rank, 15, 1, players).top_percent == percent

    def test_without_a_rank_is_in_no_share(self):
        assert Standing(None, 0, 0, 10).top_percent is None


class TestWayUp:
    def test_rounds_up_to_whole_ads_and_minutes(self):
        way = rules.way_up(76, coins_an_ad=14, seconds_an_ad=25, left_today=50)
        assert way == rules.WayUp(76, ads=6, minutes=3, days=0)

    @pytest.mark.parametrize(("missing", "days"), [(50, 0), (51, 1), (100, 1), (101, 2)])
    def test_past_todays_limit_is_tomorrow_or_takes_days(self, missing: int, days: int):
        way = rules.way_up(missing, coins_an_ad=1, seconds_an_ad=30, left_today=50)
        assert way.days == days

    @pytest.mark.parametrize(("left_in_sitting", "minutes"), [(None, 3), (6, 3), (5, 63), (0, 63)])
    def test_takes_the_young_their_breaks_as_well(self, left_in_sitting: int | None, minutes: int):
        way = rules.way_up(
            90, coins_an_ad=15, seconds_an_ad=30, left_today=50, left_in_sitting=left_in_sitting
        )
        assert (way.ads, way.minutes) == (6, minutes)

    def test_without_ads_left_today_is_tomorrow(self):
        assert rules.way_up(15, coins_an_ad=15, seconds_an_ad=30, left_today=0).days == 1


class TestAverage:
    def test_is_nothing_where_nobody_is(self):
        assert rules.BoardFigures(0, 0).average == 0

    def test_is_rounded(self):
        assert rules.BoardFigures(1284, 41_906).average == 33
        assert [rules.BoardFigures(2, ads).average for ads in (1, 3, 5)] == [1, 2, 3]
