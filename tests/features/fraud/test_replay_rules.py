"""Other weights on what was noticed: the same rules decide, and every account is compared."""

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.fraud import replay_rules, rules
from rewards_app.features.fraud.replay_rules import (
    Affected,
    Begun,
    Change,
    Hit,
    LastDay,
    Lifted,
    Noticed,
    Stopped,
)
from rewards_app.features.fraud.rules import PROVING, Consequence
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, Weight, counts_for
from tests.people import NOON

HOUR = timedelta(hours=1)
LONG_AGO = NOON - timedelta(days=30)
PAUSED, SUSPENDED = Consequence.EARNING_PAUSED, Consequence.ACCOUNT_SUSPENDED

some_signals = st.lists(
    st.builds(
        Noticed,
        st.integers(0, 100 * 3600).map(lambda seconds: NOON + timedelta(seconds=seconds)),
        st.sampled_from(Rule),
        st.sampled_from("abc"),
    ),
    max_size=60,
).map(lambda found: sorted(found, key=lambda one: one.at))


def forged(times: int, *, at: datetime = NOON) -> list[Noticed]:
    """So many made-up sessions, a second apart."""
    return [
        Noticed(at + timedelta(seconds=n), Rule.MADE_UP_SESSION, f"made up {n} at {at}")
        for n in range(times)
    ]


def hit(events, policy: Policy = DEFAULT, since: datetime = LONG_AGO) -> Hit | None:
    return replay_rules.hit_by(events, policy, since=since)


def stopped(events) -> tuple[Stopped, ...]:
    found = hit(events)
    return found.stopped if found else ()


class TestTheLastDay:
    @given(some_signals)
    def test_counts_as_if_it_were_counted_anew_each_time(self, signals: list[Noticed]):
        day = LastDay()
        for number, one in enumerate(signals):
            day.add(one)
            recent = [s for s in signals[: number + 1] if s.at >= one.at - counts_for(s.rule)]
            calls = Counter((s.rule, s.session) for s in recent if s.rule in PROVING)
            assert {r: n for r, n in day.counted.items() if n} == Counter(s.rule for s in recent)
            assert day.proofs == rules.proofs_of(calls)


class TestWhoIsHit:
    def test_is_nobody_without_signals(self):
        assert hit([]) is None

    def test_is_paused_first(self):
        at = NOON + timedelta(seconds=3)
        assert hit(forged(4)) == Hit(PAUSED, at, 85, ("made_up_session",), (Stopped(at),))

    def test_is_suspended_when_it_goes_on_and_stopped_since_the_pause(self):
        at = NOON + timedelta(seconds=3)
        assert hit(forged(5)) == Hit(SUSPENDED, at, 100, ("made_up_session",), (Stopped(at),))

    def test_is_nobody_whose_signals_lie_more_than_a_day_apart(self):
        signals = [one for day in range(4) for one in forged(1, at=NOON + day * 25 * HOUR)]
        assert hit(signals) is None

    def test_is_paused_who_runs_like_clockwork_again_a_little_later_the_next_day(self):
        signals = [Noticed(NOON + day * 25 * HOUR, Rule.CLOCKWORK, "") for day in range(2)]
        at = signals[-1].at
        assert hit(signals) == Hit(PAUSED, at, 70, ("clockwork",), (Stopped(at),))

    def test_is_nobody_who_runs_like_clockwork_every_third_day(self):
        signals = [Noticed(NOON + day * 49 * HOUR, Rule.CLOCKWORK, "") for day in range(4)]
        assert hit(signals) is None

    def test_is_nobody_who_was_hit_before_the_days_that_are_looked_at(self):
        assert hit(forged(6), since=NOON + HOUR) is None

    def test_is_forgiven_what_a_person_has_lifted(self):
        signals = forged(2)
        events = [*signals, Lifted(NOON + HOUR, PAUSED), *forged(2, at=NOON + 2 * HOUR)]
        assert hit(events) is None

    def test_is_hit_again_for_what_comes_after_that(self):
        events = [*forged(5), Lifted(NOON + HOUR, SUSPENDED), *forged(5, at=NOON + 2 * HOUR)]
        found = hit(events, since=NOON + 90 * timedelta(minutes=1))
        assert found is not None
        assert found.consequence is SUSPENDED

    def test_is_nobody_whom_a_person_stopped_already(self):
        assert hit([Begun(NOON - HOUR, PAUSED), *forged(4)]) is None
        assert hit([Begun(NOON - HOUR, SUSPENDED), *forged(6)]) is None

    def test_is_suspended_for_more_than_a_person_paused_them_for(self):
        found = hit([Begun(NOON - HOUR, PAUSED), *forged(5)])
        assert found is not None
        assert (found.consequence, found.at) == (SUSPENDED, NOON + timedelta(seconds=4))

    def test_is_hit_once_a_person_has_lifted_what_a_person_began(self):
        lifted = [Begun(NOON - 2 * HOUR, PAUSED), Lifted(NOON - HOUR, PAUSED)]
        assert hit([*lifted, *forged(4)]) == hit(forged(4))

    def test_is_stopped_until_a_person_lifts_all_of_it(self):
        lifted = [Lifted(NOON + HOUR, SUSPENDED), Lifted(NOON + 2 * HOUR, PAUSED)]
        begun = NOON + timedelta(seconds=3)
        assert stopped([*forged(5), *lifted[:1]]) == (Stopped(begun),)
        assert stopped([*forged(5), *lifted]) == (Stopped(begun, NOON + 2 * HOUR),)

    def test_is_stopped_anew_by_what_comes_after_that(self):
        again = NOON + 2 * HOUR
        events = [*forged(4), Lifted(NOON + HOUR, PAUSED), *forged(4, at=again)]
        seconds = timedelta(seconds=3)
        assert stopped(events) == (
            Stopped(NOON + seconds, NOON + HOUR),
            Stopped(again + seconds),
        )

    def test_depends_on_the_weights(self):
        mild = DEFAULT.with_weights({Rule.MADE_UP_SESSION: Weight(1, 1)})
        assert hit(forged(10), mild) is None


