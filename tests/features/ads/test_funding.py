"""Whether a view's price covers its reward, to the last part of a cent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.ads.funding import (
    PARTS_A_COIN,
    Funding,
    Gap,
    gap,
    is_covered,
    ore_of,
)

COINS = st.integers(5, 50)
PRICES = st.integers(1, 10**9)


class TestIsCovered:
    def test_begins_where_the_price_is_what_the_coins_are_worth(self):
        assert is_covered(15 * PARTS_A_COIN, 15)
        assert not is_covered(15 * PARTS_A_COIN - 1, 15)

    @pytest.mark.parametrize("price", [None, 0])
    def test_does_not_ask_for_a_price_of_the_houses_own(self, price: int | None):
        assert is_covered(price, 50)

    @given(PRICES, COINS)
    def test_never_ends_when_the_reward_is_lowered(self, price: int, coins: int):
        assert not is_covered(price, coins) or is_covered(price, coins - 1)


class TestTheGap:
    @pytest.mark.parametrize(
        ("funding", "told"),
        [
            (Funding.OFF, Gap.NONE),
            (Funding.WARN, Gap.WARNED),
            (Funding.ENFORCE, Gap.NOT_SERVED),
        ],
    )
    def test_is_told_as_the_house_has_set_it(self, funding: Funding, told: Gap):
        assert gap(50_000, 15, funding) is told

    @pytest.mark.parametrize("funding", list(Funding))
    def test_is_none_where_the_price_covers_the_reward(self, funding: Funding):
        assert gap(142_500, 15, funding) is Gap.NONE
        assert gap(None, 50, funding) is Gap.NONE


class TestOre:
    @pytest.mark.parametrize(
        ("parts", "ore"),
        [(0, 0), (PARTS_A_COIN, 100), (47, 0), (48, 1), (-PARTS_A_COIN, -100), (142_500, 1_500)],
    )
    def test_are_the_nearest(self, parts: int, ore: int):
        assert ore_of(parts) == ore
