"""Which backups are kept."""

from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.backups import rules

NIGHT = datetime(2026, 11, 22, 2, 10, tzinfo=UTC)
A_DAY = timedelta(days=1)


def nights(count: int) -> list[datetime]:
    return [NIGHT - n * A_DAY for n in range(count)]


def of_one_schema(made: list[datetime]) -> dict[datetime, str | None]:
    return dict.fromkeys(made, "old")


def forgotten(made: dict[datetime, str | None], *, now: datetime | None = None) -> set[datetime]:
    """Right after the last of them, unless it is said when."""
    return rules.to_forget(made, now=now or max(made))


def kept(made: dict[datetime, str | None], *, now: datetime | None = None) -> list[datetime]:
    return sorted(set(made) - forgotten(made, now=now), reverse=True)


class TestToForget:
    def test_keeps_a_week_of_nights_and_the_last_of_four_weeks(self):
        found = kept(of_one_schema(nights(60)))
        assert found[:7] == nights(7)
        assert [moment.isoweekday() for moment in found[7:]] == [7, 7, 7]

    def test_nothing_is_kept_for_more_than_thirty_days(self):
        for day in range(7):
            made = [moment + day * A_DAY for moment in nights(90)]
            assert max(made) - min(kept(of_one_schema(made))) < timedelta(days=30)

    @pytest.mark.parametrize("pause", [10, 25, 60])
    def test_nor_is_it_after_a_pause_from_the_second_night_on(self, pause: int):
        before = [moment - pause * A_DAY for moment in nights(60)]
        for count in range(2, 20):
            made = of_one_schema([*before, *(NIGHT + n * A_DAY for n in range(count))])
            assert max(made) - min(kept(made)) < timedelta(days=30)

    def test_of_two_in_a_day_the_later_one_is_kept(self):
        earlier = NIGHT - timedelta(hours=1)
        assert forgotten(of_one_schema([earlier, NIGHT])) == {earlier}

    def test_the_one_before_an_update_stays_beside_that_of_the_night_after_it(self):
        before_the_update = NIGHT - timedelta(hours=1)
        even_earlier = NIGHT - timedelta(hours=2)
        made = {even_earlier: "old", before_the_update: "old", NIGHT: "new"}
        assert forgotten(made) == {even_earlier}

    def test_the_one_before_an_update_goes_a_week_later(self):
        update = NIGHT - timedelta(days=3)
        before_it = update - timedelta(hours=1)
        for days_later, is_kept in ((6, True), (7, False)):
            made = {
                update + n * A_DAY: "old" if n < 0 else "new" for n in range(-9, days_later + 1)
            }
            assert (before_it in kept({**made, before_it: "old"})) is is_kept

    def test_updates_every_day_keep_none_for_more_than_thirty_days(self):
        made = {moment: str(moment) for moment in nights(90)}
        made |= {moment - timedelta(hours=1): str(moment - A_DAY) for moment in nights(90)}
        assert max(made) - min(kept(made)) < timedelta(days=30)

    def test_the_last_ones_stay_however_old_they_are(self):
        lone = [datetime(2020, 1, 1, tzinfo=UTC)]
        assert forgotten(of_one_schema(lone)) == set()


class TestAClockThatIsAhead:
    @pytest.mark.parametrize("days", [1, 29, 30, 31, 3650])
    def test_for_a_night_takes_the_place_of_one_backup_at_most(self, days: int):
        """Nobody knows yet that it is ahead: what it says is now."""
        ahead = NIGHT + days * A_DAY
        found = kept(of_one_schema([ahead, *nights(60)]))
        assert found[0] == ahead
        assert found[1:7] == nights(6)

    @pytest.mark.parametrize("nights_ahead", [1, 7, 20])
    def test_makes_nothing_old_once_it_is_right_again(self, nights_ahead: int):
        ahead = [NIGHT + (365 + n) * A_DAY for n in range(nights_ahead)]
        found = kept(of_one_schema([*ahead, *nights(60)]), now=NIGHT)
        assert [moment for moment in found if moment <= NIGHT] == kept(of_one_schema(nights(60)))

    def test_by_a_moment_is_none(self):
        assert not rules.is_ahead(NIGHT + timedelta(minutes=59), now=NIGHT)
        assert rules.is_ahead(NIGHT + timedelta(minutes=61), now=NIGHT)


def test_a_night_without_a_backup_is_noticed():
    assert not rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=25))
    assert rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=27))
