"""The boards are the ledger, counted: each entry once, by one worker at a time."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.alerts import service as alerts
from rewards_app.features.leaderboard import counting_repository as repository
from rewards_app.features.leaderboard import rebuilding_repository
from rewards_app.features.leaderboard.counting_sql import Progress, Seen
from rewards_app.features.leaderboard.streak_rules import Run, carried_on, gone_on

CHANGED = "leaderboard_changed"
"""Announced when anything on the boards has changed."""
A_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class Fold:
    scores: int = 0
    """How many scores have changed."""
    is_busy: bool = False
    """Another worker was counting: what it did not see yet is still to be counted."""


async def fold(
    session: AsyncSession | None = None, *, looks_at_everybody: bool = True, now: datetime
) -> Fold:
    """Count what is new in the ledger; never twice, whoever is killed when.

    Everything is one transaction with what is remembered as counted. Who competes is asked of those
    who earn something now; `looks_at_everybody` asks it of all others, too.
    """
    if session is None:
        async with transaction() as own:
            return await fold(own, looks_at_everybody=looks_at_everybody, now=now)
    if not await repository.is_alone(session):
        return Fold(is_busy=True)
    known = await repository.progress(session)
    if known is None or not known.is_of_here:
        return await _count_all(session, now=now)
    seen = await repository.fold(session, known, now=now)
    await _fold_streaks(session, known, looks_at_everybody=looks_at_everybody)
    hidden = await repository.reconcile(session) if looks_at_everybody else 0
    await repository.keep(session, _counted_on(known, seen))
    return _told(session, seen.scores + hidden)


def _counted_on(known: Progress, seen: Seen) -> Progress:
    """A number is given out before its entry is seen, so an entry can appear below newer ones.

    Nothing more appears up to `newest` once every transaction before `open_until` is over: that one
    looked, and wrote nothing before. (An entry's transaction has written the balance before it
    takes a number, so it is known by then. What a snapshot calls its end would not do: it knows no
    transaction that began after the last one that is over.)
    """
    if known.has_written or seen.oldest_open < known.open_until:
        return Progress(seen.counted, known.settled_to, known.newest, known.open_until)
    return Progress(seen.counted, known.newest, max(known.newest, seen.newest), seen.looked_in)


async def _fold_streaks(
    session: AsyncSession, known: Progress, *, looks_at_everybody: bool
) -> None:
    """What comes twice changes nothing: its day has counted."""
    new_days = await repository.new_days(session, known)
    changed = await _carried_on(session) if new_days or looks_at_everybody else {}
    for new in new_days:
        run = changed.get(new.account_id, new.run)
        changed[new.account_id] = gone_on(run, new.days, new.at)
    await repository.keep_streaks(session, changed)


async def _carried_on(session: AsyncSession) -> dict[UUID, Run]:
    """The streaks that go on where a restriction has been lifted."""
    changed: dict[UUID, Run] = {}
    for account_id, lifted_at, known, days in await repository.lifted(session):
        run = carried_on(changed.get(account_id, known), days, lifted_at)
        if run != known:
            changed[account_id] = run
    return changed


async def rebuild(session: AsyncSession | None = None, *, now: datetime) -> Fold:
    """Make everything anew from the ledger. Coins are given meanwhile; they are counted next."""
    if session is None:
        async with transaction() as own:
            return await rebuild(own, now=now)
    await repository.wait_to_be_alone(session)
    return await _count_all(session, now=now)


async def _count_all(session: AsyncSession, *, now: datetime) -> Fold:
    counted = await rebuilding_repository.count_all(session, now=now)
    await rebuilding_repository.streaks_of_all(session)
    await repository.keep(session, counted)
    return _told(session, 1)


async def forget_progress(session: AsyncSession) -> None:
    """The database came from elsewhere: the next one who counts begins anew."""
    await rebuilding_repository.forget_progress(session)


async def check(session: AsyncSession, *, now: datetime) -> int:
    """How many figures of the boards are not what the ledger adds up to."""
    await repository.wait_to_be_alone(session)
    known = await repository.progress(session)
    return await rebuilding_repository.differences(session, known, now=now) if known else 0


async def check_and_rebuild(session: AsyncSession, *, now: datetime) -> int:
    """The nightly check: admins hear of a difference, and it is gone."""
    wrong = await check(session, now=now)
    if wrong:
        await alerts.raise_alert(
            session,
            alerts.Kind.BOARDS_DIFFERENCE,
            about="boards",
            now=now,
            places=wrong,
        )
        await _count_all(session, now=now)
    return wrong


async def forget_old_boards(*, now: datetime) -> int:
    """Boards older than the week and the month before; how many scores went."""
    async with transaction() as session:
        await rebuilding_repository.forget_boards(session, now=now)
    forgotten = 0
    while True:
        async with transaction() as session:
            batch = await rebuilding_repository.forget_scores(session, most=A_BATCH, now=now)
        forgotten += batch
        if batch < A_BATCH:
            return forgotten


def _told(session: AsyncSession, scores: int) -> Fold:
    if scores:
        live.announce_after(session, CHANGED)
    return Fold(scores)
