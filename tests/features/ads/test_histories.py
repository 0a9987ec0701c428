"""Random days of players and companies: whatever happens in whatever order, budgets hold.

A town has a few campaigns and many players. Ads are watched, left, clicked; campaigns and ads are
paused, resumed, approved, rejected, ended; views turn out invalid; and the jobs of each minute and
of each night run whenever they like.
"""

import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.features.ads import places, service
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.advertiser import campaigns, creatives, lifecycle, money, review
from rewards_app.models import Ad
from tests.ads import (
    NOON,
    a_campaign,
    an_ad,
    an_advertiser,
    finishes,
    starts,
    the_player,
    the_players,
    were_watched,
)
from tests.crowds import all_at_once
from tests.ledger import ADS, VIEWS, what_is_wrong

SEED = int(os.environ.get("ADS_SEED", "1815"))
STEPS = int(os.environ.get("ADS_STEPS", "500"))
PLAYERS = 12
BUDGET = 100_000
PLACES_A_DAY = (3, 7, None)

MONEY = {
    "a company's balance is not the sum of its entries": """
        select id from advertisers where balance <> (select coalesce(sum(amount), 0)
            from advertiser_entries where advertiser_id = advertisers.id)""",
    "a campaign's money is neither spent nor given back": """
        with moved as (
            select campaign.id, campaign.settled_at is not null as is_settled,
                -coalesce(sum(amount) filter (where kind = 'set_aside'), 0) as set_aside,
                coalesce(sum(amount) filter (where kind in ('given_back', 'credited')), 0) as back
            from ad_campaigns campaign left join advertiser_entries on cause in (
                'campaign:' || campaign.id, 'rest:' || campaign.id) or cause in (
                select 'view:' || view.id from ad_views view join ads on ads.id = view.ad_id
                where ads.campaign_id = campaign.id)
            group by campaign.id
        )
        select id from moved where is_settled and set_aside <> back + (
            select coalesce(sum(spend), 0) from ad_days where campaign_id = moved.id)""",
    "more was spent of a day's budget than there was": """
        select campaign_id from ad_days join ad_campaigns on ad_campaigns.id = campaign_id
        group by campaign_id, day, daily_budget_cents
        having sum(spend) > daily_budget_cents * 1000""",
}
"""Of companies; nobody changes a day's budget here."""


@dataclass
class Town:
    chance: random.Random
    database: str
    admin: Actor
    players: list[Actor]
    ads: list[Ad]
    now: datetime = NOON
    running: dict[UUID, tuple[Actor, RunningAd]] = field(default_factory=dict)
    watched: list[tuple[Actor, RunningAd]] = field(default_factory=list)
    paid: list[RunningAd] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    async def step(self) -> None:
        name = self.chance.choices(list(STEP_WEIGHTS), weights=list(STEP_WEIGHTS.values()))[0]
        self.now += timedelta(seconds=self.chance.choice([1, 5, 30]))
        act: Callable[[], Awaitable[None]] = getattr(self, name)
        try:
            await act()
            self.seen[name] += 1
        except DomainError as refusal:
            self.seen[refusal.code] += 1

    # What players do

    async def starts(self) -> None:
        player = self.chance.choice(self.players)
        view = await starts(player, self.chance.choice(self.ads), now=self.now)
        self.running[player.user_id] = (player, view)
        self.watched.append((player, view))

    async def finishes(self) -> None:
        """Now and then an ad that was finished, left or too old before."""
        if self.running:
            player, view = self.chance.choice(list(self.running.values()))
            if self.chance.random() < 0.8:
                del self.running[player.user_id]
            self.now += timedelta(seconds=view.seconds)
            await finishes(player, view, now=self.now)
            self.paid.append(view)

    async def leaves(self) -> None:
        if self.running:
            player, view = self.running.pop(self.chance.choice(list(self.running)))
            await service.give_up(player, view.view_id, now=self.now)

    async def clicks(self) -> None:
        if self.watched:
            player, view = self.chance.choice(self.watched)
            await service.click(player, view.view_id, now=self.now)

    # What companies and admins do

    async def pauses(self) -> None:
        async with transaction() as session:
            await campaigns.pause(session, self.admin, self.one.campaign_id, now=self.now)

    async def resumes(self) -> None:
        async with transaction() as session:
            await campaigns.resume(session, self.admin, self.one.campaign_id, now=self.now)

    async def pauses_ad(self) -> None:
        async with transaction() as session:
            await creatives.pause(session, self.admin, self.one.id, now=self.now)

    async def resumes_ad(self) -> None:
        async with transaction() as session:
            await creatives.resume(session, self.admin, self.one.id, now=self.now)

    async def approves(self) -> None:
        async with transaction() as session:
            known = await review.ad(session, self.one.id)
            await review.approve_ad(
                session, self.admin, known.id, known.version, known.reported, now=self.now
            )

    async def rejects(self) -> None:
        async with transaction() as session:
            known = await review.ad(session, self.one.id)
            args = (known.id, known.version, "Too loud.")
            await review.reject_ad(session, self.admin, *args, now=self.now)

    async def ends(self) -> None:
        async with transaction() as session:
            why = "Its product is not sold any more."
            await campaigns.end(session, self.admin, self.one.campaign_id, why, now=self.now)

    async def credits(self) -> None:
        """Views of any age; some were credited before."""
        if self.paid:
            view = self.chance.choice(self.paid)
            async with transaction() as session:
                await review.credit_back(
                    session, self.admin, view.view_id, "A script.", now=self.now
                )

    async def opens(self) -> None:
        """Another campaign, with an ad that waits for its review."""
        company = await self.company_of(self.one)
        self.ads.append(await a_draft(company, self.chance))

    @property
    def one(self) -> Ad:
        return self.chance.choice(self.ads)

    async def company_of(self, ad: Ad) -> UUID:
        async with transaction() as session:
            return (await review.ad(session, ad.id)).advertiser_id

    # What the house does

    async def sweeps(self) -> None:
        await service.sweep(now=self.now)

    async def tends(self) -> None:
        await lifecycle.tend(now=self.now)

    async def folds(self) -> None:
        async with transaction() as session:
            await places.fold_old_days(session, now=self.now)

    # What the world does

    async def waits(self) -> None:
        self.now += timedelta(minutes=self.chance.choice([2, 12, 70]))

    async def sleeps(self) -> None:
        self.now += timedelta(hours=self.chance.choice([11, 24, 49]))

    # What must hold

    def is_sound(self) -> None:
        assert not what_is_wrong(self.database, ADS | VIEWS | MONEY), self.seen

    async def comes_to_rest(self) -> None:
        """Everything has ended, and nobody waits for anything."""
        self.now += timedelta(days=1)
        await service.sweep(now=self.now)
        for campaign_id in {ad.campaign_id for ad in self.ads}:
            async with transaction() as session:
                await lifecycle.end(session, campaign_id, lifecycle.EndedBy.ADMIN, now=self.now)
        await lifecycle.tend(now=self.now)
        await self.folds()
        self.is_sound()


