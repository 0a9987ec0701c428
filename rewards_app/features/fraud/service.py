"""Judging signals soon after they were noted, and finding those who play like a machine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import structlog

from rewards_app.core.database import AsyncSession, lock_row, transaction
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, Kind
from rewards_app.features.ads.days import PLATFORM_CALENDAR, platform_day, start_of
from rewards_app.features.fraud import clockwork, measures, repository, rules
from rewards_app.features.fraud.rules import Consequence
from rewards_app.features.signals import policy
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import COUNTS_FOR, Rule
from rewards_app.models import Account, FraudSignal

_log = structlog.get_logger(__name__)

LATELY = timedelta(minutes=30)
LEAST_LATELY = 5
"""Who has watched fewer ads in that time does not hurry."""
MOST_AT_ONCE = 2000
"""Those who watch most come first: more than so many are never looked at in one round."""
VIEWS = 2 * clockwork.GAPS + 1
"""Enough for the last gaps with breaks between them."""

Played = tuple[UUID, datetime, datetime, datetime | None]
"""Whose view, when it started and ended, and when that player was last noted."""


async def to_judge(session: AsyncSession, signal_id: UUID) -> Sequence[UUID]:
    """This signal, and those of a high risk that the account has had since, in their order."""
    return await repository.high_from(session, signal_id)


async def judge(session: AsyncSession, signal_id: UUID, *, now: datetime) -> Consequence:
    """Do what follows from a signal and those that count with it; a second time does nothing.

    What a person lifted is not begun again for what was noticed before that.
    """
    signal = await repository.signal(session, signal_id)
    # Not what is locked to note something: who starts an ad has locked theirs before that.
    if signal is None or await lock_row(session, Account, signal.account_id) is None:
        return Consequence.NONE
    signal = await repository.signal(session, signal_id)
    if signal is None or signal.action_taken != Consequence.NONE:
        return Consequence.NONE
    consequence, grounds = await _consequence(session, signal)
    held = await restrictions.in_force(session, signal.account_id)
    if consequence is Consequence.NONE or Kind.SUSPENDED in held:
        return Consequence.NONE
    return await _act(session, signal, consequence, grounds, now=now)


async def _consequence(
    session: AsyncSession, signal: FraudSignal
) -> tuple[Consequence, list[Rule]]:
    """What follows, and the rules that it comes of."""
    lifted = await repository.last_lifted(session, signal.account_id)
    counted = await repository.counted(session, after=lifted, to=signal)
    calls = await repository.calls(session, after=lifted, to=signal)
    found = counted, rules.proofs_of(calls), await policy.current(session)
    return rules.consequence_of(*found), rules.grounds_of(*found)


async def _act(
    session: AsyncSession,
    signal: FraudSignal,
    consequence: Consequence,
    grounds: Sequence[Rule],
    *,
    now: datetime,
) -> Consequence:
    measure = (
        measures.suspend if consequence is Consequence.ACCOUNT_SUSPENDED else measures.pause_earning
    )
    begun = await measure(
        session,
        None,
        signal.account_id,
        AUTOMATIC_REASON,
        risk_score=signal.risk_score,
        grounds=grounds,
        now=now,
    )
    if begun is None:
        return Consequence.NONE
    await repository.acted_on(session, signal, consequence)
    signals.has_changed(session, signal.account_id)
    _log.warning("fraud.acted", account_id=str(signal.account_id), action=consequence.value)
    return consequence


@dataclass(frozen=True, slots=True)
class Ticking:
    """Somebody whose last gaps are nearly the same."""

    account_id: UUID
    gap: timedelta
    """The middle one of them."""
    spread: timedelta


async def find_clockwork(*, now: datetime) -> int:
    """Note who watches like a machine right now, once a day each; how many there were."""
    async with transaction() as session:
        found = await repository.playing(
            session,
            since=now - LATELY,
            before=now - 2 * COUNTS_FOR,
            least=LEAST_LATELY,
            most=MOST_AT_ONCE,
            views=VIEWS,
        )
    ticking = list(_ticking(found, now=now))
    for one in ticking:
        async with transaction() as session:
            await _note(session, one, now=now)
    return len(ticking)


def _day_begins(now: datetime) -> datetime:
    return start_of(PLATFORM_CALENDAR.zone, platform_day(now))


def _ticking(views: Sequence[Played], *, now: datetime) -> Iterator[Ticking]:
    today = _day_begins(now)
    for (account_id, noted_at), watched in groupby(views, itemgetter(0, 3)):
        if not clockwork.is_another_day(noted_at, today=today, now=now):
            continue
        seen = [(started, ended) for _, started, ended, _ in watched]
        gaps = clockwork.gaps_between(clockwork.watched_since(noted_at, seen))
        spread = clockwork.spread_of(gaps)
        if spread is not None and clockwork.is_clockwork(spread):
            last = sorted(gaps[-clockwork.GAPS :])
            yield Ticking(account_id, last[len(last) // 2], spread)


async def _note(session: AsyncSession, one: Ticking, *, now: datetime) -> None:
    await signals.note(
        session,
        one.account_id,
        Rule.CLOCKWORK,
        now=now,
        gaps=clockwork.GAPS,
        gap_ms=one.gap // timedelta(milliseconds=1),
        spread_ms=one.spread // timedelta(milliseconds=1),
    )
