"""kill -9 in the midst of watching: what was acknowledged is there, and nothing is half done."""

import json
import os
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.ads import service
from rewards_app.features.coins import service as coins
from tests.ads import FAR_AHEAD, a_campaign, an_ad, finishes, the_player
from tests.ledger import what_is_wrong
from tests.serving import PROJECT

KILLS = int(os.environ.get("KILLS", "200"))
"""`make promises` takes a thousand."""
LONGEST = 160 + KILLS
"""Seconds: a loaded machine takes less than one for each."""
PLAYERS = 3
BUDGET = 100_000
CAMPAIGNS, PLACES_A_DAY = 20, 4
"""The first runs out in every life, whose days are its own; the others are enough."""


def ask(database: str, query: str) -> list[tuple]:
    with psycopg.connect(database) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture
async def players(database: str) -> dict[UUID, Actor]:
    made = [await the_player(f"Player{number}") for number in range(PLAYERS)]
    return {player.user_id: player for player in made}


@pytest.fixture
async def acknowledged(players: dict[UUID, Actor], tmp_path: Path) -> list[UUID]:
    """Views whose finish had returned, in a process that was killed so many times."""
    said = tmp_path / "acknowledged"
    a_day = {"budget_cents": BUDGET, "daily_budget_cents": PLACES_A_DAY * BUDGET // 1000}
    ad, *_ = [await an_ad(await a_campaign(**a_day)) for _ in range(CAMPAIGNS)]
    program = [sys.executable, "-m", "tests.faults.watching", str(ad.id), str(said), str(KILLS)]
    done = subprocess.run(
        [*program, *map(str, players)], cwd=PROJECT, capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == [9] * KILLS, done.stderr[-3000:]
    return [UUID(line) for line in said.read_text().split()]


@pytest.mark.timeout(LONGEST + 40 + KILLS // 5)
class TestKills:
    async def test_lose_and_double_nothing(
        self, acknowledged: list[UUID], players: dict[UUID, Actor], database: str
    ):
        assert len(acknowledged) == len(set(acknowledged))
        assert len(acknowledged) > KILLS * PLAYERS, "each began with a first ad, and then went on"
        assert not what_is_wrong(database)

        credited = ask(database, "select cause from coin_entries")
        assert len(credited) == len(set(credited))
        assert {(f"ad:{view}",) for view in acknowledged} <= set(credited)

        rewarded = ask(database, "select id, account_id from ad_views where status = 'rewarded'")
        unanswered = [row for row in rewarded if row[0] not in set(acknowledged)]
        print(f"{KILLS} kills, {len(acknowledged)} acknowledged, {len(unanswered)} unanswered")
        for view, owner in unanswered:
            again = await finishes(players[owner], view, now=FAR_AHEAD, is_repeated=True)
            assert again.coins == 15
        assert ask(database, "select cause from coin_entries") == credited

        of_a_day = "select sum(completions) from ad_days group by campaign_id, day"
        assert set(ask(database, of_a_day)) <= {(n,) for n in range(PLACES_A_DAY + 1)}
        await service.sweep(now=FAR_AHEAD)
        assert ask(database, "select id from ad_views where holds_place") == []
        assert ask(database, "select sum(taken) from ad_campaigns") == [(len(credited),)]
        assert ask(database, "select sum(spend) from ad_days") == [(BUDGET * len(credited),)]
        assert not what_is_wrong(database)

        async with transaction() as session:
            audit = await coins.check(session)
        assert audit.is_clean
        assert audit.accounts == PLAYERS
