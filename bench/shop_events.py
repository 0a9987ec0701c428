"""How long the shop takes to price another package, with 100 open tabs, beside a blank counter."""

from itertools import chain
from statistics import median

from bench.event_round_trip import APP, ROUNDS, TABS, Call, both_sides
from bench.report import Row
from bench.sites import Sites
from rewards_app.features.shop.catalogue import CATALOGUE

GOAL = 1.5
SHOP = f"{APP}.rewards_app___features___shop___state____shop_state"
CHANGES = "attempt"
"""Each offer has one of its own."""


def _presses() -> list[Call]:
    """A player looks around: each currency, its packages, the slider."""
    return list(
        chain.from_iterable(
            [
                (f"{SHOP}.choose_currency", {"currency_id": currency.id}, CHANGES),
                (f"{SHOP}.choose_package", {"package_id": currency.packages[1].id}, CHANGES),
                (f"{SHOP}.use_coins", {"coins": 0}, CHANGES),
                (f"{SHOP}.choose_package", {"package_id": currency.packages[2].id}, CHANGES),
                (f"{SHOP}.use_coins", {"coins": 7}, CHANGES),
            ]
            for currency in CATALOGUE
        )
    )


def measure(sites: Sites) -> list[Row]:
    mine, plain = both_sides(sites, _presses(), at="/shop")
    latency, blank = median(mine.milliseconds), median(plain.milliseconds)
    return [
        Row(
            "shop page event, ours / blank",
            latency / blank,
            "x",
            GOAL,
            f"{latency:.1f} ms / {blank:.1f} ms, median of {ROUNDS} rounds, {TABS} tabs",
        )
    ]
