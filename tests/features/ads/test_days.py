"""A player's own day: in every zone, over the nights when clocks change, and when the zone does."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rewards_app.features.ads import days
from rewards_app.features.ads.days import A_WHOLE_DAY, Calendar, Day

ZONES = (
    "UTC",
    "Europe/Stockholm",
    "America/New_York",
    "America/Havana",
    "America/Santiago",
    "America/Nuuk",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
)
FIXED_ZONES = ("UTC", "Asia/Kathmandu", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago")
HOUR = timedelta(hours=1)
TICK = timedelta(microseconds=1)

zones = st.sampled_from(ZONES)
moments = st.datetimes(datetime(2024, 1, 1), datetime(2032, 1, 1)).map(
    lambda naive: naive.replace(tzinfo=UTC)
)


def moment(text: str, zone: str = "UTC", *, fold: int = 0) -> datetime:
    """The moment at which clocks in `zone` show `text`; with `fold` the second time they do."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def staying(zone: str) -> Calendar:
    return Calendar(zone)


class TestEveryDay:
    @given(zones, moments)
    def test_holds_its_own_moment(self, zone: str, now: datetime):
        assert now in days.day_at(staying(zone), now)

    @given(zones, moments)
    def test_is_the_same_at_its_first_and_its_last_moment(self, zone: str, now: datetime):
        day = days.day_at(staying(zone), now)
        assert days.day_at(staying(zone), day.starts_at) == day
        assert days.day_at(staying(zone), day.ends_at - TICK) == day

    @given(zones, moments)
    def test_begins_where_the_one_before_ends(self, zone: str, now: datetime):
        day = days.day_at(staying(zone), now)
        assert days.day_at(staying(zone), day.ends_at).starts_at == day.ends_at
        assert days.day_at(staying(zone), day.starts_at - TICK).ends_at == day.starts_at

    @given(zones, moments)
    def test_lasts_from_23_to_25_hours(self, zone: str, now: datetime):
        day = days.day_at(staying(zone), now)
        assert 23 * HOUR <= day.ends_at - day.starts_at <= 25 * HOUR

    @given(zones, moments)
    def test_is_the_one_on_the_players_calendar(self, zone: str, now: datetime):
        day = days.day_at(staying(zone), now)
        dates = {days.local_date(zone, at) for at in (day.starts_at, now, day.ends_at - TICK)}
        assert len(dates) == 1
        assert days.local_date(zone, day.ends_at) not in dates

    @given(st.sampled_from(sorted(days._zones())), moments)
    def test_of_any_zone_on_earth_holds_its_moment_and_touches_the_next(self, zone, now):
        day = days.day_at(staying(zone), now)
        assert now in day
        assert days.day_at(staying(zone), day.ends_at).starts_at == day.ends_at

    def test_of_a_player_whose_browser_told_nothing_is_that_of_utc(self):
        now = moment("2026-03-14 23:59:59")
        assert days.day_at(Calendar(), now) == Day(moment("2026-03-14"), moment("2026-03-15"))

    @pytest.mark.parametrize("zone", ZONES)
    def test_of_two_years_comes_once_for_each_date(self, zone: str):
        day = days.day_at(staying(zone), moment("2026-01-01 12:00"))
        for _ in range(2 * 365):
            following = days.day_at(staying(zone), day.ends_at)
            today = days.local_date(zone, day.starts_at)
            assert days.local_date(zone, following.starts_at) == today + timedelta(days=1)
            day = following


