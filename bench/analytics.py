"""A year of analytics over five million views: from the days that are kept, and counted again.

Both answers are compared: what is quick must also be true.
"""

import asyncio
import tempfile
import time
from datetime import date
from statistics import median
from typing import Any, LiteralString

import psycopg

from bench.completions import PERSON, a_database
from bench.house import NOBODY
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import figure_rules, figures
from rewards_app.features.advertiser.figure_rules import Figures, Period, Span
from rewards_app.features.advertiser.membership import Scope

VIEWS = 5_000_000
VIEWERS = 20_000
CAMPAIGNS, ADS = 5, 20
QUICK_ROUNDS, WARM_UP = 15, 3
RECOUNTS = 3
GOAL = 0.01

COMPANY: LiteralString = f"""
insert into advertisers (id, company_name, email, website, status, reason, balance, reaches_minors,
    starts_by_itself, tags_links, mails_reviews, mails_budgets, mails_reports, created_at,
    updated_at)
    values ('{NOBODY}', 'Bench', '', '', 'approved', '', 0, true, true, false, true, true, true,
        now(), now());
insert into ad_campaigns (id, advertiser_id, name, description, status, budget_cents,
    daily_budget_cents, starts_at, ends_at, taken, taken_today, ended_by, created_at, updated_at)
    select person(n), '{NOBODY}', 'Bench ' || n, '', 'active', 2500, 2000, now(),
        now() + interval '1 day', 0, 0, '', now(), now()
    from generate_series(1, {CAMPAIGNS}) n;
insert into ads (id, campaign_id, title, description, ad_type, video_url, image_url, click_url,
    duration, reward_coins, status, review_reason, created_at, updated_at)
    select person(n), person(1 + n % {CAMPAIGNS}), 'Bench ' || n, '', 'image', '', '', '', 5, 15,
        'active', '', now(), now()
    from generate_series(1, {ADS}) n;
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), n || '@example.com', now(), 'player', false, 'P' || n, 'P' || n, 'SE', 'en',
        now()
    from generate_series(1, {VIEWERS}) n;
"""
# Without the indexes that neither answer reads: they alone would take minutes to fill.
QUICKLY: LiteralString = """
set session_replication_role = replica;
drop index ix_ad_views_ad_id, ix_ad_views_account_id_started_at, ix_ad_views_account_id_rewarded_at,
    ix_ad_views_rewarded_at;
alter table ad_views drop constraint ad_views_pkey;
"""
A_YEAR_OF_VIEWS: LiteralString = f"""
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, rewarded_at, ended_at, clicked_at, tab_hash, device_hash, day, price,
    holds_place, age_group, invalid_at, invalid_reason)
    select id_at(at, n), person(1 + n * 7919 % {VIEWERS}), person(1 + hash % {ADS}),
        case when is_finished then 'rewarded' else 'given_up' end, at, 5, 15, at, 0,
        case when is_finished then at end, at,
        case when hash % 1000 < 30 + hash % {ADS} then at end, '', '', at::date, 2500, false,
        n * 7919 % {VIEWERS} % 5, case when is_finished and hash % 10007 = 0 then at end, ''
    from generate_series(1::bigint, {VIEWS}) n,
        lateral (select abs(hashint8(n)::bigint) as hash,
            (%(today)s::date + interval '12 hours' - n * interval '364 days' / {VIEWS})
                at time zone 'UTC' as at) as drawn,
        lateral (select hash % 100 < 85 as is_finished) as judged;
"""
# As each view would have left them; older days are in one row, as a job each night folds them.
KEPT: LiteralString = f"""
insert into ad_days (ad_id, day, slot, campaign_id, advertiser_id, impressions, completions,
    clicks, spend, rewards)
    select ad_id, day, case when day > %(today)s::date - 2 then get_byte(uuid_send(view.id), 15) % 8
        else 0 end, campaign_id, '{NOBODY}', count(*),
        count(*) filter (where view.status = 'rewarded' and invalid_at is null), count(clicked_at),
        coalesce(sum(price) filter (where view.status = 'rewarded' and invalid_at is null), 0),
        coalesce(sum(view.reward_coins) filter (where view.status = 'rewarded'), 0)
    from ad_views view join ads on ads.id = ad_id group by 1, 2, 3, 4;
insert into ad_viewers (advertiser_id, account_id, age_group, last_day)
    select '{NOBODY}', account_id, max(age_group), max(day) from ad_views group by account_id;
"""

