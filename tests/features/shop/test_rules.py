"""What a package costs with coins on it, and how far one is from paying nothing."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from rewards_app.features.shop import rules
from rewards_app.features.shop.catalogue import PACKAGES, Package
from rewards_app.features.shop.rules import Offer

THE_PACKAGE = Package("vbucks-1000", 1000, 89)
EVERY_SUM = [(price, coins) for price in (45, 89, 999) for coins in range(price + 1)]


class TestOffer:
    def test_a_coin_takes_one_krona_off(self):
        offer = rules.offer_for(THE_PACKAGE, 26)
        assert (offer.to_pay_kr, offer.to_pay_ore) == (63, 6300)

    def test_with_all_coins_there_is_nothing_to_pay(self):
        offer = rules.offer_for(THE_PACKAGE, 89)
        assert offer.is_free
        assert offer.savings_percent == 100

    def test_without_coins_it_costs_its_price(self):
        offer = rules.offer_for(THE_PACKAGE, 0)
        assert (offer.to_pay_kr, offer.savings_percent, offer.is_free) == (89, 0, False)

    @pytest.mark.parametrize(
        "coins",
        [-1, -89, 90, 10**9, 26.0, 26.5, "26", "", None, True, False, [], {}, float("nan")],
        ids=repr,
    )
    def test_refuses_coins_that_are_none_or_too_many(self, coins: Any):
        with pytest.raises(rules.NotThatManyCoins) as refusal:
            rules.offer_for(THE_PACKAGE, coins)
        assert refusal.value.title == "errors.shop.failed_title"


class TestSavings:
    @pytest.mark.parametrize(
        ("price", "coins", "percent"),
        [
            (89, 26, 29),
            (200, 1, 1),
            (200, 3, 2),
            (199, 1, 1),
            (999, 4, 0),
            (999, 5, 1),
            (45, 44, 98),
        ],
    )
    def test_are_rounded_to_the_nearest_percent_halves_upwards(self, price, coins, percent):
        assert Offer(price, coins).savings_percent == percent

    def test_are_right_for_every_sum(self):
        for price, coins in EVERY_SUM:
            exact = Fraction(100 * coins, price)
            assert abs(Offer(price, coins).savings_percent - exact) <= Fraction(1, 2)

    def test_are_all_or_nothing_only_where_they_are(self):
        for price, coins in EVERY_SUM:
            assert (Offer(price, coins).savings_percent == 100) >= (coins == price)
            assert (Offer(price, coins).savings_percent == 0) >= (coins == 0)


class TestCardMinimum:
    @pytest.mark.parametrize(("coins", "fewer"), [(88, 2), (87, 1)])
    def test_refuses_what_no_card_pays_and_says_how_many_coins_fewer_do(self, coins, fewer):
        assert Offer(89, coins).coins_too_many_for_a_card == fewer
        with pytest.raises(rules.BelowCardMinimum) as refusal:
            rules.offer_for(THE_PACKAGE, coins)
        assert refusal.value.params == {"count": 3}
        assert rules.offer_for(THE_PACKAGE, coins - fewer).to_pay_kr == 3

    @pytest.mark.parametrize("coins", [0, 26, 86, 89])
    def test_asks_for_no_coins_fewer_where_a_card_pays_or_none_is_needed(self, coins: int):
        assert rules.offer_for(THE_PACKAGE, coins).coins_too_many_for_a_card == 0


class TestMostCoins:
    """Where the slider begins and ends."""

    @pytest.mark.parametrize(
        ("balance", "most"), [(0, 0), (26, 26), (88, 88), (89, 89), (90, 89), (10**9, 89), (-5, 0)]
    )
    def test_is_the_lesser_of_balance_and_price(self, balance: int, most: int):
        assert rules.most_coins(THE_PACKAGE, balance) == most

    @pytest.mark.parametrize("package", PACKAGES.values(), ids=lambda package: package.id)
    def test_makes_each_package_free_for_whoever_has_enough(self, package: Package):
        assert rules.offer_for(package, rules.most_coins(package, 1000)).is_free


class TestPurchaseCode:
    NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)

    def test_has_the_moment_in_milliseconds_and_ten_random_letters(self):
        code = rules.purchase_code(self.NOON + timedelta(microseconds=999), "ABCDEFGH23")
        assert code == "COIN-1773489600000-ABCDEFGH23"
        assert rules.PURCHASE_CODE.fullmatch(code)

    def test_has_no_letters_that_are_mistaken_for_others(self):
        assert not set("01IO") & set(rules.CODE_LETTERS)
        assert len(set(rules.CODE_LETTERS)) == 32

    @pytest.mark.parametrize(
        "code",
        ["COIN-1773489600000-ABCDEFGH2", "COIN-1-ABCDEFGH23", "COIN-1773489600000-abcdefgh23"],
    )
    def test_is_recognised_by_its_shape(self, code: str):
        assert not rules.PURCHASE_CODE.fullmatch(code)


class TestWhetherItWasBought:
    @pytest.mark.parametrize(
        ("status", "reason", "was_bought"),
        [
            (rules.Status.COMPLETED, "", True),
            (rules.Status.REFUNDING, "wrong game", True),
            (rules.Status.REFUNDING, "", False),
            (rules.Status.EXPIRED, "", False),
        ],
    )
    def test_is_told_by_its_status_and_by_a_word_of_somebody(
        self, status: rules.Status, reason: str, was_bought: bool
    ):
        assert rules.was_bought(status, reason) is was_bought


class TestReason:
    def test_is_kept_without_the_spaces_around_and_within(self):
        assert rules.cleaned_reason("  the code \n was   used ") == "the code was used"

    @pytest.mark.parametrize("reason", ["", "  ", "no", " \n n \t "])
    def test_is_needed(self, reason: str):
        with pytest.raises(rules.ReasonMissing):
            rules.cleaned_reason(reason)

    def test_is_not_cut(self):
        with pytest.raises(rules.ReasonTooLong) as refusal:
            rules.cleaned_reason("x" * 301)
        assert refusal.value.params == {"field": "reason", "most": 300}

    @pytest.mark.parametrize("reason", ["why", "x" * 300])
    def test_may_be_short_or_long(self, reason: str):
        assert rules.cleaned_reason(reason) == reason
