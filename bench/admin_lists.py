"""What the lists of admins cost with a million rows behind them, and with ten thousand.

Each is asked as its tab asks it, first page and thousandth, in turns with one row by its key: by
the same app, on the same server.
"""

import asyncio
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, LiteralString
from uuid import UUID

import psycopg

from bench.completions import PERSON
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.database import AsyncSession, dispose_engine, rows, transaction
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.accounts import directory
from rewards_app.features.advertiser import review
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import log
from rewards_app.features.fraud import detections
from rewards_app.features.shop import back_office
from rewards_app.features.waitlist import service as waitlist

FEW, MANY = 10_000, 1_000_000
PAGES = 1000
ROUNDS, TIMES, WARM_UP = 5, 8, 4
KEY_GOAL, GROWTH_GOAL = 20, 1.5

# Whoever is named in a list is there; nothing is checked while it is filled.
FILL: tuple[LiteralString, ...] = (
    """insert into accounts (id, email, email_verified_at, password_changed_at, role,
        asked_for_admin, username, display_name, country, language, created_at)
    select person(n), 'player-' || n || '@example.com', now(), now(), 'player', false, 'P' || n,
        'Player ' || n, 'SE', 'en', now() - n * interval '1 second'
    from generate_series(1, %(rows)s) n""",
    """insert into account_restrictions (id, account_id, kind, reason, is_automatic, begun_at,
        end_reason)
    select person(n), person(n), 'earning_paused', 'Bench', true, now(), ''
    from generate_series(1, %(rows)s) n""",
    """insert into security_alerts (id, severity, alert_type, description, params, about, times,
        resolved, created_at, last_at)
    select person(n), (array['critical', 'high', 'medium', 'low'])[1 + n %% 4], 'limit_storm',
        'Bench', '{}', '', 1, n > %(rows)s, now(), now()
    from generate_series(1, 2 * %(rows)s) n""",
    """insert into fraud_signals (id, account_id, rule, risk_score, patterns, action_taken,
        evidence, created_at)
    select person(n), person(1 + n %% %(rows)s), 'early_completion', n %% 100,
        array['early_completion'], 'none', '{}', now() - n * interval '1 second'
    from generate_series(1, %(rows)s) n""",
    """insert into purchases (id, account_id, attempt, package_id, product_name, game,
        currency_amount, price_kr, coins_spent, status, purchase_code, created_at, ended_at,
        refund_reason)
    select person(n), person(1 + n %% %(rows)s), person(n), 'vbucks-1000', '1000 V-Bucks',
        'Fortnite', 1000, 89, 40, 'completed', 'COIN-' || n, now(), now(), ''
    from generate_series(1, %(rows)s) n""",
    """insert into payments (id, account_id, purpose, subject_id, description, amount, currency,
        provider, status, checkout_id, intent_id, expires_at, looks, is_being_cancelled, charged,
        paid_at, created_at)
    select person(n), person(1 + n %% %(rows)s), 'purchase', person(n), 'Bench', 4900, 'sek',
        'stripe', 'paid', 'cs_' || n, 'pi_' || n, now(), 0, false, 4900, now(), now()
    from generate_series(1, %(rows)s) n""",
    """insert into audit_entries (number, created_at, origin, actor_id, actor_name, action, about,
        label, before, after, reason, hash, salt, digest)
    select n, now(), 'person', person(1 + n %% 20), 'Linnea', (array['role_changed',
        'order_refunded', 'ad_approved'])[1 + n %% 3], 'account:' || person(n), 'Player ' || n,
        '{}', '{}', 'Bench', '', '', ''
    from generate_series(1, %(rows)s) n""",
    """insert into waitlist (id, email, user_agent, notified, created_at)
    select person(n), 'waiting-' || n || '@example.com', '', n %% 2 = 0,
        now() - n * interval '1 second'
    from generate_series(1, %(rows)s) n""",
    """insert into advertisers (id, account_id, company_name, email, website, status, reason,
        decided_at, balance, reaches_minors, starts_by_itself, tags_links, mails_reviews,
        mails_budgets, mails_reports, created_at, updated_at)
    select person(n), case when n <= %(rows)s then person(n) end, 'Company ' || n, '', '',
        case when n > %(rows)s then 'approved' else 'pending' end, '',
        case when n > %(rows)s then now() - n * interval '1 second' end, 0, true, true, false, true,
        true, true, now(), now() - n * interval '1 second'
    from generate_series(1, 2 * %(rows)s) n""",
    """insert into ad_campaigns (id, advertiser_id, name, description, status, budget_cents,
        starts_at, ends_at, taken, taken_today, ended_by, created_at, updated_at)
    select person(n), person(n), 'Campaign ' || n, '', 'active', 50000, now(),
        now() + interval '1 day', 0, 0, '', now(), now()
    from generate_series(1, 1000) n""",
    """insert into ads (id, campaign_id, title, description, ad_type, video_url, image_url,
        click_url, duration, reward_coins, status, review_reason, created_at, updated_at)
    select person(n), person(1 + n %% 1000), 'Ad ' || n, '', 'image', '', '', '', 5, 15,
        'pending_review', '', now(), now() - n * interval '1 second'
    from generate_series(1, %(rows)s) n""",
)
A_KEY: LiteralString = "select * from accounts where id = %(id)s"