SUMS: LiteralString = """
count(*), count(*) filter (where view.status = 'rewarded' and invalid_at is null),
    count(clicked_at),
    coalesce(sum(price) filter (where view.status = 'rewarded' and invalid_at is null), 0)::bigint
"""
OF_COMPANY: LiteralString = """
from ad_views view join ads on ads.id = view.ad_id
    join ad_campaigns campaign on campaign.id = ads.campaign_id
where campaign.advertiser_id = %(company)s and day between %(first)s and %(last)s
"""
RECOUNT: tuple[LiteralString, ...] = (
    f"select day, {SUMS} {OF_COMPANY} group by day",
    f"""select ads.title, {SUMS} {OF_COMPANY} group by ads.id
        order by count(clicked_at)::numeric / count(*) desc, count(*) desc, ads.id limit 4""",
    f"""select age_group, count(distinct account_id) {OF_COMPANY} group by age_group""",
)
"""What the page shows, counted from the views themselves: days, best ads, ages."""


def measure(_: Sites) -> list[Row]:
    span = figure_rules.span_of(Period.YEAR, platform_day(utc_now()))
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        a_database(folder, PERSON, COMPANY) as url,
    ):
        _fill(url, span.last)
        quick, answer = asyncio.run(_from_days())
        slow, truth = _recounted(url, span)
    assert answer == truth, "the analytics are not what the views add up to"
    return [
        Row(
            f"analytics of a year, {VIEWS:,} views, ours / recount",
            quick / slow,
            "x",
            GOAL,
            f"{quick * 1e3:.1f} ms / {slow * 1e3:.0f} ms, medians of {QUICK_ROUNDS} and {RECOUNTS};"
            " equal",
        )
    ]


def _fill(url: str, today: date) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(QUICKLY)
        for statement in (A_YEAR_OF_VIEWS, *KEPT.split(";\n")):
            if statement.strip():
                connection.execute(_with(statement, today))
        connection.execute("vacuum analyze")


def _with(statement: str, today: date) -> Any:
    return statement.replace("%(today)s", f"'{today.isoformat()}'")


Answer = tuple[dict[date, Figures], list[tuple[str, Figures]], dict[AgeGroup, int]]


async def _from_days() -> tuple[float, Answer]:
    """All that the page asks when it opens."""
    waits: list[float] = []
    scope = Scope(NOBODY)
    try:
        for _ in range(WARM_UP + QUICK_ROUNDS):
            now = utc_now()
            begun = time.perf_counter()
            async with transaction() as session:
                found = await figures.analytics(session, scope, Period.YEAR, now=now)
                ages = await figures.audience(session, scope, Period.YEAR, now=now)
            waits.append(time.perf_counter() - begun)
    finally:
        await dispose_engine()
    answer = (
        {day: sums for day, sums in found.days if sums.impressions},
        [(ad.title, ad.figures) for ad in found.best_ads],
        {age.group: age.viewers for age in ages if age.viewers},
    )
    return median(waits[WARM_UP:]), answer


def _recounted(url: str, span: Span) -> tuple[float, Answer]:
    values = {"company": NOBODY, "first": span.first, "last": span.last}
    waits: list[float] = []
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(RECOUNTS):
            begun = time.perf_counter()
            days, ads, ages = (connection.execute(one, values).fetchall() for one in RECOUNT)
            waits.append(time.perf_counter() - begun)
    return median(waits), (
        {day: Figures(*sums) for day, *sums in days},
        [(title, Figures(*sums)) for title, *sums in ads],
        {AgeGroup(group): count for group, count in ages},
    )
