"""What follows by itself from the signals of a day, and what never does."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.accounts.restriction_rules import GROUNDS
from rewards_app.features.fraud import rules
from rewards_app.features.fraud.rules import FORGED, PROVING, Consequence
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, Weight, risk_of_counts
from rewards_app.i18n.languages import CODES
from rewards_app.i18n.mail_text import words

some_counts = st.dictionaries(st.sampled_from(Rule), st.integers(1, 60))
some_proofs = st.dictionaries(st.sampled_from(sorted(FORGED)), st.integers(0, 5))


honest = pytest.mark.parametrize("rule", [Rule.SHARED_DEVICE, Rule.PARALLEL_SESSIONS])

PLENTY = {Rule.MADE_UP_SESSION: 9}


def heavy(rule: Rule) -> Policy:
    """One rule that alone weighs everything."""
    return DEFAULT.with_weights({rule: Weight(100, 100)})


class TestGrounds:
    @pytest.mark.parametrize("language", CODES)
    def test_have_words_for_every_rule_that_decides(self, language: str):
        counted = dict.fromkeys(Rule, 5)
        saw = rules.grounds_of(counted, counted, DEFAULT)
        assert set(saw) == set(Rule) - {Rule.SHARED_DEVICE, Rule.PARALLEL_SESSIONS}
        assert all(words(f"{GROUNDS}{rule}", language) for rule in saw)

    def test_name_what_weighs_most_first_and_nothing_that_weighs_nothing(self):
        counted = {Rule.CLOCK_MISMATCH: 1, Rule.IMPOSSIBLE_PACE: 3, Rule.REPLAYED_COMPLETION: 2}
        saw = rules.grounds_of(counted, {Rule.REPLAYED_COMPLETION: 0}, DEFAULT)
        assert saw == [Rule.IMPOSSIBLE_PACE, Rule.CLOCK_MISMATCH]


class TestConsequences:
    def test_of_nothing_are_none(self):
        assert rules.consequence_of({}, {}, DEFAULT) is Consequence.NONE

    @pytest.mark.parametrize(
        ("weight", "consequence"),
        [(69, Consequence.NONE), (70, Consequence.EARNING_PAUSED)],
    )
    def test_pause_earning_from_seventy_on(self, weight: int, consequence: Consequence):
        policy = DEFAULT.with_weights({Rule.IMPOSSIBLE_PACE: Weight(weight, 0)})
        assert rules.consequence_of({Rule.IMPOSSIBLE_PACE: 1}, {}, policy) is consequence

    @pytest.mark.parametrize(
        ("weight", "proofs", "consequence"),
        [
            (89, 3, Consequence.EARNING_PAUSED),
            (90, 2, Consequence.EARNING_PAUSED),
            (90, 3, Consequence.ACCOUNT_SUSPENDED),
        ],
    )
    def test_suspend_from_ninety_on_and_with_three_proofs(self, weight, proofs, consequence):
        policy = DEFAULT.with_weights({Rule.MADE_UP_SESSION: Weight(weight, 0)})
        counted, proven = {Rule.MADE_UP_SESSION: 1}, {Rule.MADE_UP_SESSION: proofs}
        assert rules.consequence_of(counted, proven, policy) is consequence

    @honest
    def test_never_come_of_what_honest_people_do_alone_whatever_it_weighs(self, rule: Rule):
        assert rules.consequence_of({rule: 50}, PLENTY, heavy(rule)) is Consequence.NONE

    @honest
    @given(counted=some_counts, proofs=some_proofs, weight=st.integers(0, 100))
    def test_are_the_same_with_and_without_it(self, rule: Rule, counted, proofs, weight):
        policy = DEFAULT.with_weights({rule: Weight(weight, weight)})
        alone = {other: times for other, times in counted.items() if other is not rule}
        assert rules.consequence_of(counted, proofs, policy) is rules.consequence_of(
            alone, proofs, policy
        )

    @given(some_counts)
    def test_without_proof_never_suspend(self, counted: dict[Rule, int]):
        too_few = {Rule.MADE_UP_SESSION: rules.PROOFS_TO_SUSPEND - 1}
        found = rules.consequence_of(counted, too_few, DEFAULT)
        assert found is not Consequence.ACCOUNT_SUSPENDED

    @given(some_counts, some_proofs)
    def test_are_none_below_a_high_risk(self, counted: dict[Rule, int], proofs: dict[Rule, int]):
        # No proof comes from nothing: there are at most as many as were noticed.
        proofs = {rule: min(times, counted.get(rule, 0)) for rule, times in proofs.items()}
        if risk_of_counts(counted) < rules.PAUSE_AT:
            assert rules.consequence_of(counted, proofs, DEFAULT) is Consequence.NONE


class TestProofs:
    @pytest.mark.parametrize(("times", "proofs"), [(0, 0), (1, 0), (2, 0), (3, 1), (10, 8)])
    def test_of_replays_begin_after_what_a_bad_connection_repeats(self, times: int, proofs: int):
        assert rules.proofs_in(Rule.REPLAYED_COMPLETION, times) == proofs

    @pytest.mark.parametrize("rule", sorted(FORGED))
    @pytest.mark.parametrize(("times", "proofs"), [(0, 0), (1, 1), (3, 1), (4, 2), (10, 8)])
    def test_of_a_forged_session_are_its_first_call_and_what_no_page_repeats(
        self, rule: Rule, times: int, proofs: int
    ):
        assert rules.proofs_in(rule, times) == proofs

    @pytest.mark.parametrize("rule", sorted(set(Rule) - PROVING))
    def test_are_nothing_else(self, rule: Rule):
        assert rules.proofs_in(rule, 100) == 0

    def test_of_different_sessions_add_up(self):
        calls = Counter({(Rule.MADE_UP_SESSION, "a"): 1, (Rule.MADE_UP_SESSION, "b"): 1})
        assert rules.proofs_of(calls) == {Rule.MADE_UP_SESSION: 2}

    def test_of_fifty_ads_each_sent_twice_again_are_none(self):
        calls = {(Rule.REPLAYED_COMPLETION, f"view {n}"): 2 for n in range(50)}
        counted = {Rule.REPLAYED_COMPLETION: 100}
        assert rules.proofs_of(calls).total() == 0
        assert rules.consequence_of(counted, rules.proofs_of(calls), DEFAULT) is Consequence.NONE

    def test_of_one_old_page_that_calls_again_are_too_few(self):
        calls = {(Rule.FOREIGN_SESSION, "the sister's"): 1 + rules.HONEST_REPEATS}
        assert rules.proofs_of(calls).total() < rules.PROOFS_TO_SUSPEND


class TestHonestHabits:
    """What somebody may do all day without being suspended, and mostly without being paused."""

    @pytest.mark.parametrize("times", [1, 25, 50])
    def test_a_wrong_clock_all_day_leads_to_nothing(self, times: int):
        assert rules.consequence_of({Rule.CLOCK_MISMATCH: times}, {}, DEFAULT) is Consequence.NONE

    @pytest.mark.parametrize("times", [1, 14, 50])
    def test_two_devices_all_day_lead_to_nothing(self, times: int):
        counted = {Rule.PARALLEL_SESSIONS: times, Rule.CLOCK_MISMATCH: 50, Rule.SHARED_DEVICE: 1}
        assert rules.consequence_of(counted, {}, DEFAULT) is Consequence.NONE

    def test_a_shared_phone_with_a_wrong_clock_leads_to_nothing(self):
        counted = {Rule.CLOCK_MISMATCH: 50, Rule.SHARED_DEVICE: 1}
        assert rules.consequence_of(counted, {}, DEFAULT) is Consequence.NONE

    def test_one_day_of_clockwork_leads_to_nothing_and_two_pause(self):
        assert rules.consequence_of({Rule.CLOCKWORK: 1}, {}, DEFAULT) is Consequence.NONE
        assert rules.consequence_of({Rule.CLOCKWORK: 2}, {}, DEFAULT) is Consequence.EARNING_PAUSED
