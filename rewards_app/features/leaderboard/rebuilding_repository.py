"""The boards from the whole ledger: made anew, compared with it, forgotten when they are old."""

from datetime import datetime
from typing import LiteralString

from rewards_app.core.database import AsyncSession, write
from rewards_app.features.leaderboard.counting_sql import (
    GAINS,
    TALLY,
    WIDTHS,
    Progress,
    do,
    uncounted,
    values_at,
)
from rewards_app.features.leaderboard.rules import kept_boards

AT_LENGTH: LiteralString = "set local work_mem = '128MB'"
"""For what adds up the whole ledger: on disk it would take twice as long."""
# Who holds the lock for a moment lets every entry that has a number be finished.
SETTLE_ALL: tuple[LiteralString, ...] = (
    "savepoint settling",
    "select hold_coin_entries()",
)
LET_GO: LiteralString = "rollback to savepoint settling"
EMPTY: tuple[LiteralString, ...] = (
    "delete from board_progress",
    "delete from board_steps",
    "delete from boards",
    "delete from board_scores",
    "delete from ledger_days",
)
SCORE_ALL: LiteralString = f"""
with fresh as not materialized (
    select account_id, amount, kind, created_at from coin_entries
),
tallied as (insert into ledger_days (day, kind, entries, amount) {TALLY}),
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
select pg_current_snapshot()::text
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
paid_late as materialized (
    select 'ad:' || id as cause, ended_at from ad_views left join zones using (account_id)
    where (ended_at at time zone coalesce(zone, 'UTC'))::date
        < (rewarded_at at time zone coalesce(zone, 'UTC'))::date
),
watched as (
    select account_id, coalesce(zone, 'UTC') as zone,
        (coalesce(ended_at, created_at) at time zone coalesce(zone, 'UTC'))::date as day
    from coin_entries left join zones using (account_id) left join paid_late using (cause)
    where kind = 'ad' group by account_id, zone, day
),
kept as (
    select distinct account_id, coalesce(zone, 'UTC') as zone, generate_series(
        (begun_at at time zone coalesce(zone, 'UTC'))::date,
        (ended_at at time zone coalesce(zone, 'UTC'))::date, interval '1 day')::date as day
    from account_restrictions left join zones using (account_id) where ended_at is not null
),
days as (
    select account_id, zone, day, watched.day is not null as is_watched
    from watched full join kept using (account_id, zone, day)
),
runs as (
    select account_id, zone, count(*) filter (where is_watched) as days,
        max(day) filter (where is_watched) as last, max(day) as kept_to from (
        select account_id, zone, day, is_watched, day - (row_number() over (
            partition by account_id order by day))::integer as began from days
    ) as numbered group by account_id, zone, began having bool_or(is_watched)
),
latest as (
    select distinct on (account_id) account_id, zone, days, last, kept_to,
        max(days) over (partition by account_id) as best
    from runs order by account_id, last desc
)
select account_id, days, best, last::timestamp at time zone zone,
    (last + 1)::timestamp at time zone zone, (kept_to + 2)::timestamp at time zone zone from latest
on conflict (account_id) do update set days = excluded.days,
    best = greatest(known.best, excluded.best), day_starts_at = excluded.day_starts_at,
    day_ends_at = excluded.day_ends_at, holds_until = excluded.holds_until
"""
"""By the zone that each player has now. What was best stays.

An ad that was over before a midnight and paid for after it counts for the day before, as long as
its view is kept.
On the days of a restriction that was lifted nobody could watch: they neither count nor break.
"""

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
    where board = any(%(boards)s) and real.count is distinct from known.players
),
totals as (
    select count(*) as wrong from (
        select board, count(*) as players, sum(ads) as ads, sum(coins) as coins
        from board_scores where not is_hidden group by board
    ) as real full join (select * from boards where players > 0) as known using (board)
    where board = any(%(boards)s) and (real.players, real.ads, real.coins)
        is distinct from (known.players, known.ads, known.coins)
),
days as (
    select count(*) as wrong from ({TALLY}) as real full join ledger_days known using (day, kind)
    where (real.entries, real.amount) is distinct from (known.entries, known.amount)
)
select scores.wrong + steps.wrong + totals.wrong + days.wrong from scores, steps, totals, days
"""  # noqa: S608  (all parts are ours)
FORGET: tuple[LiteralString, ...] = (
    "delete from board_steps where board <> all(%(kept)s)",
    "delete from boards where board <> all(%(kept)s)",
)
FORGET_SCORES: LiteralString = """
delete from board_scores where ctid = any(array(
    select ctid from board_scores where board <> all(%(kept)s) limit %(most)s))
"""


async def count_all(session: AsyncSession, *, now: datetime) -> Progress:
    """Make scores, steps and boards from the whole ledger. Nobody waits for it but a moment."""
    await do(session, AT_LENGTH, {})
    for statement in SETTLE_ALL:
        await do(session, statement, {})
    newest: LiteralString = "select coalesce(max(number), 0) from coin_entries"
    settled_to = (await write(session, newest, {}))[0]
    await do(session, LET_GO, {})
    for statement in EMPTY:
        await do(session, statement, {})
    counted = (await write(session, SCORE_ALL, values_at(now)))[0]
    await do(session, STEP_ALL, {})
    await do(session, ADD_UP_ALL, {})
    return Progress(counted, settled_to, newest=settled_to, open_until=0)


async def streaks_of_all(session: AsyncSession) -> None:
    await do(session, STREAKS_OF_ALL, {})


async def differences(session: AsyncSession, known: Progress, *, now: datetime) -> int:
    """How many scores, steps and totals are not what the counted entries add up to."""
    await do(session, AT_LENGTH, {})
    values = values_at(now) | uncounted(known) | {"boards": kept_boards(now)}
    return int((await write(session, DIFFERENCES, values))[0])


async def forget_boards(session: AsyncSession, *, now: datetime) -> None:
    """Nobody finds the old boards any more; their scores go in batches."""
    for statement in FORGET:
        await do(session, statement, {"kept": kept_boards(now)})


async def forget_scores(session: AsyncSession, *, most: int, now: datetime) -> int:
    return await do(session, FORGET_SCORES, {"kept": kept_boards(now), "most": most})


async def forget_progress(session: AsyncSession) -> None:
    """Whoever adds up the ledger by days reads the entries themselves until it was counted anew."""
    await do(session, "delete from board_progress", {})
    await do(session, "delete from ledger_days", {})
