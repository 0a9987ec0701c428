"""The leaderboard with a million players and ten million views, against Redis and the ledger.

Each board is asked as its page asks it, the top hundred and one player's own rank, in turns with
a Redis sorted set of the same scores; both by one Python process over a local socket. What the
boards say must be what the ledger adds up to, ties included, before and after ads are finished.
"""

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import LiteralString
from uuid import UUID

import psycopg
from redis.asyncio import Redis as AsyncRedis

from bench import completions, ledgers
from bench.house import NOBODY
from bench.report import Row
from bench.sites import Sites
from rewards_app.core import live
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.features.leaderboard import folding, repository, service
from rewards_app.features.leaderboard.rules import Period, board_of
from tests.serving import Redis

Size = tuple[int, int]
"""Players and views."""
FEW, MANY = (10_000, 100_000), (1_000_000, 10_000_000)
ROUNDS, TIMES, WARM_UP = 5, 30, 10
NAIVE_TIMES = 2
TOP = 100
SAMPLE = 300
FINISHERS, LOOKS, LOAD_SECONDS = 8, 20, 12.0
LOOK_EVERY = 0.02
PATIENCE = 60.0
COST_ROUNDS = 3
REDIS_GOAL, NAIVE_GOAL, GROWTH_GOAL, FRESH_GOAL = 3, 0.001, 1.5, 5
BATCH = 10_000

# The ranks that anybody would work out without boards: by the ledger alone.
RANKED: LiteralString = """
with scores as (
    select account_id, sum(amount) as coins, count(*) filter (where kind = 'ad') as ads
    from coin_entries where kind in ('ad', 'welcome') group by account_id
)
select account_id, coins, ads, rank() over (order by coins desc) as rank from scores
"""
"""All views of these databases are of the present week and month: so is every board."""
NAIVE: LiteralString = f"""
with ranked as ({RANKED})
(select * from ranked order by rank, account_id limit {TOP})
union all select * from ranked where account_id = %s
"""
RUNNING: LiteralString = f"""
insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds, reward_coins,
    expires_at, paused_ms, tab_hash, device_hash, day, price, holds_place, invalid_reason)
    select person(n), person(n), '{NOBODY}', 'running', now(), 5, 15,
        now() + interval '1 day', 0, '', '', current_date, 0, false, ''
    from generate_series(1, %s) n
"""

Waits = dict[tuple[str, Period], list[float]]


def measure(_: Sites | None) -> list[Row]:
    return [*boards(FEW, MANY), _cost_of_folding()]


def boards(few: Size, many: Size) -> list[Row]:
    """Each size is players and views."""
    small: Waits = defaultdict(list)
    large: Waits = defaultdict(list)
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        ledgers.two_databases(folder) as (few_url, many_url),
        _redis() as redis,
    ):
        rebuilding = [_made(url, size, redis) for url, size in ((few_url, few), (many_url, many))]
        for _round in range(ROUNDS):
            _ask(small, few_url, few[0], redis)
            _ask(large, many_url, many[0], redis)
        naive = _naive(many_url, many[0])
        fresh = asyncio.run(_freshness(many_url))
        _prove(many_url, many[0])
    rows = [row for period in Period for row in _rows(period, small, large, naive, few, many)]
    return [*rows, *_others(fresh, rebuilding[-1], many)]


def _rows(
    period: Period, small: Waits, large: Waits, naive: float, few: Size, many: Size
) -> list[Row]:
    ours, theirs, before = (
        median(large["ours", period]),
        median(large["redis", period]),
        median(small["ours", period]),
    )
    name = f"top {TOP} and own rank, {period.value}, {many[0]:,} players"
    count = len(large["ours", period])
    return [
        Row(
            f"{name} / a Redis sorted set",
            ours / theirs,
            "x",
            REDIS_GOAL,
            f"{ours * 1e3:.2f} ms / {theirs * 1e3:.2f} ms, medians of {count}, in turns",
        ),
        Row(
            f"{name} / the naive aggregate",
            ours / naive,
            "x",
            NAIVE_GOAL,
            f"{ours * 1e3:.2f} ms / {naive:.2f} s over {many[1]:,} views",
        ),
        Row(
            f"{name} / {few[0]:,}",
            ours / before,
            "x",
            GROWTH_GOAL,
            f"{ours * 1e3:.2f} ms / {before * 1e3:.2f} ms, medians of {count}, in turns",
        ),
    ]