Page = tuple[int, Any]
"""How many rows it has, and where it goes on."""
Ask = Callable[[AsyncSession, Any], Awaitable[Page]]


async def _people(session: AsyncSession, before: Any, which: directory.Which) -> Page:
    found = await directory.find(session, directory.Search(which=which), before=before)
    return len(found.shown), found.next_before


async def _everybody(session: AsyncSession, before: Any) -> Page:
    return await _people(session, before, directory.Which.EVERYBODY)


async def _restricted(session: AsyncSession, before: Any) -> Page:
    return await _people(session, before, directory.Which.RESTRICTED)


async def _open_alerts(session: AsyncSession, before: Any) -> Page:
    found = await alerts.newest(session, before=before)
    return len(found.shown), found.next_before


async def _resolved_alerts(session: AsyncSession, before: Any) -> Page:
    found = await alerts.newest(session, is_resolved=True, before=before)
    return len(found.shown), found.next_before


async def _fraud(session: AsyncSession, before: Any) -> Page:
    found = await detections.newest(session, before=before)
    return len(found.shown), found.next_before


async def _orders(session: AsyncSession, before: Any) -> Page:
    found = await back_office.find(session, back_office.Search(), before=before)
    return len(found.shown), found.next_before


async def _audit(session: AsyncSession, before: Any) -> Page:
    found = await log.find(session, log.Search(), before=before)
    return len(found.shown), found.next_before


async def _waitlist(session: AsyncSession, before: Any) -> Page:
    found = await waitlist.newest(session, before=before)
    return len(found.shown), found.next_before


async def _pending(session: AsyncSession, before: Any) -> Page:
    found = await review.pending(session, before=before)
    return len(found.shown), found.next_before


async def _processed(session: AsyncSession, before: Any) -> Page:
    found = await review.processed(session, before=before)
    return len(found.shown), found.next_before


async def _ads(session: AsyncSession, after: Any) -> Page:
    found = await review.pending_ads(session, after=after)
    return len(found.shown), found.next_after


@dataclass(frozen=True, slots=True)
class Listed:
    ask: Ask
    order: LiteralString
    """All of it, in the list's own order."""
    a_page: int = 25


LISTS: Mapping[str, Listed] = {
    "people": Listed(_everybody, "select id from accounts order by id desc"),
    "people with restrictions": Listed(
        _restricted, "select distinct account_id from account_restrictions order by 1 desc"
    ),
    "open alerts": Listed(
        _open_alerts, "select id from security_alerts where not resolved order by id desc", 50
    ),
    "resolved alerts": Listed(
        _resolved_alerts, "select id from security_alerts where resolved order by id desc", 50
    ),
    "fraud log": Listed(
        _fraud, "select created_at, id from fraud_signals order by created_at desc, id desc", 20
    ),
    "orders": Listed(_orders, "select id from purchases order by id desc"),
    "audit log": Listed(_audit, "select number from audit_entries order by number desc"),
    "waitlist": Listed(
        _waitlist, "select created_at, id from waitlist order by created_at desc, id desc"
    ),
    "pending applications": Listed(
        _pending,
        "select id from advertisers where status = 'pending' order by updated_at desc, id desc",
    ),
    "processed applications": Listed(
        _processed,
        "select id from advertisers where status <> 'pending'"
        " order by coalesce(decided_at, created_at) desc, id desc",
    ),
    "ads to review": Listed(
        _ads, "select id from ads where status = 'pending_review' order by updated_at, id"
    ),
}
Waits = dict[tuple[str, str], list[float]]
KEY = ("a row by its key", "")


