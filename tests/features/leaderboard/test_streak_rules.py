"""Days in a row: each the player's own, whatever clocks and zones do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.ads.days import Calendar, Day, day_at, told, turned
from rewards_app.features.leaderboard.streak_rules import OwnDays, Run, carried_on, gone_on

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STOCKHOLM = OwnDays(Calendar("Europe/Stockholm"))
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ZONES = (
    *("UTC", "Europe/Stockholm", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"),
    *("America/Havana", "Africa/Cairo", "Pacific/Kiritimati", "Pacific/Pago_Pago"),
)


def watched(*moments: datetime, days: OwnDays = STOCKHOLM) -> Run:
    run = None
    for moment in moments:
        run = gone_on(run, days, moment)
    assert run is not None
    return run


class TestGoneOn:
    def test_the_first_ad_makes_one_day(self):
        run = watched(NOON)
        assert (run.days, run.best) == (1, 1)

    def test_more_ads_of_a_day_change_nothing(self):
        assert watched(NOON, NOON + HOUR, NOON) == watched(NOON)

    def test_the_next_day_adds_one(self):
        assert watched(NOON, NOON + DAY, NOON + 2 * DAY).days == 3

    def test_a_day_without_an_ad_begins_anew_and_keeps_the_best(self):
        run = watched(NOON, NOON + DAY, NOON + 3 * DAY)
        assert (run.days, run.best) == (1, 2)

    def test_the_last_second_of_a_day_and_the_first_of_the_next_are_two_days(self):
        midnight = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
        assert watched(midnight - timedelta(seconds=1), midnight).days == 2

    def test_holds_until_the_following_day_is_over(self):
        assert watched(NOON).holds_until == datetime(2026, 11, 21, 23, 0, tzinfo=UTC)

    def test_an_ad_of_before_the_zone_changed_belongs_to_the_old_day(self):
        since = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
        run = watched(NOON - DAY)
        days = OwnDays(Calendar("America/New_York", since=since), Day(since, since + DAY))
        after = gone_on(run, days, NOON)
        assert (after.days, after.day.ends_at) == (2, since)


class TestCarriedOn:
    LIFTED = NOON + 5 * DAY

    def test_holds_until_the_day_after_the_lifting_is_over(self):
        run = carried_on(watched(NOON, NOON + DAY), STOCKHOLM, self.LIFTED)
        assert (run.days, run.day) == (2, watched(NOON + DAY).day)
        assert run.holds_until == datetime(2026, 11, 26, 23, 0, tzinfo=UTC)

    @pytest.mark.parametrize(("later", "days"), [(0, 3), (1, 3), (2, 1)])
    def test_goes_on_with_an_ad_of_that_day_or_the_next(self, later: int, days: int):
        run = carried_on(watched(NOON, NOON + DAY), STOCKHOLM, self.LIFTED)
        assert gone_on(run, STOCKHOLM, self.LIFTED + later * DAY).days == days

    def test_that_was_over_is_not_brought_back_by_another_zone(self):
        since = datetime(2026, 11, 27, 23, 0, tzinfo=UTC)
        days = OwnDays(Calendar("Europe/London", since=since), Day(since, since + DAY))
        assert carried_on(watched(NOON, NOON + DAY), days, self.LIFTED).holds_until <= since

    def test_is_never_shortened(self):
        run = watched(NOON + 6 * DAY)
        assert carried_on(run, STOCKHOLM, self.LIFTED - 4 * DAY) == run


@pytest.mark.parametrize("zone", ZONES)
class TestEveryZone:
    def test_a_whole_year_is_a_streak_of_its_days(self, zone: str):
        """Clocks go forward and back, some at midnight."""
        local = datetime(2026, 1, 1, 20, 30, tzinfo=ZoneInfo(zone))
        moments = [(local + n * DAY).astimezone(UTC) for n in range(365)]
        assert watched(*moments, days=OwnDays(Calendar(zone))).days == 365

    def test_a_day_left_out_is_noticed_on_every_day_of_the_year(self, zone: str):
        local = datetime(2026, 1, 1, 12, tzinfo=ZoneInfo(zone))
        for start in range(362):
            moments = [(local + (start + n) * DAY).astimezone(UTC) for n in (0, 2)]
            assert watched(*moments, days=OwnDays(Calendar(zone))).days == 1


@given(st.lists(st.tuples(st.sampled_from(ZONES), st.integers(1, 60)), min_size=1, max_size=40))
def test_changing_the_zone_buys_no_day(steps: list[tuple[str, int]]):
    """The zone may be told anew before every ad: days in a row still take their time."""
    calendar, known = Calendar("UTC"), day_at(Calendar("UTC"), NOON)
    first = moment = NOON
    run = gone_on(None, OwnDays(calendar, known), moment)
    for zone, hours in steps:
        moment += hours * HOUR
        calendar = turned(calendar, known, moment)
        known = day_at(calendar, moment)
        calendar = told(calendar, zone, is_first=False)
        run = gone_on(run, OwnDays(calendar, known), moment)
    assert (run.days - 1) * 23 * HOUR <= moment - first + 25 * HOUR


@given(st.lists(st.sampled_from(ZONES), min_size=1, max_size=30))
def test_changing_the_zone_costs_whoever_watches_every_six_hours_no_day(zones: list[str]):
    calendar, known = Calendar("UTC"), day_at(Calendar("UTC"), NOON)
    moment, run, began = NOON, gone_on(None, OwnDays(calendar, known), NOON), 0
    for zone in zones:
        for _ in range(4):
            moment += 6 * HOUR
            calendar = turned(calendar, known, moment)
            known = day_at(calendar, moment)
            run = gone_on(run, OwnDays(calendar, known), moment)
            began += run.days == 1 and run.best > 1
        calendar = told(calendar, zone, is_first=False)
    assert began == 0
