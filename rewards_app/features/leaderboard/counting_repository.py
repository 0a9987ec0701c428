"""Counting the ledger into the boards: a few statements, each over everything that is new."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, plan_for_these_values, rows, write
from rewards_app.features.ads.days import Calendar, Day
from rewards_app.features.leaderboard.counting_sql import (
    GAINS,
    TALLY,
    WIDTHS,
    Progress,
    Seen,
    do,
    uncounted,
    values_at,
    who_does_not_play,
)
from rewards_app.features.leaderboard.streak_rules import OwnDays, Run

ONE_AT_A_TIME = 7_301_022_144_105
"""The advisory lock of whoever counts."""
HIDDEN: LiteralString = """
(exists (select from account_restrictions
    where account_restrictions.account_id = {account} and kind = 'suspended' and ended_at is null)
or exists (select from accounts where accounts.id = {account}
    and (role = any(%(others)s) or closed_at is not null)))
"""
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
tallied as (
    insert into ledger_days as known (day, kind, entries, amount)
    select day, kind, entries, amount from ({TALLY}) as new order by day, kind
    on conflict (day, kind) do update set entries = known.entries + excluded.entries,
        amount = known.amount + excluded.amount
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
    pg_current_xact_id()::text::bigint,
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

_STREAK_AND_DAYS: LiteralString = """
streak.days, streak.best, streak.day_starts_at, streak.day_ends_at, streak.holds_until,
    watcher.time_zone, watcher.zone_since, watcher.next_time_zone,
    watcher.day_starts_at, watcher.day_ends_at
"""
# An ad counts for the day on which it was over, also where we could pay for it only after that.
_OVER_AT: LiteralString = """
least(entry.created_at, (select view.ended_at from ad_views view
    where view.id = case when starts_with(entry.cause, 'ad:')
        then substr(entry.cause, 4)::uuid end))
"""
NEW_DAYS: LiteralString = f"""
select entry.account_id, {_OVER_AT} as over_at, {_STREAK_AND_DAYS}
from coin_entries entry
    left join streaks streak using (account_id) left join watchers watcher using (account_id)
where {UNCOUNTED} and kind = 'ad'
    and (streak.day_ends_at is null or entry.created_at >= streak.day_ends_at)
order by entry.account_id, over_at
"""  # noqa: S608  (all parts are ours)
# What was lifted longer before a streak's end cannot move that.
LIFTED: LiteralString = f"""
select held.account_id, held.ended_at, {_STREAK_AND_DAYS}
from account_restrictions held
    join streaks streak using (account_id) left join watchers watcher using (account_id)
where streak.holds_until > held.begun_at
    and streak.holds_until < held.ended_at + interval '4 days'
order by held.account_id, held.ended_at
"""  # noqa: S608  (both parts are ours)
KEEP_STREAKS: LiteralString = """
insert into streaks (account_id, days, best, day_starts_at, day_ends_at, holds_until)
select * from unnest(%(accounts)s::uuid[], %(days)s::integer[], %(best)s::integer[],
    %(starts)s::timestamptz[], %(ends)s::timestamptz[], %(holds)s::timestamptz[])
on conflict (account_id) do update set days = excluded.days, best = excluded.best,
    day_starts_at = excluded.day_starts_at, day_ends_at = excluded.day_ends_at,
    holds_until = excluded.holds_until
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
        " pg_snapshot_xmax(counted::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()),"
        " pg_current_xact_id_if_assigned() is not null"
        " from board_progress",
        {},
    )
    return Progress(*found) if found else None


async def keep(session: AsyncSession, known: Progress) -> None:
    await do(
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
    found = await write(session, FOLD, values_at(now) | uncounted(known))
    return Seen(*found)


async def reconcile(session: AsyncSession) -> int:
    """Take who is suspended or gone off the boards, put others back; how many scores that were."""
    found = await write(session, RECONCILE, {"others": who_does_not_play()})
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
    return [_new_day(*row) for row in await rows(session, NEW_DAYS, uncounted(known))]


async def lifted(session: AsyncSession) -> list[tuple[UUID, datetime, Run, OwnDays]]:
    """Whose streak lived when a restriction began that has been lifted, and when it was."""
    found = [_new_day(*row) for row in await rows(session, LIFTED, {})]
    return [(one.account_id, one.at, one.run, one.days) for one in found if one.run]


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
    await do(
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
