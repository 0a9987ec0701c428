"""Kronor in the money that a player counts in."""

import pytest

from rewards_app.features.shop.exchange import SEK, converted, money_of

HUNDREDFOLD = {"SEK": 100, "USD": 10, "EUR": 9, "GBP": 8, "NOK": 105, "DKK": 65}
"""A hundred kronor in each money, rounded to whole ones."""
EURO = (
    *("DE", "FR", "IT", "ES", "NL", "BE", "AT", "FI", "IE", "PT"),
    *("GR", "LU", "SI", "CY", "MT", "SK", "EE", "LV", "LT"),
)
COUNTRIES = {
    "US": "USD",
    "SE": "SEK",
    "NO": "NOK",
    "DK": "DKK",
    "GB": "GBP",
    "UK": "GBP",
    **dict.fromkeys(EURO, "EUR"),
}


class TestMoneyOf:
    @pytest.mark.parametrize(("country", "code"), COUNTRIES.items())
    def test_each_country_has_its_own(self, country: str, code: str):
        assert money_of(country).code == code
        assert money_of(country.lower()).code == code

    @pytest.mark.parametrize("country", [None, "", "XX", "JP", "PL", "CH", "SWE", "é"])
    def test_it_is_kronor_where_nobody_knows(self, country: str | None):
        assert money_of(country) is SEK


class TestConverted:
    @pytest.mark.parametrize(("country", "code"), COUNTRIES.items())
    def test_a_hundred_kronor_in_each_country(self, country: str, code: str):
        assert converted(100, money_of(country)) == HUNDREDFOLD[code]

    @pytest.mark.parametrize(
        ("kronor", "country", "shown"),
        [
            (89, "US", 8),
            (89, "DE", 8),
            (89, "GB", 7),
            (89, "NO", 93),
            (89, "DK", 58),
            (999, "US", 95),
            (999, "DE", 87),
            (0, "US", 0),
            (3, "US", 0),
        ],
    )
    def test_prices_are_rounded_to_whole_ones(self, kronor: int, country: str, shown: int):
        assert converted(kronor, money_of(country)) == shown

    @pytest.mark.parametrize(
        ("kronor", "country", "shown"), [(10, "NO", 11), (10, "DK", 7), (20, "GB", 2)]
    )
    def test_halves_go_upwards(self, kronor: int, country: str, shown: int):
        assert converted(kronor, money_of(country)) == shown

    @pytest.mark.parametrize("kronor", range(0, 1000, 37))
    def test_kronor_stay_what_they_are(self, kronor: int):
        assert converted(kronor, SEK) == kronor
