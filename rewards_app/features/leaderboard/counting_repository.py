"""Counting the ledger into the boards: a few statements, each over everything that is new."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.database import AsyncSession, plan_for_these_values, rows, write
from rewards_app.features.ads.days import PLATFORM_CALENDAR, Calendar, Day
from rewards_app.features.coins.rules import EARNING
from rewards_app.features.leaderboard.rules import Period, kept_boards, kept_since
from rewards_app.features.leaderboard.streak_rules import OwnDays, Run

ONE_AT_A_TIME = 7_301_022_144_105
"""The advisory lock of whoever counts."""


@dataclass(frozen=True, slots=True)
class Progress:
    """As `BoardProgress` has it."""

    counted: str
    settled_to: int
    newest: int
    open_until: int
    is_of_here: bool = True
    """False where the database came from a server whose transactions were numbered otherwise."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at the ledger found, and which transactions could still add to it."""

    counted: str
    newest: int
    oldest_open: int
    next_open: int
    scores: int = 0
    """How many scores have changed."""


WIDTHS: LiteralString = "unnest(array[0, 6, 12, 18]) as width"
"""Players are counted in steps of 1, 64, 4,096 and 262,144 coins: see `BoardStep`."""
HIDDEN: LiteralString = """
(exists (select from account_restrictions
    where account_restrictions.account_id = {account} and kind = 'suspended' and ended_at is null)
or exists (select from accounts where accounts.id = {account}
    and (role = any(%(others)s) or closed_at is not null)))
"""
EARNED: LiteralString = """
account_id, sum(amount) as coins, count(*) filter (where kind = 'ad') as ads
    from fresh where kind = any(%(earning)s)
"""
LOCAL: LiteralString = "created_at at time zone %(zone)s"
GAINS: LiteralString = f"""
gains as (
    select 'all' as board, {EARNED} group by account_id
    union all
    select 'm:' || to_char(month, 'YYYY-MM'), account_id, coins, ads from (
        select date_trunc('month', {LOCAL}) as month, {EARNED}
            and created_at >= %(month_since)s group by month, account_id
    ) as months
    union all
    select 'w:' || to_char(week, 'YYYY-MM-DD'), account_id, coins, ads from (
        select date_trunc('week', {LOCAL}) as week, {EARNED}
            and created_at >= %(week_since)s group by week, account_id
    ) as weeks
)
"""  # noqa: S608  (all parts are ours)
"""`fresh` has entries; of weeks and months only those are counted whose boards are kept."""
STEPPING: LiteralString = f"""
changes as (
    select board, width, step, sum(change)::integer as change from (
        select board, width, after >> width as step, 1 as change
        from moved cross join {WIDTHS} where after is not null
        union all
        select board, width, before >> width, -1
        from moved cross join {WIDTHS} where before is not null
    ) as steps group by board, width, step having sum(change) <> 0
),
raised as (
    insert into board_steps as known (board, width, step, players)
    select board, width, step, change from changes where change > 0
    on conflict (board, width, step) do update set players = known.players + excluded.players
),
lowered as (
    update board_steps set players = players + change from changes
    where change < 0 and board_steps.board = changes.board
        and board_steps.width = changes.width and board_steps.step = changes.step
),
added_up as (
    insert into boards as known (board, players, ads, coins)
    select board, count(after) - count(before), sum(ads),
        coalesce(sum(after), 0) - coalesce(sum(before), 0)
    from moved group by board
    on conflict (board) do update set players = known.players + excluded.players,
        ads = known.ads + excluded.ads, coins = known.coins + excluded.coins
)
"""  # noqa: S608  (all parts are ours)
"""Parts of one statement: `moved` has board, after, before, and by how many ads it changed.

`before` is empty for who comes, `after` for who goes. Steps that empty stay: there are few.
"""
OTHERS: LiteralString = """
written_by is distinct from pg_current_xact_id_if_assigned()::text::bigint
"""
"""What this transaction has written itself is counted by the next one, which sees it committed."""
UNCOUNTED: LiteralString = f"""
number > %(settled_to)s and {OTHERS}
    and not pg_visible_in_snapshot(written_by::text::xid8, %(counted)s::pg_snapshot)
"""
FOLD: LiteralString = f"""
with fresh as materialized (
    select number, account_id, amount, kind, created_at from coin_entries where {UNCOUNTED}
),
{GAINS},
scored as (
    insert into board_scores as known (board, account_id, coins, ads, is_hidden)
    select board, account_id, coins, ads, {HIDDEN.replace("{account}", "gains.account_id")}
    from gains order by board, account_id
    on conflict (board, account_id) do update
        set coins = known.coins + excluded.coins, ads = known.ads + excluded.ads
    returning board, account_id, coins, is_hidden
),
moved as (
    select board, scored.coins as after, gains.ads,
        nullif(scored.coins - gains.coins, 0)::bigint as before
    from scored join gains using (board, account_id) where not is_hidden
),
{STEPPING}
select pg_current_snapshot()::text, (select coalesce(max(number), 0) from coin_entries),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    (select count(*) from scored)
"""  # noqa: S608  (all parts are ours)