NIGHTS = [
    # zone, a moment in the day, when it begins and ends in UTC: the night is in it
    ("Europe/Stockholm", "2026-03-29 12:00", "2026-03-28 23:00", "2026-03-29 22:00"),
    ("Europe/Stockholm", "2026-10-25 12:00", "2026-10-24 22:00", "2026-10-25 23:00"),
    ("America/New_York", "2026-03-08 12:00", "2026-03-08 05:00", "2026-03-09 04:00"),
    ("America/New_York", "2026-11-01 12:00", "2026-11-01 04:00", "2026-11-02 05:00"),
    # At midnight the clock goes on to one: the day begins with the jump.
    ("Africa/Cairo", "2026-04-24 12:00", "2026-04-23 22:00", "2026-04-24 21:00"),
    ("Africa/Cairo", "2026-10-29 12:00", "2026-10-28 21:00", "2026-10-29 22:00"),
    ("Asia/Beirut", "2026-03-29 12:00", "2026-03-28 22:00", "2026-03-29 21:00"),
    # At midnight the clock goes back to 23: the evening comes twice, the midnight once.
    ("Asia/Beirut", "2026-10-24 12:00", "2026-10-23 21:00", "2026-10-24 22:00"),
    ("America/Havana", "2026-03-08 12:00", "2026-03-08 05:00", "2026-03-09 04:00"),
    # At one the clock goes back to midnight: the day begins at the first of the two.
    ("America/Havana", "2026-11-01 12:00", "2026-11-01 04:00", "2026-11-02 05:00"),
    ("America/Santiago", "2026-09-06 12:00", "2026-09-06 04:00", "2026-09-07 03:00"),
    ("America/Nuuk", "2026-03-28 12:00", "2026-03-28 02:00", "2026-03-29 01:00"),
    # Half an hour only.
    ("Australia/Lord_Howe", "2026-10-04 12:00", "2026-10-03 13:30", "2026-10-04 13:00"),
    ("Australia/Lord_Howe", "2026-04-05 12:00", "2026-04-04 13:00", "2026-04-05 13:30"),
    ("Pacific/Chatham", "2026-04-05 12:00", "2026-04-04 10:15", "2026-04-05 11:15"),
    ("Pacific/Chatham", "2026-09-27 12:00", "2026-09-26 11:15", "2026-09-27 10:15"),
    ("Asia/Kathmandu", "2026-03-14 12:00", "2026-03-13 18:15", "2026-03-14 18:15"),
    ("Pacific/Kiritimati", "2026-03-14 12:00", "2026-03-13 10:00", "2026-03-14 10:00"),
    # Samoa crossed the date line: after the 29th came the 31st.
    ("Pacific/Apia", "2011-12-29 12:00", "2011-12-29 10:00", "2011-12-30 10:00"),
    ("Pacific/Apia", "2011-12-31 12:00", "2011-12-30 10:00", "2011-12-31 10:00"),
]


class TestNightsWhenClocksChange:
    @pytest.mark.parametrize(("zone", "noon", "begins", "ends"), NIGHTS)
    def test_the_day_begins_and_ends_at_its_own_midnights(self, zone, noon, begins, ends):
        day = days.day_at(staying(zone), moment(noon, zone))
        assert day == Day(moment(begins), moment(ends))

    @pytest.mark.parametrize(("zone", "noon", "begins", "ends"), NIGHTS)
    def test_the_moment_before_midnight_is_still_the_day_before(self, zone, noon, begins, ends):
        assert days.day_at(staying(zone), moment(begins) - TICK).ends_at == moment(begins)
        assert days.day_at(staying(zone), moment(ends)).starts_at == moment(ends)

    def test_the_hour_that_comes_twice_belongs_to_one_day(self):
        first = moment("2026-10-24 23:30", "Asia/Beirut", fold=0)
        second = moment("2026-10-24 23:30", "Asia/Beirut", fold=1)
        assert second - first == HOUR
        zone = staying("Asia/Beirut")
        assert days.day_at(zone, first) == days.day_at(zone, second)


class TestZones:
    @pytest.mark.parametrize("name", ZONES)
    def test_that_exist_are_known(self, name: str):
        assert days.is_zone(name)

    @pytest.mark.parametrize(
        "name", ["", "Mars/Olympus", "europe/stockholm", "../../etc/passwd", "UTC\0", "x" * 10_000]
    )
    def test_that_do_not_exist_are_not(self, name: str):
        assert not days.is_zone(name)


