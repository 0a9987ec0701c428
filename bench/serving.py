"""What budgets cost: choosing one of many ads, and serving and completing with all accounts kept.

Part 2 knew no budgets. Its own statements are kept here, to be measured beside those of today.
"""

import asyncio
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from sqlmodel import col, select

from bench.completions import PERSON
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, dispose_engine, rows, transaction
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.sealed import seal
from rewards_app.core.settings import settings
from rewards_app.features.ads import days, finishing, repository, rules, service, serving
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.coins.service import CREDITING
from rewards_app.models import AdView, Watcher

FEW, MANY = 100, 10_000
ADS_A_CAMPAIGN, CAMPAIGNS_A_COMPANY = 10, 5
PLAYERS = 800
AT_ONCE, A_BATCH = 8, 40
WARM_UP, TIMES, ROUNDS = 30, 150, 6
READ_GOAL, GROWTH_GOAL, BUDGET_GOAL = 10, 1.5, 1.3
WATCHED = timedelta(seconds=5)

MARKET: LiteralString = """
insert into advertisers (id, company_name, email, website, status, reason, balance, reaches_minors,
    starts_by_itself, tags_links, mails_reviews, mails_budgets, mails_reports, created_at,
    updated_at)
    select person(n), 'Bench ' || n, '', '', 'approved', '', 0, true, true, false, true, true, true,
        now(), now()
    from generate_series(1, %(companies)s) n;
insert into ad_campaigns (id, advertiser_id, name, description, status, budget_cents,
    daily_budget_cents, starts_at, ends_at, taken, taken_today, set_aside_at, ended_by, created_at,
    updated_at)
    select person(n), person(1 + (n - 1) %% %(companies)s), 'Bench ' || n, '', 'active', 500000,
        500000, now() - interval '1 day', now() + interval '30 days', 0, 0, now(), '', now(), now()
    from generate_series(1, %(campaigns)s) n;
insert into ads (id, campaign_id, title, description, ad_type, video_url, image_url, click_url,
    duration, reward_coins, status, review_reason, created_at, updated_at)
    select person(n), person(1 + (n - 1) %% %(campaigns)s), 'Bench ' || n, '', 'image', '', '', '',
        5, 15, 'active', '', now(), now()
    from generate_series(1, %(ads)s) n;
"""
PEOPLE: LiteralString = """
insert into accounts (id, email, email_verified_at, password_changed_at, role, asked_for_admin,
    username, display_name, country, language, birth_date, age_verified_at, created_at)
    select person(n), n || '@example.com', now(), now(), 'player', false, 'P' || n, 'P' || n, 'SE',
        'en', %(born)s, now(), now()
    from generate_series(1, %(players)s) n;
insert into coin_balances (account_id, total, balance, held, ads)
    select person(n), 0, 0, 0, 0 from generate_series(1, %(players)s) n;
insert into watchers (account_id, time_zone, day_starts_at, day_ends_at)
    select person(n), 'UTC', now() - interval '1 hour', now() + interval '23 hours'
    from generate_series(1, %(players)s) n;
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, tab_hash, device_hash, day, price, holds_place,
    invalid_reason)
    select id_at(at, n * 100 + past), person(n), person(1 + (n * 31 + past) %% %(ads)s),
        'rewarded', at, 5, 15, at, 0, at, '', '', at::date, 0, false, ''
    from generate_series(1, %(players)s) n, generate_series(1, 20) past,
        lateral (select now() - past * interval '3 days' as at) moments;
"""
# Each round begins where the first did: everybody has a day of ads before them.
AGAIN: LiteralString = """
set session_replication_role = replica;
truncate coin_entries;
set session_replication_role = default;
delete from ad_views where started_at > now() - interval '1 day';
truncate ad_days, ad_viewers;
update ad_campaigns set taken = 0, taken_today = 0;
update watchers set sitting_started_at = null, last_started_at = null;
"""

PART_2_SHOWN: LiteralString = """
select ads.id, title, ads.description, ad_type, video_url, image_url, duration, reward_coins,
    company_name, click_url <> ''
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
where ads.status = 'active' and campaign.status = 'active' and advertiser.status = 'approved'
    and campaign.starts_at <= %(now)s and campaign.ends_at > %(now)s
order by (ads.id = %(wanted)s) desc, (ads.id = %(seen_last)s) asc, random() limit 1
"""
PART_2_PAY: LiteralString = f"""
with finished as (
    update ad_views view set status = 'rewarded', rewarded_at = %(now)s, ended_at = %(now)s,
        client_seconds = %(client_seconds)s, refusal = null, missing_seconds = null
    where view.id = %(view_id)s and view.account_id = %(account_id)s
        and view.status = 'running' and view.paused_ms = %(paused_ms)s
        and view.paused_at is not distinct from %(paused_at)s
        and view.started_at = %(started_at)s and view.expires_at = %(expires_at)s
        and view.required_seconds = %(required_seconds)s and view.reward_coins = %(reward)s
    returning view.id, view.account_id, view.ad_id, view.reward_coins
),
paid as (
    select finished.account_id, finished.reward_coins as amount, 'ad' as kind,
        'ad:' || finished.id as cause, ads.title as subject, %(now)s::timestamptz as paid_at
    from finished join ads on ads.id = finished.ad_id
),
{CREDITING}
select balance, total from credited
"""


