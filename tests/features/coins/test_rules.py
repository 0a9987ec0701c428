"""What coins are worth, and when a balance is wrong."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.coins import rules
from rewards_app.features.coins.rules import (
    EARNING,
    LARGEST_AMOUNT,
    BadAmount,
    Balance,
    Books,
    Kind,
)

MAJA, EMIL = UUID(int=1), UUID(int=2)


def the_books(**changes) -> Books:
    """315 coins were earned, 100 spent, 50 are held."""
    right = {
        "account_id": MAJA,
        "entries": 215,
        "earned": 315,
        "open_holds": 50,
        "ads": 21,
        "stored": Balance(total=315, balance=165, held=50, ads=21),
    }
    return Books(**right | changes)


class TestLevels:
    @pytest.mark.parametrize(
        ("total", "level"), [(0, 1), (999, 1), (1000, 2), (1999, 2), (2000, 3), (14_000, 15)]
    )
    def test_begin_at_every_thousand_coins(self, total: int, level: int):
        assert rules.level_of(total) == level
        assert Balance(total=total).level == level

    @pytest.mark.parametrize(
        ("total", "progress"), [(0, 0), (250, 250), (999, 999), (1000, 0), (1500, 500)]
    )
    def test_show_how_much_of_them_is_done(self, total: int, progress: int):
        assert rules.into_level(total) == progress

    @given(st.integers(0, 10**12))
    def test_progress_is_never_a_whole_level(self, total: int):
        assert 0 <= rules.into_level(total) < rules.COINS_PER_LEVEL


class TestAmounts:
    @pytest.mark.parametrize("amount", [1, LARGEST_AMOUNT])
    def test_are_whole_coins_from_one_up_to_the_largest(self, amount: int):
        rules.refuse_bad_amount(amount)

    @pytest.mark.parametrize(
        "amount", [0, -1, LARGEST_AMOUNT + 1, 1.5, 2.0, True, float("nan"), "15"]
    )
    def test_are_nothing_else(self, amount):
        with pytest.raises(BadAmount):
            rules.refuse_bad_amount(amount)

    def test_a_refund_earns_nothing(self):
        assert Kind.REFUND not in EARNING


class TestBooks:
    def test_are_balanced_when_entries_and_holds_add_up(self):
        assert the_books().is_balanced

    @pytest.mark.parametrize(
        "difference",
        [
            {"entries": 216},
            {"earned": 314},
            {"open_holds": 49},
            {"stored": Balance(total=316, balance=165, held=50)},
            {"stored": Balance(total=315, balance=166, held=50)},
            {"stored": Balance(total=315, balance=166, held=49)},
        ],
    )
    def test_are_not_when_one_coin_is_elsewhere(self, difference):
        assert not the_books(**difference).is_balanced

    def test_of_an_account_without_coins_are_balanced(self):
        assert Books(MAJA, 0, 0, 0, 0, Balance()).is_balanced

    def test_only_the_wrong_ones_are_named(self):
        wrong = the_books(account_id=EMIL, earned=0)
        assert rules.unbalanced([the_books(), wrong]) == [wrong]

    @given(st.integers(0, 10**9), st.integers(0, 10**9))
    def test_what_is_held_is_still_owned(self, balance: int, held: int):
        assert Balance(balance=balance, held=held).owned == balance + held
