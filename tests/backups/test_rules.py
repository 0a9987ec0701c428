"""Which backups are kept."""

from datetime import UTC, datetime, timedelta

from rewards_app.backups import rules

NIGHT = datetime(2026, 11, 22, 2, 10, tzinfo=UTC)
A_DAY = timedelta(days=1)


def nights(count: int) -> list[datetime]:
    return [NIGHT - n * A_DAY for n in range(count)]


def kept(made: list[datetime]) -> list[datetime]:
    return sorted(set(made) - rules.to_forget(made), reverse=True)


class TestToForget:
    def test_keeps_a_week_of_nights_and_the_last_of_four_weeks(self):
        found = kept(nights(60))
        assert found[:7] == nights(7)
        assert [moment.isoweekday() for moment in found[7:]] == [7, 7, 7]

    def test_nothing_is_kept_for_more_than_thirty_days(self):
        for day in range(7):
            made = [moment + day * A_DAY for moment in nights(90)]
            assert max(made) - min(kept(made)) < timedelta(days=30)

    def test_of_two_in_a_day_the_later_one_is_kept(self):
        earlier = NIGHT - timedelta(hours=1)
        assert rules.to_forget([earlier, NIGHT]) == {earlier}

    def test_the_last_ones_stay_however_old_they_are(self):
        lone = [datetime(2020, 1, 1, tzinfo=UTC)]
        assert rules.to_forget(lone) == set()


def test_a_night_without_a_backup_is_noticed():
    assert not rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=25))
    assert rules.is_too_old(NIGHT, now=NIGHT + timedelta(hours=27))