def measure(_: Sites | None, *, few: int = FEW, many: int = MANY, pages: int = PAGES) -> list[Row]:
    small: Waits = defaultdict(list)
    large: Waits = defaultdict(list)
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        _databases(folder, few, many) as urls,
    ):
        for _round in range(ROUNDS):
            for waits, url, page in ((small, urls[0], 2), (large, urls[1], pages)):
                for what, taken in _asked(url, page).items():
                    waits[what] += taken
    return [row for name in LISTS for row in _rows(name, small, large, few, many, pages)]


def _rows(name: str, small: Waits, large: Waits, few: int, many: int, pages: int) -> list[Row]:
    key, first = median(large[KEY]), median(large[name, "first"])
    later, before = median(large[name, "later"]), median(small[name, "first"])
    said = "{:.2f} ms / {:.2f} ms, medians of " + str(len(large[KEY])) + ", in turns"
    return [
        Row(
            f"{name}, first page of {many:,} / a row by its key",
            first / key,
            "x",
            KEY_GOAL,
            said.format(first * 1e3, key * 1e3),
        ),
        Row(
            f"{name}, page {pages:,} of {many:,} / a row by its key",
            later / key,
            "x",
            KEY_GOAL,
            said.format(later * 1e3, key * 1e3),
        ),
        Row(
            f"{name}, first page of {many:,} / of {few:,}",
            first / before,
            "x",
            GROWTH_GOAL,
            said.format(first * 1e3, before * 1e3),
        ),
        Row(
            f"{name}, page {pages:,} / first page of {many:,}",
            later / first,
            "x",
            GROWTH_GOAL,
            said.format(later * 1e3, first * 1e3),
        ),
    ]


@contextmanager
def _databases(folder: str, few: int, many: int) -> Generator[tuple[str, str]]:
    """Two of one server, alike but for how much is in them."""
    with embedded.embedded_database(Path(folder)) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        schema.upgrade()
        large = running.url.replace(f"/{embedded.DATABASE}?", "/large?")
        maintenance = running.url.replace(f"/{embedded.DATABASE}?", "/postgres?")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"create database large template {embedded.DATABASE}")
        for url, count in ((running.url, few), (large, many)):
            _fill(url, count)
        yield running.url, large


def _fill(url: str, count: int) -> None:
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(PERSON)
        connection.execute("set session_replication_role = replica")
        connection.execute("set synchronous_commit = off")
        for statement in FILL:
            connection.execute(statement, {"rows": count})
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


def _asked(url: str, pages: int) -> Waits:
    os.environ["DATABASE_URL"] = url
    settings.cache_clear()
    return asyncio.run(_ask_everything(pages, _cursors(url, pages)))


def _cursors(url: str, pages: int) -> dict[str, Any]:
    """After which row each list's page with that number begins, as the list names it."""
    found: dict[str, Any] = {}
    with psycopg.connect(url, autocommit=True) as connection:
        for name, listed in LISTS.items():
            shown = (pages - 1) * listed.a_page - 1
            query: LiteralString = f"{listed.order} offset %s limit 1"
            row = connection.execute(query, (shown,)).fetchone()
            assert row, f"{name} has no page {pages}"
            found[name] = row if len(row) > 1 else row[0]
    return found


async def _ask_everything(pages: int, cursors: Mapping[str, Any]) -> Waits:
    waits: Waits = defaultdict(list)
    try:
        for number in range(WARM_UP + TIMES):
            known: Waits = defaultdict(list)
            for name, listed in LISTS.items():
                await _timed(known[KEY], _a_key, number + 1)
                await _timed(known[name, "first"], listed.ask, None)
                await _timed(known[name, "later"], listed.ask, cursors[name])
            if number >= WARM_UP:
                for what, taken in known.items():
                    waits[what] += taken
    finally:
        await dispose_engine()
    return waits


async def _a_key(session: AsyncSession, number: int) -> Page:
    found = await rows(session, A_KEY, {"id": UUID(int=number)})
    return len(found), None


async def _timed(waits: list[float], ask: Ask, where: Any) -> None:
    begun = time.perf_counter()
    async with transaction() as session:
        count, _ = await ask(session, where)
    waits.append(time.perf_counter() - begun)
    assert count, "a page has rows"
