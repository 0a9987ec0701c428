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


def kept(made: dict[datetime, str | None]) -> list[datetime]:
    return sorted(set(made) - rules.to_forget(made), reverse=True)


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
    def test_nor_is_it_after_a_pause(self, pause: int):
        before = [moment - pause * A_DAY for moment in nights(60)]
        for count in range(1, 20):
            made = of_one_schema([*before, *(NIGHT + n * A_DAY for n in range(count))])
            assert max(made) - min(kept(made)) < timedelta(days=30)

    def test_of_two_in_a_day_the_later_one_is_kept(self):
        earlier = NIGHT - timedelta(hours=1)
        assert rules.to_forget(of_one_schema([earlier, NIGHT])) == {earlier}

    def test_the_one_before_an_update_stays_beside_that_of_the_night_after_it(self):
        before_the_update = NIGHT - timedelta(hours=1)
        even_earlier = NIGHT - timedelta(hours=2)
        made = {even_earlier: "old", before_the_update: "old", NIGHT: "new"}
        assert rules.to_forget(made) == {even_earlier}

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
        assert rules.to_forget(of_one_schema(lone)) == set()


def test_a_night_without_a_backup_is_noticed():
    assert not rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=25))
    assert rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=27))