async def _serve_as_part_2(
    session: AsyncSession,
    watcher: Watcher,
    wanted: UUID | None,
    *,
    tab: str,
    device: str,
    now: datetime,
) -> tuple[AdView, ShownAd]:
    last = select(AdView.ad_id).where(AdView.account_id == watcher.account_id)
    seen_last = await session.exec(last.order_by(col(AdView.started_at).desc()).limit(1))
    values = {"wanted": wanted, "seen_last": seen_last.first(), "now": now}
    ad = ShownAd(*(await rows(session, PART_2_SHOWN, values))[0])
    view = AdView(
        account_id=watcher.account_id,
        ad_id=ad.id,
        started_at=now,
        required_seconds=ad.seconds,
        reward_coins=ad.reward,
        expires_at=rules.expiry(timedelta(seconds=ad.seconds), now=now),
        tab_hash=tab,
        device_hash=device,
        day=days.platform_day(now),
    )
    session.add(view)
    await session.flush()
    return view, ad


@contextmanager
def _part_2() -> Iterator[None]:
    """The app as it was before budgets, as far as serving and paying go."""
    today: Any = service._serve, repository.PAY
    service._serve, repository.PAY = _serve_as_part_2, PART_2_PAY
    yield
    service._serve, repository.PAY = today


def measure(_: Sites) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder, _markets(folder) as urls:
        few, many = (_Market(url, ads) for url, ads in zip(urls, (FEW, MANY), strict=True))
        return [*_choosing(few, many), *_budgets(few)]


@dataclass(frozen=True, slots=True)
class _Market:
    url: str
    ads: int

    def run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """The work, by an app that is connected to this market's database."""
        os.environ["DATABASE_URL"] = self.url
        settings.cache_clear()

        async def and_hang_up() -> Any:
            try:
                return await work()
            finally:
                await dispose_engine()

        return asyncio.run(and_hang_up())


@contextmanager
def _markets(folder: str) -> Iterator[tuple[str, str]]:
    """Two databases of one server, alike but for the number of their ads."""
    with embedded.embedded_database(Path(folder)) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        many = running.url.replace(f"/{embedded.DATABASE}?", "/many?")
        maintenance = running.url.replace(f"/{embedded.DATABASE}?", "/postgres?")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"create database many template {embedded.DATABASE}")
        for url, ads in ((running.url, FEW), (many, MANY)):
            _fill(url, ads)
        yield running.url, many


def _fill(url: str, ads: int) -> None:
    campaigns = ads // ADS_A_CAMPAIGN
    values = {
        "ads": ads,
        "campaigns": campaigns,
        "companies": campaigns // CAMPAIGNS_A_COMPANY,
        "players": PLAYERS,
        "born": seal("1990-05-17"),
    }
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(PERSON)
        connection.execute(MARKET, values)
        connection.execute(PEOPLE, values)
    _Market(url, ads).run(_make_servings)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


async def _make_servings() -> None:
    async with transaction() as session:
        await serving.sync(session, now=utc_now())