RECONCILE: LiteralString = f"""
with suspended as materialized (
    select account_id from account_restrictions where kind = 'suspended' and ended_at is null
    union select id from accounts where role = any(%(others)s)
    union select id from accounts where closed_at is not null
),
wrong as (
    select board, score.account_id from suspended
        join board_scores score using (account_id) where not is_hidden
    union all
    select board, account_id from board_scores
    where is_hidden and not exists (
        select from suspended where suspended.account_id = board_scores.account_id)
),
turned as (
    update board_scores set is_hidden = not is_hidden from wrong
    where board_scores.board = wrong.board and board_scores.account_id = wrong.account_id
    returning board_scores.board, coins, ads, is_hidden
),
moved as (
    select board, case when not is_hidden then coins end as after,
        case when is_hidden then coins end as before,
        case when is_hidden then -ads else ads end as ads
    from turned
),
{STEPPING}
select count(*) from turned
"""  # noqa: S608  (all parts are ours)

NEW_DAYS: LiteralString = f"""
select entry.account_id, entry.created_at,
    streak.days, streak.best, streak.day_starts_at, streak.day_ends_at, streak.holds_until,
    watcher.time_zone, watcher.zone_since, watcher.next_time_zone,
    watcher.day_starts_at, watcher.day_ends_at
from coin_entries entry
    left join streaks streak using (account_id) left join watchers watcher using (account_id)
where {UNCOUNTED} and kind = 'ad'
    and (streak.day_ends_at is null or entry.created_at >= streak.day_ends_at)
order by entry.account_id, entry.created_at
"""  # noqa: S608  (all parts are ours)
KEEP_STREAKS: LiteralString = """
insert into streaks (account_id, days, best, day_starts_at, day_ends_at, holds_until)
select * from unnest(%(accounts)s::uuid[], %(days)s::integer[], %(best)s::integer[],
    %(starts)s::timestamptz[], %(ends)s::timestamptz[], %(holds)s::timestamptz[])
on conflict (account_id) do update set days = excluded.days, best = excluded.best,
    day_starts_at = excluded.day_starts_at, day_ends_at = excluded.day_ends_at,
    holds_until = excluded.holds_until
"""

# Who holds the lock for a moment lets every entry that has a number be finished.
SETTLE_ALL: tuple[LiteralString, ...] = (
    "savepoint settling",
    "lock table coin_entries in share mode",
)
LET_GO: LiteralString = "rollback to savepoint settling"
EMPTY: tuple[LiteralString, ...] = (
    "delete from board_progress",
    "delete from board_steps",
    "delete from boards",
    "delete from board_scores",
)
SCORE_ALL: LiteralString = f"""
with fresh as not materialized (
    select account_id, amount, kind, created_at from coin_entries
),
{GAINS},
hidden as materialized (
    select account_id from account_restrictions where kind = 'suspended' and ended_at is null
    union select id from accounts where role = any(%(others)s)
    union select id from accounts where closed_at is not null
),
scored as (
    insert into board_scores (board, account_id, coins, ads, is_hidden)
    select board, account_id, coins, ads, hidden.account_id is not null
    from gains left join hidden using (account_id) order by board, account_id
)
select pg_current_snapshot()::text, (select coalesce(max(number), 0) from coin_entries),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
"""  # noqa: S608  (all parts are ours)
STEP_ALL: LiteralString = f"""
insert into board_steps (board, width, step, players)
select board, width, coins >> width, count(*)
from board_scores cross join {WIDTHS}
where not is_hidden group by board, width, coins >> width
"""  # noqa: S608  (all parts are ours)
ADD_UP_ALL: LiteralString = """
insert into boards (board, players, ads, coins)
select board, count(*), sum(ads), sum(coins) from board_scores where not is_hidden group by board
"""
STREAKS_OF_ALL: LiteralString = """
insert into streaks as known (account_id, days, best, day_starts_at, day_ends_at, holds_until)
with zones as materialized (
    select account_id, coalesce(zone.name, 'UTC') as zone
    from watchers left join pg_timezone_names zone on zone.name = time_zone
),
days as (
    select account_id, coalesce(zone, 'UTC') as zone,
        (created_at at time zone coalesce(zone, 'UTC'))::date as day
    from coin_entries left join zones using (account_id) where kind = 'ad'
    group by account_id, zone, day
),
runs as (
    select account_id, zone, count(*) as days, max(day) as last from (
        select account_id, zone, day, day - (row_number() over (
            partition by account_id order by day))::integer as began from days
    ) as numbered group by account_id, zone, began
),
latest as (
    select distinct on (account_id) account_id, zone, days, last,
        max(days) over (partition by account_id) as best
    from runs order by account_id, last desc
)
select account_id, days, best, last::timestamp at time zone zone,
    (last + 1)::timestamp at time zone zone, (last + 2)::timestamp at time zone zone from latest
on conflict (account_id) do update set days = excluded.days,
    best = greatest(known.best, excluded.best), day_starts_at = excluded.day_starts_at,
    day_ends_at = excluded.day_ends_at, holds_until = excluded.holds_until
"""
"""By the zone that each player has now. What was best stays."""