STEP_WEIGHTS = {
    "starts": 30,
    "finishes": 26,
    "leaves": 6,
    "clicks": 6,
    "pauses": 2,
    "resumes": 4,
    "pauses_ad": 2,
    "resumes_ad": 4,
    "approves": 5,
    "rejects": 1,
    "ends": 1,
    "credits": 4,
    "opens": 2,
    "sweeps": 4,
    "tends": 4,
    "folds": 2,
    "waits": 4,
    "sleeps": 2,
}
"""What happens, and how often of all."""


async def a_draft(company: UUID, chance: random.Random) -> Ad:
    places_a_day = chance.choice(PLACES_A_DAY)
    campaign = await a_campaign(
        advertiser_id=company,
        status="draft",
        budget_cents=BUDGET,
        daily_budget_cents=places_a_day and places_a_day * BUDGET // 1000,
    )
    return await an_ad(campaign, status="pending_review", reward=chance.choice([5, 15]))


async def a_town(chance: random.Random, database: str) -> Town:
    """Two companies with money; one of four campaigns is nearly spent."""
    ads: list[Ad] = []
    for _ in range(2):
        company = await an_advertiser()
        async with transaction() as session:
            funds = 5 * BUDGET * 1000
            kind, cause = money.Kind.OPENING, f"opening:{company.id}"
            await money.enter(session, company.id, funds, kind, cause, now=NOON)
        ads += [await a_draft(company.id, chance) for _ in range(2)]
    admin = replace(await the_player("Ann"), role=Role.ADMIN)
    town = Town(chance, database, admin, await the_players(PLAYERS), ads)
    for ad in ads[:3]:
        async with transaction() as session:
            known = await review.ad(session, ad.id)
            await review.approve_ad(session, admin, ad.id, known.version, known.reported, now=NOON)
    await were_watched(ads[0], 990, price=BUDGET, day=platform_day(NOON) - timedelta(days=400))
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "update ad_campaigns set daily_budget_cents = null where id = %s", [ads[0].campaign_id]
        )
    return town


@pytest.mark.timeout(3600)
class TestHistories:
    """ADS_SEED replays a run, ADS_STEPS makes it longer."""

    async def test_of_any_kind_end_with_every_view_and_every_cent_in_its_place(self, database: str):
        print(f"ADS_SEED={SEED} ADS_STEPS={STEPS}")
        town = await a_town(random.Random(SEED), database)
        for number in range(STEPS):
            await town.step()
            if number % 25 == 0:
                town.is_sound()
        await town.comes_to_rest()
        print(dict(town.seen))
        assert len(town.paid) > STEPS / 50
        assert town.seen["credits"] > 0

    async def test_all_at_once_stand_in_nobodys_way(self, database: str):
        """No two of them wait for each other: nothing but refusals comes out of any step."""
        print(f"ADS_SEED={SEED} ADS_STEPS={STEPS}")
        town = await a_town(random.Random(SEED), database)
        for _ in range(3):
            came = await all_at_once((town.step() for _ in range(STEPS // 3)), room=10)
            assert [one for one in came if one is not None] == []
            town.is_sound()
        await town.comes_to_rest()
