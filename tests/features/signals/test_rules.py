"""What a signal weighs, and when devices and clocks look wrong."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.signals import rules
from rewards_app.features.signals.rules import DEFAULT, HIGHEST_RISK, WEIGHTS, Policy, Rule, Weight

some_signals = st.lists(st.sampled_from(Rule), max_size=40)


def risk_of(signals: Iterable[Rule], policy: Policy = DEFAULT) -> int:
    return rules.risk_of_counts(Counter(signals), policy)


class TestRisk:
    def test_of_no_signal_is_nothing(self):
        assert risk_of([]) == 0

    @pytest.mark.parametrize("rule", Rule)
    def test_of_one_signal_is_its_first_weight(self, rule: Rule):
        assert risk_of([rule]) == WEIGHTS[rule].first

    @pytest.mark.parametrize("rule", Rule)
    def test_of_three_adds_the_weight_of_each_further_one(self, rule: Rule):
        expected = WEIGHTS[rule].first + 2 * WEIGHTS[rule].each_more
        assert risk_of([rule] * 3) == min(HIGHEST_RISK, expected)

    def test_of_different_signals_is_their_sum(self):
        assert risk_of([Rule.EARLY_COMPLETION, Rule.SHARED_DEVICE]) == 25

    @given(some_signals)
    def test_is_never_over_a_hundred_and_never_below_nothing(self, signals: list[Rule]):
        assert 0 <= risk_of(signals) <= HIGHEST_RISK

    @given(some_signals, st.sampled_from(Rule))
    def test_never_falls_by_another_signal(self, signals: list[Rule], more: Rule):
        assert risk_of([*signals, more]) >= risk_of(signals)

    @given(some_signals)
    def test_does_not_ask_which_came_first(self, signals: list[Rule]):
        assert risk_of(signals) == risk_of(signals[::-1])


class TestWeights:
    def test_are_there_for_every_rule(self):
        assert set(WEIGHTS) == set(Rule)

    def test_of_a_shared_device_never_grow_into_a_ground_by_themselves(self):
        assert risk_of([Rule.SHARED_DEVICE] * 100) < 90

    def test_of_one_mistake_are_far_from_a_suspension(self):
        assert max(weight.first for weight in WEIGHTS.values()) < 90 / 2

    def test_of_replays_and_forgeries_that_go_on_reach_a_suspension(self):
        for rule in (Rule.REPLAYED_COMPLETION, Rule.FOREIGN_SESSION, Rule.MADE_UP_SESSION):
            assert risk_of([rule] * 10) >= 90

    def test_are_written_down_as_they_are(self):
        written = (Path(__file__).parents[3] / "docs" / "fraud.md").read_text()
        for rule, weight in WEIGHTS.items():
            row = re.compile(rf"^\| {rule} \|.*\| {weight.first} \| {weight.each_more} \|$", re.M)
            assert row.search(written), rule


class TestDevices:
    @pytest.mark.parametrize(
        ("accounts", "is_shared"), [(0, False), (1, False), (3, False), (4, True)]
    )
    def test_are_shared_by_more_than_a_household(self, accounts: int, is_shared: bool):
        assert rules.is_shared(accounts) is is_shared


class TestClocks:
    @pytest.mark.parametrize(
        ("client", "server", "differ"),
        [
            (30, 30, False),
            (35, 30, False),
            (25, 30, False),
            (36, 30, True),
            (24, 30, True),
            (0, 3600, True),
        ],
    )
    def test_may_differ_by_five_seconds_either_way(self, client, server, differ):
        told, counted = timedelta(seconds=client), timedelta(seconds=server)
        assert rules.clocks_differ(told, counted) is differ

    @pytest.mark.parametrize(
        ("client", "differ"), [(30, False), (25, False), (24, True), (1265, False), (1266, True)]
    )
    def test_may_stand_still_while_nobody_answers(self, client: int, differ: bool):
        """A page whose end was heard at 30 seconds, and paid at 1260."""
        told, paid, heard = (timedelta(seconds=one) for one in (client, 1260, 30))
        assert rules.clocks_differ(told, paid, since=heard) is differ


def typed(**changes: tuple[object, object]) -> dict[str, tuple[object, object]]:
    """The weights as the code has them, as a form sends them, with what was typed instead."""
    given = {
        rule.value: (str(weight.first), str(weight.each_more)) for rule, weight in WEIGHTS.items()
    }
    return given | changes


class TestPolicies:
    def test_of_what_the_code_says_are_the_default(self):
        assert rules.policy_from(typed()) == rules.DEFAULT

    def test_weigh_what_was_typed(self):
        policy = rules.policy_from(typed(clockwork=("0", " 100 ")))
        assert policy[Rule.CLOCKWORK] == Weight(0, 100)
        assert policy.different_from(rules.DEFAULT) == [Rule.CLOCKWORK]
        assert risk_of([Rule.CLOCKWORK, Rule.CLOCKWORK], policy) == 100

    @pytest.mark.parametrize(
        "first",
        [
            "",
            "-1",
            "101",
            "1.5",
            "1e1",
            "ten",
            "٣",
            "²",
            "0x10",
            "1" * 400,
            "=1+1",
            None,
            1.5,
            True,
        ],
    )
    def test_with_anything_but_a_whole_number_in_its_range_are_refused(self, first: object):
        with pytest.raises(rules.WeightOutOfRange) as refusal:
            rules.policy_from(typed(early_completion=(first, "8")))
        assert refusal.value.params == {"field": "early_completion.first", "most": 100}

    @pytest.mark.parametrize("name", ["unknown", "", "__class__", "Early_Completion"])
    def test_with_a_rule_that_does_not_exist_are_refused(self, name: str):
        with pytest.raises(rules.NotEveryRule):
            rules.policy_from(typed(**{name: ("1", "1")}))

    def test_with_a_missing_rule_are_refused(self):
        given = typed()
        del given["clockwork"]
        with pytest.raises(rules.NotEveryRule):
            rules.policy_from(given)

    def test_of_a_wrong_clock_all_day_stay_below_a_high_risk(self):
        assert risk_of([Rule.CLOCK_MISMATCH] * 50) < rules.HIGH_RISK