def _choosing(few: _Market, many: _Market) -> list[Row]:
    """Both questions are asked alike: without the app around them, which costs more than they."""
    reads: dict[int, list[float]] = defaultdict(list)
    choices: dict[int, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for market in (few, many):
            with psycopg.connect(market.url, autocommit=True) as connection:
                reads[market.ads] += _waits(partial(_read, connection, market))
                choices[market.ads] += _waits(partial(_choose, connection))
    read, choice, before = median(reads[MANY]), median(choices[MANY]), median(choices[FEW])
    return [
        Row(
            f"choosing one of {MANY:,} ads / reading one by its key",
            choice / read,
            "x",
            READ_GOAL,
            f"{choice * 1e3:.2f} ms / {read * 1e3:.2f} ms, median of {len(reads[MANY])}, in turns",
        ),
        Row(
            f"choosing one of {MANY:,} ads / one of {FEW}",
            choice / before,
            "x",
            GROWTH_GOAL,
            f"{choice * 1e3:.2f} ms / {before * 1e3:.2f} ms, in turns",
        ),
    ]


def _read(connection: psycopg.Connection, market: _Market, number: int) -> None:
    key = (UUID(int=1 + number * 37 % market.ads),)
    assert connection.execute("select * from ads where id = %s", key).fetchall()


def _choose(connection: psycopg.Connection, number: int) -> None:
    asked = serving.asked_for(
        serving.Wanted(None, UUID(int=1 + number % PLAYERS), is_minor=False), utc_now()
    )
    assert connection.execute(serving.CHOOSE, asked).fetchall()


def _waits(ask: Callable[[int], object]) -> list[float]:
    waits: list[float] = []
    for number in range(WARM_UP + TIMES):
        begun = time.perf_counter()
        ask(number)
        waits.append(time.perf_counter() - begun)
    return waits[WARM_UP:]


def _budgets(market: _Market) -> list[Row]:
    """Everybody watches an ad, 8 at once: of one campaign, and of as many as there are."""
    spread = {"one campaign": 1, f"{market.ads // ADS_A_CAMPAIGN} campaigns": market.ads}
    return [row for name, ads in spread.items() for row in _against_part_2(market, name, ads)]


def _against_part_2(market: _Market, name: str, ads: int) -> list[Row]:
    pairs: list[_Pair] = []
    for _ in range(ROUNDS):
        pairs += market.run(lambda: _watch(market, ads))
    return [
        _row(f"completing with budgets / without, {name}", [pair.completing for pair in pairs]),
        _row(f"serving and completing with budgets / without, {name}", [p.both for p in pairs]),
    ]


def _row(name: str, pairs: list[tuple[float, float]]) -> Row:
    now, before = (median(seconds) / A_BATCH * 1e3 for seconds in zip(*pairs, strict=True))
    return Row(
        name,
        median(mine / theirs for mine, theirs in pairs),
        "x",
        BUDGET_GOAL,
        f"{now:.2f} ms / {before:.2f} ms a view, {AT_ONCE} at once, median of {len(pairs)} turns",
    )


@dataclass(slots=True)
class _Pair:
    """Seconds of two batches, one right after the other: today's, and part 2's."""

    serving: tuple[float, float]
    completing: tuple[float, float] = (0, 0)

    @property
    def both(self) -> tuple[float, float]:
        return self.serving[0] + self.completing[0], self.serving[1] + self.completing[1]


async def _watch(market: _Market, ads: int) -> list[_Pair]:
    """All are served, and then all complete: in turns by today's app and by part 2's."""
    with psycopg.connect(market.url, autocommit=True) as connection:
        connection.execute(AGAIN)
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
    now = utc_now()
    views: dict[int, RunningAd] = {}

    async def start(number: int) -> None:
        views[number] = await _start(number, ads, now=now)

    async def finish(number: int) -> None:
        await _finish(number, views[number], now=now + WATCHED)

    firsts = range(1, PLAYERS + 1, 2 * A_BATCH)
    pairs = [_Pair(await _in_turns(start, first)) for first in firsts]
    for pair, first in zip(pairs, firsts, strict=True):
        pair.completing = await _in_turns(finish, first)
    return pairs


async def _in_turns(work: Callable[[int], Awaitable[None]], first: int) -> tuple[float, float]:
    """Seconds of a batch by today's app, and of the next one by part 2's."""
    today = await _all_at_once(work, first)
    with _part_2():
        return today, await _all_at_once(work, first + A_BATCH)


async def _all_at_once(work: Callable[[int], Awaitable[None]], first: int) -> float:
    people = iter(range(first, first + A_BATCH))

    async def one_after_the_other() -> None:
        for number in people:
            await work(number)

    begun = time.perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
    return time.perf_counter() - begun


def _player(number: int) -> Actor:
    person = UUID(int=number)
    return Actor(person, person, Role.PLAYER, "P", "p@example.com", utc_now(), True)


async def _start(number: int, ads: int, *, now: datetime) -> RunningAd:
    """As the watch page's handler does it."""
    tab = Caller(tab=f"tab-{number}", address="127.0.0.1", user_agent="bench", door_hash="")
    wanted = UUID(int=1 + number % ads)
    async with transaction() as session:
        return await service.start_ad(
            session, _player(number), wanted, tab, fingerprint="", now=now
        )


async def _finish(number: int, view: RunningAd, *, now: datetime) -> None:
    async with transaction() as session:
        await finishing.finish_ad(
            session, _player(number), view.view_id, client_seconds=5, known=view.known, now=now
        )