def _others(fresh: Sequence[float], rebuilding: float, many: Size) -> list[Row]:
    return [
        Row(
            "a finished ad on the board",
            max(fresh),
            "s",
            FRESH_GOAL,
            f"worst of {len(fresh)}, median {median(fresh):.2f} s, while {FINISHERS} others finish"
            f" ads as fast as they can; {many[0]:,} players",
        ),
        Row("boards made anew from the ledger", rebuilding, "s", against=f"{many[1]:,} entries"),
    ]


@contextmanager
def _redis() -> Iterator[str]:
    server = Redis()
    try:
        yield server.url
    finally:
        server.stop()


def _made(url: str, size: Size, redis: str) -> float:
    """Fill the database, its boards, and a sorted set for each; how long the boards took."""
    players, views = size
    ledgers.fill(url, players=players, views=views)
    ledgers.use(url)
    begun = time.perf_counter()
    asyncio.run(_rebuilt())
    took = time.perf_counter() - begun
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
    asyncio.run(_sort(url, redis, players))
    _prove(url, players)
    return took


async def _rebuilt() -> None:
    try:
        async with transaction() as session:
            await service.rebuild(session, now=utc_now())
    finally:
        await dispose_engine()


async def _sort(url: str, redis: str, players: int) -> None:
    client = AsyncRedis.from_url(redis)
    with psycopg.connect(url) as connection:
        found = connection.cursor("scores")
        found.execute("select account_id, coins from board_scores where board = 'all'")
        while batch := found.fetchmany(BATCH):
            await client.zadd(str(players), {str(account): coins for account, coins in batch})
    assert await client.zcard(str(players)) == players
    await client.aclose()


def _ask(waits: Waits, url: str, players: int, redis: str) -> None:
    ledgers.use(url)
    asyncio.run(_ask_everything(waits, players, redis))


async def _ask_everything(waits: Waits, players: int, redis: str) -> None:
    client = AsyncRedis.from_url(redis)
    try:
        for number in range(WARM_UP + TIMES):
            known: Waits = defaultdict(list)
            person = UUID(int=1 + number * 7919 % players)
            for period in Period:
                await _timed(known["ours", period], lambda p=period, a=person: _ours(p, a))
                await _timed(
                    known["redis", period],
                    lambda a=person: _of_redis(client, str(players), str(a)),
                )
            if number >= WARM_UP:
                for what, taken in known.items():
                    waits[what] += taken
    finally:
        await client.aclose()
        await dispose_engine()


async def _timed(waits: list[float], ask: Callable[[], Awaitable[object]]) -> None:
    begun = time.perf_counter()
    await ask()
    waits.append(time.perf_counter() - begun)


async def _ours(period: Period, person: UUID) -> None:
    """Read anew: what a worker keeps of the top for a second helps nobody here."""
    now = utc_now()
    found = await repository.leaders_now(board_of(period, now), now=now)
    own = await service.standing(person, period=period, now=now)
    assert len(found) == TOP + 1
    assert own.rank


async def _of_redis(client: AsyncRedis, key: str, person: str) -> None:
    """One trip for the top with scores, one's own rank and score, and how many there are."""
    asked = client.pipeline(transaction=False)
    asked.zrevrange(key, 0, TOP - 1, withscores=True)
    asked.zrevrank(key, person)
    asked.zscore(key, person)
    asked.zcard(key)
    found, rank, _, _ = await asked.execute()
    assert len(found) == TOP
    assert rank is not None


def _naive(url: str, players: int) -> float:
    """The same answer from the ledger, with as much memory as it likes."""
    waits: list[float] = []
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set work_mem = '256MB'")
        for number in range(NAIVE_TIMES):
            begun = time.perf_counter()
            found = connection.execute(NAIVE, (UUID(int=1 + number * 7919 % players),)).fetchall()
            waits.append(time.perf_counter() - begun)
            assert len(found) == TOP + 1
    return median(waits)