DIFFERENCES: LiteralString = f"""
with fresh as not materialized (
    select account_id, amount, kind, created_at from coin_entries
    where number <= %(settled_to)s or written_by is null
        or pg_visible_in_snapshot(written_by::text::xid8, %(counted)s::pg_snapshot)
),
{GAINS},
scores as (
    select count(*) as wrong from gains full join board_scores score using (board, account_id)
    where board = any(%(boards)s)
        and (gains.coins, gains.ads) is distinct from (score.coins, score.ads)
),
steps as (
    select count(*) as wrong from (
        select board, width, coins >> width as step, count(*)
        from board_scores cross join {WIDTHS}
        where not is_hidden group by board, width, coins >> width
    ) as real full join (select * from board_steps where players > 0) as known
        using (board, width, step)
    where real.count is distinct from known.players
),
totals as (
    select count(*) as wrong from (
        select board, count(*) as players, sum(ads) as ads, sum(coins) as coins
        from board_scores where not is_hidden group by board
    ) as real full join (select * from boards where players > 0) as known using (board)
    where (real.players, real.ads, real.coins)
        is distinct from (known.players, known.ads, known.coins)
)
select scores.wrong + steps.wrong + totals.wrong from scores, steps, totals
"""  # noqa: S608  (all parts are ours)
FORGET: tuple[LiteralString, ...] = (
    "delete from board_steps where board <> all(%(kept)s)",
    "delete from boards where board <> all(%(kept)s)",
)
FORGET_SCORES: LiteralString = """
delete from board_scores where ctid = any(array(
    select ctid from board_scores where board <> all(%(kept)s) limit %(most)s))
"""


async def is_alone(session: AsyncSession) -> bool:
    """Whether nobody else counts until this transaction ends."""
    tried: LiteralString = "select pg_try_advisory_xact_lock(%(key)s)"
    return bool((await write(session, tried, {"key": ONE_AT_A_TIME}))[0])


async def wait_to_be_alone(session: AsyncSession) -> None:
    await write(session, "select pg_advisory_xact_lock(%(key)s)", {"key": ONE_AT_A_TIME})


async def progress(session: AsyncSession) -> Progress | None:
    found = await write(
        session,
        "select counted, settled_to, newest, open_until,"
        " pg_snapshot_xmax(counted::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())"
        " from board_progress",
        {},
    )
    return Progress(*found) if found else None


async def keep(session: AsyncSession, known: Progress) -> None:
    await _do(
        session,
        "insert into board_progress (id, counted, settled_to, newest, open_until)"
        " values (1, %(counted)s, %(settled_to)s, %(newest)s, %(open_until)s)"
        " on conflict (id) do update set counted = excluded.counted,"
        " settled_to = excluded.settled_to, newest = excluded.newest,"
        " open_until = excluded.open_until",
        {
            "counted": known.counted,
            "settled_to": known.settled_to,
            "newest": known.newest,
            "open_until": known.open_until,
        },
    )


async def fold(session: AsyncSession, known: Progress, *, now: datetime) -> Seen:
    """Count what is new into scores, steps and boards: one statement, so one moment."""
    await plan_for_these_values(session)
    found = await write(session, FOLD, _values(now) | _uncounted(known))
    return Seen(*found)