class TestAChangeOfZone:
    CHANGED = "2026-03-14 15:00"

    def test_counts_at_once_the_first_time(self):
        assert days.told(Calendar(), "Asia/Tokyo", is_first=True) == Calendar("Asia/Tokyo")

    def test_waits_for_the_end_of_the_day_later_on(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        now = moment(self.CHANGED)
        assert days.day_at(told, now) == days.day_at(staying("Europe/Stockholm"), now)

    def test_takes_effect_with_the_midnight_of_the_old_zone(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        day = days.day_at(told, moment(self.CHANGED))
        assert days.turned(told, day, day.ends_at - TICK) == told
        assert days.turned(told, day, day.ends_at) == Calendar("Asia/Tokyo", since=day.ends_at)

    def test_takes_effect_from_that_midnight_also_when_the_player_comes_back_later(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        day = days.day_at(told, moment(self.CHANGED))
        later = days.turned(told, day, day.ends_at + 10 * A_WHOLE_DAY)
        assert later == Calendar("Asia/Tokyo", since=day.ends_at)

    def test_that_is_taken_back_the_same_day_never_was(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        assert days.told(told, "Europe/Stockholm", is_first=False) == staying("Europe/Stockholm")

    def test_told_twice_the_later_one_counts(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        again = days.told(told, "Asia/Kathmandu", is_first=False)
        assert again.following == "Asia/Kathmandu"

    def test_told_again_changes_nothing(self):
        told = days.told(staying("Europe/Stockholm"), "Asia/Tokyo", is_first=False)
        assert days.told(told, "Asia/Tokyo", is_first=False) == told

    @given(zones, zones, moments)
    def test_makes_a_first_day_of_24_to_49_hours_that_ends_at_a_midnight(self, old, new, now):
        assume(old != new)
        since = days.day_at(staying(old), now).ends_at
        changed = Calendar(new, since=since)
        first = days.day_at(changed, since)
        assert first.starts_at == since
        assert A_WHOLE_DAY <= first.ends_at - since <= 49 * HOUR
        assert first.ends_at == days.day_at(staying(new), first.ends_at).starts_at

    @given(zones, zones, moments, st.timedeltas(timedelta(0), timedelta(days=5)))
    def test_leaves_no_moment_without_its_one_day(self, old, new, now, later):
        changed = Calendar(new, since=days.day_at(staying(old), now).ends_at)
        assert changed.since
        day = days.day_at(changed, changed.since + later)
        assert changed.since + later in day
        assert days.day_at(changed, day.ends_at).starts_at == day.ends_at
        assert days.day_at(changed, day.ends_at - TICK) == day


def ends_of_days(zone: str, journey: list[str], start: datetime, *, count: int) -> list[datetime]:
    """When the days of somebody end who tells the next zone of `journey` on each of them."""
    calendar, now, ends = staying(zone), start, []
    for number in range(count):
        day = days.day_at(calendar, now)
        assert now in day
        told = journey[number % len(journey)] if journey else zone
        calendar = days.told(calendar, told, is_first=False)
        assert days.day_at(calendar, now) == day, "telling a zone changes nothing today"
        now = day.ends_at
        calendar = days.turned(calendar, day, now)
        ends.append(now)
    return ends


class TestJourneys:
    """Every day has its 50 ads: whoever changes zones must not get more of them."""

    @given(
        st.sampled_from(FIXED_ZONES), st.lists(st.sampled_from(FIXED_ZONES), max_size=12), moments
    )
    def test_back_and_forth_give_no_more_days_than_staying(self, home, journey, start):
        staying_ends = ends_of_days(home, [], start, count=24)
        for stayed, travelled in zip(
            staying_ends, ends_of_days(home, journey, start, count=24), strict=True
        ):
            assert travelled >= stayed

    @given(zones, st.lists(zones, max_size=12), moments)
    def test_gain_nothing_but_the_hours_that_spring_takes_from_everybody(
        self, home, journey, start
    ):
        ends = ends_of_days(home, journey, start, count=24)
        hours_lost = sum(later - sooner < A_WHOLE_DAY for sooner, later in pairwise(ends))
        for number, end in enumerate(ends):
            assert end - ends[0] >= number * A_WHOLE_DAY - hours_lost * HOUR
        assert hours_lost <= 3

    def test_through_a_new_zone_every_day_take_more_than_a_day_each(self):
        journey = ["Pacific/Kiritimati", "Pacific/Pago_Pago"]
        ends = ends_of_days("Pacific/Pago_Pago", journey, moment("2026-03-14 12:00"), count=10)
        assert all(later - sooner >= A_WHOLE_DAY for sooner, later in pairwise(ends))