def _prove(url: str, players: int) -> None:
    """Boards, tops and ranks are what the ledger says; equals share a rank."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set work_mem = '256MB'")
        connection.execute(f"create temporary table ranked as {RANKED}")
        connection.execute("create index on ranked (account_id)")
        boards = connection.execute("select distinct board from board_scores").fetchall()
        assert len(boards) == len(Period)
        for (board,) in boards:
            wrong = connection.execute(
                "select count(*) from (select * from board_scores where board = %s) b"
                " full join ranked r using (account_id)"
                " where (b.coins, b.ads, b.is_hidden) is distinct from (r.coins, r.ads, false)",
                (board,),
            ).fetchone()
            assert wrong == (0,), f"{board} differs from the ledger"
        sample = connection.execute(
            f"(select account_id, rank, coins from ranked order by rank limit {TOP})"
            f" union all (select account_id, rank, coins from ranked order by account_id limit %s)",
            (SAMPLE,),
        ).fetchall()
        shared = connection.execute("select count(*) - count(distinct rank) from ranked").fetchone()
    assert shared
    assert shared[0] > players // 100, "many share their rank"
    ledgers.use(url)
    asyncio.run(_same_ranks(sample))


async def _same_ranks(sample: Sequence[tuple[UUID, int, int]]) -> None:
    now = utc_now()
    try:
        for period in Period:
            for account, rank, coins in sample:
                own = await service.standing(account, period=period, now=now)
                assert (own.rank, own.coins) == (rank, coins)
            top = await repository.leaders_now(board_of(period, now), now=now)
            assert [(row.rank, row.coins) for row in top[:TOP]] == [
                (rank, coins) for _, rank, coins in sample[:TOP]
            ]
    finally:
        await dispose_engine()


async def _freshness(url: str) -> list[float]:
    """Seconds from an ad's commit until its coins are on the board, under load."""
    ledgers.use(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(RUNNING, (completions.PLAYERS,))
        known = completions.known_of(connection)
    people = iter(range(LOOKS + 1, completions.PLAYERS + 1))
    await asyncio.sleep(completions.WATCHED_SECONDS)
    until = time.perf_counter() + LOAD_SECONDS

    async def finish_others() -> None:
        for number in people:
            await completions.finish(number, known)
            if time.perf_counter() > until:
                break

    tasks = [asyncio.ensure_future(work()) for work in _WORK]
    load = [asyncio.ensure_future(finish_others()) for _ in range(FINISHERS)]
    try:
        fresh = [await _until_seen(number, known) for number in range(1, LOOKS + 1)]
        await asyncio.gather(*load)
        await _until_seen_all()
        return fresh
    finally:
        await completions.end([*tasks, *load])
        await dispose_engine()


async def _until_seen(number: int, known: completions.Known) -> float:
    person, period = UUID(int=number), Period.ALL
    before = (await service.standing(person, period=period, now=utc_now())).coins
    await completions.finish(number, known)
    begun = time.perf_counter()
    while time.perf_counter() < begun + PATIENCE:
        own = await service.standing(person, period=period, now=utc_now())
        if own.coins > before:
            return time.perf_counter() - begun
        await asyncio.sleep(LOOK_EVERY)
    return PATIENCE


async def _until_seen_all() -> None:
    """What others finished last is counted, too."""
    async with transaction() as session:
        await service.fold(session, now=utc_now())


_WORK = (live.listen, live.tell, folding.keep_folding)
"""What a worker does beside its pages, as far as boards need it."""


def _cost_of_folding() -> Row:
    alone: list[float] = []
    beside: list[float] = []
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        completions.a_database(folder, completions.PERSON, completions.POPULATE) as url,
    ):
        for _ in range(COST_ROUNDS):
            alone.append(asyncio.run(completions.finished_a_second(url, live.listen, live.tell)))
            beside.append(asyncio.run(completions.finished_a_second(url, *_WORK)))
    return Row(
        "completions a second, with boards / without",
        median(beside) / median(alone),
        "x",
        against=f"{median(beside):.0f} / {median(alone):.0f} a second, medians of {COST_ROUNDS},"
        " in turns; the one process also counts them into boards",
    )
