"""Whatever happened in whichever order: the figures are what the views themselves add up to."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.features.ads import places, service
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.advertiser import figure_rules, figures
from rewards_app.features.advertiser.figure_rules import NOTHING, Figures, Period
from rewards_app.features.advertiser.membership import EVERYTHING, Scope
from rewards_app.models import Ad
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    finishes,
    serve_what_can_be,
    starts,
    the_player,
)

pytestmark = pytest.mark.usefixtures("database")
STEPS = 150
PEOPLE = 4


@dataclass
class History:
    """Players who do whatever comes to their minds, and time that passes."""

    chance: random.Random
    people: list[Actor]
    ads: list[Ad]
    now: datetime = NOON
    running: dict[Actor, RunningAd] = field(default_factory=dict)
    seen: list[tuple[Actor, RunningAd]] = field(default_factory=list)

    async def step(self) -> None:
        often = [self.start, self.finish]
        seldom = [self.click, self.leave, self.credit_back, self.fold, self.wait]
        what = self.chance.choice([*often, *often, *seldom])
        try:
            await what()
        except DomainError:
            # Players also do what they may not: nothing comes of it.
            return

    async def start(self) -> None:
        player = self.chance.choice(self.people)
        view = await starts(player, self.chance.choice(self.ads), now=self.now)
        self.running[player] = view
        self.seen.append((player, view))

    async def finish(self) -> None:
        player, view = self.chance.choice(list(self.running.items()) or self.seen)
        self.now += self.chance.choice((1, 6, 6)) * SECOND
        await finishes(player, view, now=self.now)
        self.running.pop(player, None)

    async def click(self) -> None:
        player, view = self.chance.choice(self.seen)
        await service.click(player, view.view_id, now=self.now)

    async def leave(self) -> None:
        player, view = self.chance.choice(list(self.running.items()) or self.seen)
        await service.give_up(player, view.view_id, now=self.now)
        self.running.pop(player, None)

    async def credit_back(self) -> None:
        _, view = self.chance.choice(self.seen)
        async with transaction() as session:
            await places.invalidate(session, view.view_id, "a defect", now=self.now)

    async def fold(self) -> None:
        async with transaction() as session:
            await places.fold_old_days(session, now=self.now)

    async def wait(self) -> None:
        self.now += self.chance.choice((timedelta(minutes=20), timedelta(hours=9)))
        await service.sweep(now=self.now)
        await serve_what_can_be(now=self.now)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_figures_are_what_the_views_add_up_to(database: str, seed: int):
    fjord, rival = await an_advertiser("Fjord Audio"), await an_advertiser("Rival")
    ads = [
        await an_ad(await a_campaign(fjord, budget_cents=2501)),
        await an_ad(await a_campaign(fjord, budget_cents=99_999, daily_budget_cents=500)),
        await an_ad(await a_campaign(rival, budget_cents=777)),
        await an_ad(await a_campaign(rival)),
    ]
    people = [await the_player(f"P{number}") for number in range(PEOPLE)]
    history = History(random.Random(seed), people, ads)
    await history.start()
    for _ in range(STEPS):
        await history.step()
    for scope in (Scope(fjord.id), Scope(rival.id), EVERYTHING):
        for period in (Period.WEEK, Period.YEAR):
            await agrees(database, scope, period, now=history.now)


async def agrees(url: str, scope: Scope, period: Period, *, now: datetime) -> None:
    async with transaction() as session:
        found = await figures.analytics(session, scope, period, now=now)
        best = {ad.title: ad for ad in found.best_ads}
        ever = await figures.overview(session, scope)
    truth = recounted(url, scope)
    assert {day: sums for day, sums in found.days if sums != NOTHING} == {
        day: sums for day, sums in truth.items() if found.span.first <= day <= found.span.last
    }
    assert found.now == figure_rules.total(truth, found.span)
    assert found.before == figure_rules.total(truth, found.span.before)
    assert ever.figures == sum(truth.values(), NOTHING)
    assert all(ad.figures.clicks <= ad.figures.impressions for ad in best.values())


def recounted(url: str, scope: Scope) -> dict[date, Figures]:
    """From the rows of the views alone; what a company pays for is in its campaign."""
    days: dict[date, Figures] = defaultdict(Figures)
    with psycopg.connect(url, autocommit=True) as connection:
        views = connection.execute(
            "select day, view.status = 'rewarded' and invalid_at is null, clicked_at is not null,"
            " campaign.advertiser_id, coalesce(campaign.budget_cents, 0)"
            " from ad_views view join ads on ads.id = ad_id"
            " join ad_campaigns campaign on campaign.id = campaign_id"
        )
        for day, is_paid, is_clicked, owner, budget in views:
            if scope.includes(owner):
                spend = int(Decimal(budget) * is_paid)
                days[day] += Figures(1, int(is_paid), int(is_clicked), spend)
    return dict(days)
