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
TAB = re.compile(r"(?<=^\| open tab of a player \| ).*?(?= \|)", re.MULTILINE)
WORKERS = re.compile(r"(?<=^- workers = ).*", re.MULTILINE)
FULL_WORKER = re.compile(r"(?<=\*\*memory and the one processor of one worker\*\*: ).*?(?= \|)")
FULL_REDIS = re.compile(r"(?<=\*\*one Redis\*\*: )[\d.,]+(?= GB of open tabs)")
LOADED = "p99 of an event at 60% of capacity / unloaded"
ANSWERED = re.compile(r"of ([\d,]+) events a second, (\d+) workers")
SECONDS_BETWEEN_EVENTS = 10

Report = Mapping[str, Iterable[Mapping[str, Any]]]


def page_with(page: str, report: Report) -> str:
    """The page with the figures of this report in place of those that it had."""
    costs = _costs(report)
    in_worker, *others = (f"{costs[f'a watched ad, {part}']:.1f} ms" for part in AN_AD)
    told = f"{in_worker} of processor in the worker, " + ", ".join(
        f"{cost} in {part}" for cost, part in zip(others, AN_AD[1:], strict=True)
    )
    page = COST.sub(told, TABLE.sub(_table(costs), page))
    return _with_tabs(page, costs, _loaded(report))


def _with_tabs(page: str, costs: Mapping[str, float], loaded: str) -> str:
    """What open tabs take and ask for, wherever the page counts on it."""
    in_worker, in_redis = (_rounded(costs[f"an open tab, {part}"]) for part in ("worker", "Redis"))
    at_most = TABS_OF_A_WORKER * in_worker
    told = {
        TAB: f"{in_worker / 1e3:.0f} KB in its worker, {in_redis / 1e3:.0f} KB in Redis",
        WORKERS: f"open tabs ÷ {TABS_OF_A_WORKER:,}, in round numbers: {loaded}",
        FULL_WORKER: f"about {TABS_OF_A_WORKER:,} open tabs, by what is assumed above, and"
        f" {at_most / 1e6:.0f} MB",
        FULL_REDIS: f"{PLAYERS[-1] * OPEN * in_redis / 1e9:.1f}",
    }
    for place, words in told.items():
        page = place.sub(words, page)
    return page


def _loaded(report: Report) -> str:
    """How many tabs one worker answers, by what several of them did."""
    [found] = [ANSWERED.search(row["against"]) for row in _rows(report) if row["name"] == LOADED]
    assert found, f"{LOADED} does not tell how many events there were"
    events, workers = int(found[1].replace(",", "")), int(found[2])
    return (
        f"one of them answers {events / workers * SECONDS_BETWEEN_EVENTS:,.0f} tabs that ask for"
        f" something every ten seconds, by the {events:,} events a second that {workers} did in"
        " `mixed_load`"
    )


def _rows(report: Report) -> Iterable[Mapping[str, Any]]:
    return (row for rows in report.values() for row in rows)


def _costs(report: Report) -> dict[str, float]:
    return {row["name"]: row["value"] for row in _rows(report)}


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