class TestComparing:
    @pytest.mark.parametrize(
        ("before", "after", "change"),
        [
            (Consequence.NONE, PAUSED, Change.NEWLY),
            (PAUSED, SUSPENDED, Change.HARDER),
            (SUSPENDED, PAUSED, Change.MILDER),
            (SUSPENDED, Consequence.NONE, Change.NO_LONGER),
            (PAUSED, PAUSED, Change.SAME),
        ],
    )
    def test_names_every_change(self, before, after, change):
        assert replay_rules.change_of(before, after) is change

    def test_adds_up_what_each_had_and_what_would_not_have_been_paid(self):
        one = Affected(None, Hit(PAUSED, NOON, stopped=(Stopped(NOON),)))
        one.add_view(15, NOON - HOUR)
        one.add_view(20, NOON + HOUR)
        assert (one.views, one.coins, one.later_views, one.later_coins) == (2, 35, 1, 20)
        counts = replay_rules.counts_of([one, Affected(Hit(SUSPENDED, NOON), None)])
        assert counts == dict.fromkeys(replay_rules.COUNTED, 0) | {
            "newly": 1,
            "no_longer": 1,
            "earning_paused": 1,
            "later_views": 1,
            "later_coins": 20,
        }

    def test_counts_what_came_after_a_person_lifted_it_as_paid(self):
        stopped = (Stopped(NOON, NOON + HOUR), Stopped(NOON + 3 * HOUR))
        one = Affected(None, Hit(PAUSED, NOON, stopped=stopped))
        for hours, coins in ((0.5, 1), (1, 10), (2, 100), (4, 1000)):
            one.add_view(coins, NOON + hours * HOUR)
        assert (one.later_views, one.later_coins) == (2, 1001)

    def test_lists_a_hundred_at_most_the_richest_first_and_only_changes(self):
        affected = {UUID(int=n): Affected(None, Hit(PAUSED, NOON), coins=n) for n in range(300)}
        affected[UUID(int=999)] = Affected(Hit(PAUSED, NOON), Hit(PAUSED, NOON), coins=9999)
        listed = replay_rules.listed(affected)
        assert [one.coins for _, one in listed] == list(range(299, 199, -1))
