"""What the shop sells: every package as it was agreed on."""

import pytest

from rewards_app.features.shop.catalogue import (
    CATALOGUE,
    CURRENCY_OF,
    PACKAGES,
    Flag,
    NoPackage,
    currency_name,
    package_of,
    tint_of,
)

PLAIN, POPULAR, BEST = None, Flag.POPULAR, Flag.BEST_VALUE
AGREED = {
    "vbucks": [(1000, 89, PLAIN), (2800, 249, POPULAR), (5000, 449, PLAIN), (13500, 999, BEST)],
    "robux": [(400, 45, PLAIN), (800, 89, POPULAR), (1700, 179, PLAIN), (4500, 449, BEST)],
    "cod": [(500, 49, PLAIN), (1100, 99, POPULAR), (2400, 199, PLAIN), (5000, 399, BEST)],
    "valorant": [(475, 59, PLAIN), (1000, 119, POPULAR), (2050, 239, PLAIN), (5350, 599, BEST)],
}  # fmt: skip


class TestCatalogue:
    def test_has_the_four_currencies_in_their_order(self):
        assert [currency.id for currency in CATALOGUE] == list(AGREED)

    @pytest.mark.parametrize("currency", CATALOGUE, ids=lambda currency: currency.id)
    def test_has_each_package_with_its_price_and_flag(self, currency):
        offered = [(one.amount, one.price_kr, one.flag) for one in currency.packages]
        assert offered == AGREED[currency.id]

    def test_names_sixteen_packages_apart(self):
        assert len(PACKAGES) == len(CURRENCY_OF) == 16

    def test_gives_every_currency_a_look_and_a_game_of_its_own(self):
        for told in ("name", "game", "tint"):
            assert len({getattr(currency, told) for currency in CATALOGUE}) == 4

    def test_calls_a_product_by_its_amount_and_currency(self):
        currency, package = package_of("vbucks", "vbucks-2800")
        assert currency.product_name(package) == "2800 V-Bucks"

    def test_flags_are_written_as_pages_read_them(self):
        assert [flag.value for flag in Flag] == ["popular", "best_value"]


class TestPackageOf:
    @pytest.mark.parametrize("package_id", PACKAGES)
    def test_finds_each_package_in_its_own_currency(self, package_id: str):
        currency = CURRENCY_OF[package_id]
        assert package_of(currency.id, package_id) == (currency, PACKAGES[package_id])

    @pytest.mark.parametrize(
        ("currency_id", "package_id"),
        [
            ("vbucks", "robux-400"),
            ("robux", "vbucks-1000"),
            ("vbucks", ""),
            ("", "vbucks-1000"),
            ("", ""),
            ("vbucks", "vbucks-1001"),
            ("vbucks", "vbucks"),
            ("VBUCKS", "vbucks-1000"),
            ("vbucks", "vbucks-1000 "),
            ("gold", "gold-1000"),
        ],
    )
    def test_refuses_what_we_do_not_sell(self, currency_id: str, package_id: str):
        with pytest.raises(NoPackage) as refusal:
            package_of(currency_id, package_id)
        assert refusal.value.code == "shop.no_package"
        assert refusal.value.title == "errors.shop.failed_title"


class TestWhatWasSold:
    @pytest.mark.parametrize("package_id", PACKAGES)
    def test_is_told_apart_again_into_amount_and_currency(self, package_id: str):
        currency, package = CURRENCY_OF[package_id], PACKAGES[package_id]
        product_name = currency.product_name(package)
        assert currency_name(product_name, package.amount) == currency.name

    @pytest.mark.parametrize("package_id", PACKAGES)
    def test_has_the_tint_of_its_currency(self, package_id: str):
        assert tint_of(package_id) == CURRENCY_OF[package_id].tint

    def test_keeps_its_tint_when_its_currency_has_other_packages_now(self):
        assert tint_of("robux-450") == "orchid"

    @pytest.mark.parametrize("package_id", ["doubloons-50", "", "-"])
    def test_has_none_when_nothing_of_its_currency_is_sold(self, package_id: str):
        assert tint_of(package_id) == ""
