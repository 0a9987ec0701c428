"""Write what so many players need into docs/growth.md, from bench/report.json.

`python -m tools.figures` does it. What is assumed about people, the page says in words.
"""

import re
from collections.abc import Iterable, Mapping
from math import ceil
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "growth.md"

PLAYERS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ADS_A_DAY = 0.2 * 10
"""Of a player: one in five comes, and watches ten."""
BUSIEST = 4
"""The busiest hour against the mean one."""
OPEN = 0.02
TABS_OF_A_WORKER = 1_000
AN_AD = ("worker", "PostgreSQL", "Redis")

HEADS = (
    *("Players", "Ads a day", "A second, busiest", "Open tabs", "Disk a year", "Workers"),
    *("Their processors", "PostgreSQL's", "Redis'"),
)
TABLE = re.compile(r"^\| Players \|.*?\n(?=\n)", re.MULTILINE | re.DOTALL)
COST = re.compile(r"(?<=^\| watched ad \| ).*?(?= \|)", re.MULTILINE)

Report = Mapping[str, Iterable[Mapping[str, Any]]]


def page_with(page: str, report: Report) -> str:
    """The page with the figures of this report in place of those that it had."""
    costs = _costs(report)
    in_worker, *others = (f"{costs[f'a watched ad, {part}']:.1f} ms" for part in AN_AD)
    told = f"{in_worker} of processor in the worker, " + ", ".join(
        f"{cost} in {part}" for cost, part in zip(others, AN_AD[1:], strict=True)
    )
    return COST.sub(told, TABLE.sub(_table(costs), page))


def _costs(report: Report) -> dict[str, float]:
    return {row["name"]: row["value"] for rows in report.values() for row in rows}


def _table(costs: Mapping[str, float]) -> str:
    lines = [HEADS, ["---:"] * len(HEADS), *(_line(players, costs) for players in PLAYERS)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).replace(" ---: ", "---:")


def _line(players: int, costs: Mapping[str, float]) -> list[str]:
    ads = players * ADS_A_DAY
    a_second = ads / 86_400 * BUSIEST
    tabs = players * OPEN
    of_an_ad = _rounded(costs["a view of an ad"]) + _rounded(costs["an entry of the ledger"])
    of_a_player = _rounded(costs["a player, with balance, places and scores"])
    disk = ads * 365 * of_an_ad + players * of_a_player
    return [
        *(
            f"{players:,}",
            f"{ads:,.0f}",
            f"{a_second:.1f}",
            f"{tabs:,.0f}",
            f"{disk / 1e9:,.1f} GB",
        ),
        f"{ceil(tabs / TABS_OF_A_WORKER):,}",
        *(f"{a_second * costs[f'a watched ad, {part}'] / 1e3:.2f}" for part in AN_AD),
    ]


def _rounded(cost: float) -> float:
    """To two digits, as the page tells it."""
    return float(f"{cost:.2g}")
