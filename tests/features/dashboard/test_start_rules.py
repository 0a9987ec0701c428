"""Which of the first steps are done."""

from dataclasses import replace
from typing import Any

from rewards_app.features.dashboard.start_rules import KEPT_AT, Facts, Step, next_step, steps_done

NEWCOMER = Facts(is_verified=True, ads_watched=0, earned=0, has_spent=False)


def somebody(**changes: Any) -> Facts:
    return replace(NEWCOMER, **changes)


class TestStepsDone:
    def test_are_none_for_who_has_just_signed_up(self):
        assert steps_done(somebody(is_verified=False)) == frozenset()

    def test_begin_with_a_verified_email(self):
        assert steps_done(somebody()) == {Step.VERIFY}

    def test_come_with_the_first_rewarded_ad(self):
        assert steps_done(somebody(ads_watched=1, earned=15)) == {Step.VERIFY, Step.WATCH}

    def test_coins_are_not_kept_one_coin_early(self):
        assert Step.COINS not in steps_done(somebody(ads_watched=9, earned=KEPT_AT - 1))

    def test_coins_are_kept_once_there_are_enough(self):
        assert Step.COINS in steps_done(somebody(ads_watched=4, earned=KEPT_AT))

    def test_coins_are_spent_with_the_first_purchase(self):
        assert Step.COINS in steps_done(somebody(ads_watched=1, earned=15, has_spent=True))

    def test_coins_that_were_a_present_are_no_ad(self):
        assert steps_done(somebody(earned=KEPT_AT)) == {Step.VERIFY, Step.COINS}


class TestNextStep:
    def test_is_the_first_that_is_not_done(self):
        assert next_step(frozenset()) is Step.VERIFY
        assert next_step(frozenset({Step.VERIFY})) is Step.WATCH
        assert next_step(frozenset({Step.VERIFY, Step.COINS})) is Step.WATCH
        assert next_step(frozenset({Step.VERIFY, Step.WATCH})) is Step.COINS

    def test_is_none_when_all_are_done(self):
        assert next_step(frozenset(Step)) is None