async def reconcile(session: AsyncSession) -> int:
    """Take who is suspended or gone off the boards, put others back; how many scores that were."""
    found = await write(session, RECONCILE, {"others": _who_does_not_play()})
    return found[0]


@dataclass(frozen=True, slots=True)
class NewDay:
    """An ad of a day that has not counted yet for its player, as far as the streaks know."""

    account_id: UUID
    at: datetime
    run: Run | None
    days: OwnDays


async def new_days(session: AsyncSession, known: Progress) -> list[NewDay]:
    """In the order in which they happened, player by player."""
    return [_new_day(*row) for row in await rows(session, NEW_DAYS, _uncounted(known))]


def _new_day(account_id: UUID, at: datetime, *joined: Any) -> NewDay:
    length, best, began, ended, holds_until, zone, since, following, begins, ends = joined
    run = Run(length, best, Day(began, ended), holds_until) if length else None
    own = OwnDays(Calendar())
    if zone is not None:
        own = OwnDays(Calendar(zone, since, following), Day(begins, ends))
    return NewDay(account_id, at, run, own)


async def keep_streaks(session: AsyncSession, streaks: dict[UUID, Run]) -> None:
    if not streaks:
        return
    accounts = sorted(streaks)
    runs = [streaks[account_id] for account_id in accounts]
    await _do(
        session,
        KEEP_STREAKS,
        {
            "accounts": accounts,
            "days": [run.days for run in runs],
            "best": [run.best for run in runs],
            "starts": [run.day.starts_at for run in runs],
            "ends": [run.day.ends_at for run in runs],
            "holds": [run.holds_until for run in runs],
        },
    )


AT_LENGTH: LiteralString = "set local work_mem = '128MB'"
"""For what adds up the whole ledger: on disk it would take twice as long."""


async def count_all(session: AsyncSession, *, now: datetime) -> Progress:
    """Make scores, steps and boards from the whole ledger. Nobody waits for it but a moment."""
    await _do(session, AT_LENGTH, {})
    for statement in SETTLE_ALL:
        await _do(session, statement, {})
    newest: LiteralString = "select coalesce(max(number), 0) from coin_entries"
    settled_to = (await write(session, newest, {}))[0]
    await _do(session, LET_GO, {})
    for statement in EMPTY:
        await _do(session, statement, {})
    seen = Seen(*await write(session, SCORE_ALL, _values(now)))
    await _do(session, STEP_ALL, {})
    await _do(session, ADD_UP_ALL, {})
    return Progress(seen.counted, settled_to, seen.newest, seen.next_open)


async def streaks_of_all(session: AsyncSession) -> None:
    await _do(session, STREAKS_OF_ALL, {})


async def differences(session: AsyncSession, known: Progress, *, now: datetime) -> int:
    """How many scores, steps and totals are not what the counted entries add up to."""
    await _do(session, AT_LENGTH, {})
    values = _values(now) | _uncounted(known) | {"boards": kept_boards(now)}
    return int((await write(session, DIFFERENCES, values))[0])


async def forget_boards(session: AsyncSession, *, now: datetime) -> None:
    """Nobody finds the old boards any more; their scores go in batches."""
    for statement in FORGET:
        await _do(session, statement, {"kept": kept_boards(now)})


async def forget_scores(session: AsyncSession, *, most: int, now: datetime) -> int:
    return await _do(session, FORGET_SCORES, {"kept": kept_boards(now), "most": most})


async def forget_progress(session: AsyncSession) -> None:
    await _do(session, "delete from board_progress", {})


async def _do(session: AsyncSession, query: LiteralString, values: dict[str, Any]) -> int:
    """How many rows it changed."""
    connection = await session.connection()
    return (await connection.exec_driver_sql(query, values)).rowcount


def _values(now: datetime) -> dict[str, Any]:
    since = kept_since(now)
    return {
        "zone": PLATFORM_CALENDAR.zone,
        "earning": [kind.value for kind in EARNING],
        "others": _who_does_not_play(),
        "month_since": since[Period.MONTH],
        "week_since": since[Period.WEEK],
    }


def _who_does_not_play() -> list[str]:
    return [role.value for role in Role if role not in PLAYING_ROLES]


def _uncounted(known: Progress) -> dict[str, Any]:
    return {"counted": known.counted, "settled_to": known.settled_to}
