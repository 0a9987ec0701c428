"""Coins of people who never come any more: they are warned twice, and then the coins go."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from rewards_app.core import live, mail
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.mail import Letter
from rewards_app.core.routes import WATCH
from rewards_app.core.settings import settings
from rewards_app.features.coins import expiry_repository, expiry_rules, repository, service
from rewards_app.features.coins.expiry_repository import Away, Place
from rewards_app.features.coins.expiry_rules import Step
from rewards_app.features.coins.repository import NewEntry
from rewards_app.features.coins.rules import Kind
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text

AT_ONCE = 500
FROM_THE_START: Place = (datetime.min.replace(tzinfo=UTC), UUID(int=0))
COUNTED = {Step.WARN: "warned", Step.WARN_AGAIN: "warned_again", Step.EXPIRE: "expired"}


async def expire(*, now: datetime) -> Mapping[str, int]:
    """Take the next step with everybody whose turn it is; two workers at once take it once."""
    months = settings().coin_expiry_months
    async with transaction() as session:
        void = await expiry_repository.forget_void(session, everything=not months)
    counts = Counter({"void": void, **dict.fromkeys(COUNTED.values(), 0)})
    after: Place | None = FROM_THE_START if months else None
    while after:
        async with transaction() as session:
            after, steps = await _go_on(session, after, months, now=now)
        counts.update(steps)
    return counts


async def _go_on(
    session: AsyncSession, after: Place, months: int, *, now: datetime
) -> tuple[Place | None, Mapping[str, int]]:
    """A stretch of everybody who is away: where the next one begins, and what was done."""
    before = expiry_rules.away_since(months, now=now)
    found = await expiry_repository.away(session, before, after=after, limit=AT_ONCE)
    done: Counter[str] = Counter()
    for known in found:
        due = expiry_rules.step(known.warned, known.active_at, months, now=now)
        if due and await _take(session, known, *due, now=now):
            done[COUNTED[due[0]]] += 1
    last = (found[-1].active_at, found[-1].account_id) if len(found) == AT_ONCE else None
    return last, done


async def _take(
    session: AsyncSession, known: Away, step: Step, goes_at: datetime, *, now: datetime
) -> bool:
    """False where another worker has taken the step meanwhile."""
    if step is Step.EXPIRE:
        return await _expire(session, known, now=now)
    if step is Step.WARN:
        told = await expiry_repository.note_warned(session, known, now=now)
    else:
        told = await expiry_repository.note_warned_again(session, known, now=now)
    if told is None:
        return False
    day = written.day(goes_at, known.language)
    await _tell(session, known, "coins_expiring", told, day=day)
    return True


async def _expire(session: AsyncSession, known: Away, *, now: datetime) -> bool:
    """One entry for what both mails have told of and can still be spent.

    Held coins wait for their purchase, and what came free since is told anew.
    """
    balance = await repository.lock_balance(session, known.account_id)
    gone = min(balance.balance, await expiry_repository.forget(session, known.account_id))
    if not gone:
        return False
    cause = f"expiry:{known.account_id}:{now:%Y-%m-%d}"
    entry = NewEntry(known.account_id, -gone, Kind.EXPIRY, cause, "", now)
    await repository.enter(session, entry, replace(balance, balance=balance.balance - gone))
    live.announce_after(session, service.CHANGED, str(known.account_id))
    await _tell(session, known, "coins_expired", gone)
    return True


async def _tell(session: AsyncSession, known: Away, name: str, count: int, **said: str) -> None:
    params = {
        "coins": text("amounts.coins", known.language, count=count),
        "months": text("amounts.months", known.language, count=settings().coin_expiry_months),
        **said,
    }
    link = f"{settings().origin}{WATCH}"
    letter = Letter(known.email, known.language, name, link=link, params=params)
    await mail.send(session, letter, is_to_many=True)
