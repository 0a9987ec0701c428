"""Signals as they are judged, listed and counted, in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy import String, cast, func, or_, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, rows, run, write
from rewards_app.features.ads.lately import first_id_of
from rewards_app.features.fraud.rules import PROVING, Consequence
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import HIGH_RISK, Rule
from rewards_app.models import Account, AccountRestriction, FraudSignal, FraudSimulation

SUSPENDED: LiteralString = """
update fraud_days set suspended = suspended + 1
where (day, slot) in (
    select day, slot from fraud_days where day = (%(at)s at time zone 'UTC')::date
    order by slot limit 1)
"""
FIGURES: LiteralString = """
select coalesce(sum(signals), 0)::bigint, coalesce(sum(high), 0)::bigint,
    coalesce(sum(suspended), 0)::bigint, coalesce(sum(risks), 0)::bigint
from fraud_days
"""
# Each one's own index leads to the last views; who has watched few of them lately is no candidate.
PLAYING: LiteralString = """
with lately as (
    select account_id from ad_views where id >= %(first)s and rewarded_at >= %(since)s
    group by account_id having count(*) >= %(least)s
    order by count(*) desc, account_id limit %(most)s
)
select account_id, started_at, ended_at, noted_at from lately
    cross join lateral (
        select max(created_at) as noted_at from fraud_signals signal
        where signal.account_id = lately.account_id and signal.created_at >= %(before)s
            and signal.rule = %(rule)s
    ) as noted
    cross join lateral (
        select started_at, ended_at from ad_views view
        where view.account_id = lately.account_id and rewarded_at is not null
        order by rewarded_at desc limit %(views)s
    ) as watched
order by account_id, started_at
"""


async def signal(session: AsyncSession, signal_id: UUID) -> FraudSignal | None:
    return await session.get(FraudSignal, signal_id, populate_existing=True)


async def high_from(session: AsyncSession, signal_id: UUID) -> Sequence[UUID]:
    """This one, and what was noted of its account from a high risk on since then, in order."""
    first = await signal(session, signal_id)
    if first is None:
        return []
    moment = tuple_(col(FraudSignal.created_at), col(FraudSignal.id))
    found = await session.exec(
        select(FraudSignal.id)
        .where(
            FraudSignal.account_id == first.account_id,
            moment >= tuple_(first.created_at, first.id),
            or_(col(FraudSignal.id) == signal_id, col(FraudSignal.risk_score) >= HIGH_RISK),
        )
        .order_by(col(FraudSignal.created_at), col(FraudSignal.id))
    )
    return found.all()


async def counted(
    session: AsyncSession, *, after: datetime | None, to: FraudSignal
) -> dict[Rule, int]:
    """How often each rule noticed the account of a signal, up to and with that one."""
    query = select(FraudSignal.rule, func.count()).where(*_counting(after, to))
    found = await session.exec(query.group_by(FraudSignal.rule))
    known = set(Rule)
    # A newer version of the app may have noted what this one does not know.
    return {Rule(name): times for name, times in found.all() if name in known}


async def calls(
    session: AsyncSession, *, after: datetime | None, to: FraudSignal
) -> dict[tuple[Rule, str], int]:
    """How often each session was replayed or forged in that time."""
    view = func.coalesce(cast(FraudSignal.evidence["view"].astext, String), "")  # pyright: ignore
    query = select(FraudSignal.rule, view, func.count()).where(
        *_counting(after, to), col(FraudSignal.rule).in_(PROVING)
    )
    found = await session.exec(query.group_by(FraudSignal.rule, view))
    return {(Rule(name), named): times for name, named, times in found.all()}


def _counting(after: datetime | None, to: FraudSignal) -> list[Any]:
    moment = tuple_(col(FraudSignal.created_at), col(FraudSignal.id))
    known = [
        col(FraudSignal.account_id) == to.account_id,
        signals.counts_at(to.created_at),
        moment <= tuple_(to.created_at, to.id),
    ]
    return [*known, col(FraudSignal.created_at) > after] if after else known


async def last_lifted(session: AsyncSession, account_id: UUID) -> datetime | None:
    """When a person last ended a restriction of the account."""
    query = select(func.max(AccountRestriction.ended_at))
    return (await session.exec(query.where(AccountRestriction.account_id == account_id))).one()


async def acted_on(session: AsyncSession, of: FraudSignal, action: Consequence) -> None:
    await session.exec(
        update(FraudSignal).where(col(FraudSignal.id) == of.id).values(action_taken=action.value)
    )
    if action is Consequence.ACCOUNT_SUSPENDED:
        connection = await session.connection()
        await connection.exec_driver_sql(SUSPENDED, {"at": of.created_at})


@dataclass(frozen=True, slots=True)
class Found:
    signal: FraudSignal
    name: str


async def newest(
    session: AsyncSession, *, before: tuple[datetime, UUID] | None = None, limit: int
) -> Sequence[Found]:
    """The newest first; `before` is when the last one that is shown was noticed, and its id: it
    may be forgotten meanwhile."""
    query = select(FraudSignal, Account.display_name).join(
        Account, col(Account.id) == col(FraudSignal.account_id)
    )
    moment = tuple_(col(FraudSignal.created_at), col(FraudSignal.id))
    if before:
        query = query.where(moment < tuple_(*before))
    newest_first = (col(FraudSignal.created_at).desc(), col(FraudSignal.id).desc())
    found = await session.exec(query.order_by(*newest_first).limit(limit))
    return [Found(*row) for row in found.all()]


async def figures(session: AsyncSession) -> tuple[int, int, int, int]:
    """Signals, those of a high risk, those that suspended somebody, and all risks together."""
    [found] = await rows(session, FIGURES, ())
    return tuple(found)


async def playing(
    session: AsyncSession, *, since: datetime, before: datetime, least: int, most: int, views: int
) -> Sequence[tuple[UUID, datetime, datetime, datetime | None]]:
    """The last views of those who watch much since then, and when that was last noted."""
    values = {
        "since": since,
        "first": first_id_of(since),
        "before": before,
        "least": least,
        "most": most,
        "views": views,
        "rule": Rule.CLOCKWORK.value,
    }
    return await rows(session, PLAYING, values)


GIVEN_UP: LiteralString = """
update fraud_simulations set status = 'failed'
where status = 'running' and heard_at < %(silent_since)s
"""
FORGOTTEN: LiteralString = "delete from fraud_simulations where asked_at < %(before)s"


async def give_up_silent(session: AsyncSession, silent_since: datetime) -> None:
    connection = await session.connection()
    await connection.exec_driver_sql(GIVEN_UP, {"silent_since": silent_since})


async def forget_simulations(session: AsyncSession, before: datetime) -> int:
    """How many there were."""
    connection = await session.connection()
    return (await connection.exec_driver_sql(FORGOTTEN, {"before": before})).rowcount


async def begin(session: AsyncSession, simulation: FraudSimulation) -> bool:
    """Whether it may run: one at a time, however many workers there are."""
    row = insert(FraudSimulation).values(**simulation.model_dump())
    made = await run(session, row.on_conflict_do_nothing().returning(col(FraudSimulation.id)))
    return made.first() is not None


async def simulation(session: AsyncSession, simulation_id: UUID) -> FraudSimulation | None:
    return await session.get(FraudSimulation, simulation_id, populate_existing=True)


async def end(session: AsyncSession, simulation_id: UUID, status: str) -> bool:
    """Whether it still ran."""
    ended = await write(
        session,
        "update fraud_simulations set status = %(status)s"
        " where id = %(id)s and status = 'running' returning id",
        {"status": status, "id": simulation_id},
    )
    return ended is not None
