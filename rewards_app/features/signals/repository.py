"""Signals, what they weigh, and devices in the database."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, delete, func, text
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, rows, run
from rewards_app.features.signals.rules import (
    COUNTS_FOR,
    COUNTS_LONGER,
    HIGH_RISK,
    LONGEST,
    Rule,
    Weight,
)
from rewards_app.models import DeviceUse, FraudSignal, FraudWeight

SLOTS_A_DAY = 4
ONE_OF_AN_ACCOUNT = text(
    "select pg_advisory_xact_lock(hashtextextended('signals:' || :account, 0))"
)
ONE_CHANGE_OF_WEIGHTS = text("select pg_advisory_xact_lock(hashtext('fraud_weights'))")
COUNT: LiteralString = """
insert into fraud_days (day, slot, signals, high, suspended, risks)
values ((%(now)s at time zone 'UTC')::date, %(slot)s, 1, %(high)s, 0, %(risk)s)
on conflict (day, slot) do update set signals = fraud_days.signals + 1,
    high = fraud_days.high + excluded.high, risks = fraud_days.risks + excluded.risks
"""


async def wait_for_others(session: AsyncSession, account_id: UUID) -> None:
    """What is noticed of one account is added up one after the other."""
    await run(session, ONE_OF_AN_ACCOUNT, {"account": str(account_id)})


def counts_at(moment: datetime) -> ColumnElement[bool]:
    """Whether a signal of before still counts then, as long as those of its rule do."""
    begins = case(
        {rule.value: moment - length for rule, length in COUNTS_LONGER.items()},
        value=col(FraudSignal.rule),
        else_=moment - COUNTS_FOR,
    )
    noted_at = col(FraudSignal.created_at)
    # The first condition is what the index knows.
    return and_(noted_at >= moment - LONGEST, noted_at >= begins)


async def counted_at(session: AsyncSession, account_id: UUID, moment: datetime) -> dict[Rule, int]:
    """How often each rule has noticed this account, of what counts at that moment."""
    found = await session.exec(
        select(FraudSignal.rule, func.count())
        .where(FraudSignal.account_id == account_id, counts_at(moment))
        .group_by(FraudSignal.rule)
    )
    known = set(Rule)
    # A newer version of the app may have noted what this one does not know.
    return {Rule(name): times for name, times in found.all() if name in known}


async def has_noted(
    session: AsyncSession, account_id: UUID, rule: Rule, view: str, since: datetime
) -> bool:
    """Whether the rule has noticed this view of the account."""
    found = await session.exec(
        select(FraudSignal.id)
        .where(
            FraudSignal.account_id == account_id,
            FraudSignal.rule == rule,
            col(FraudSignal.created_at) >= since,
            col(FraudSignal.evidence)["view"].astext == view,
        )
        .limit(1)
    )
    return found.first() is not None


SINCE_LIFTED: LiteralString = """
select count(*) from fraud_signals
where account_id = %(account)s and rule = %(rule)s and created_at >= %(since)s
    and created_at > coalesce(
        (select max(ended_at) from account_restrictions where account_id = %(account)s),
        '-infinity')
"""


async def counted_since_lifted(
    session: AsyncSession, account_id: UUID, rule: Rule, since: datetime
) -> int:
    """As `counted_at`, but of what a person has not forgiven by lifting what followed."""
    values = {"account": account_id, "rule": rule.value, "since": since}
    [(times,)] = await rows(session, SINCE_LIFTED, values)
    return times


# The queue passes over what is locked: this job begins after what is noted now can be seen. One
# that has failed waits for long, and is left alone.
WAITING: LiteralString = """
select job.id from procrastinate_jobs job
join fraud_signals signal on signal.id = (job.args->>'signal')::uuid
where job.status = 'todo' and job.task_name = %(task)s and job.attempts = 0
    and signal.account_id = %(account)s
limit 1 for update of job
"""


async def hold_waiting(session: AsyncSession, account_id: UUID, task: str) -> int | None:
    """The job that waits to judge this account; it goes on waiting for this transaction."""
    found = await rows(session, WAITING, {"task": task, "account": account_id})
    return found[0][0] if found else None


def add(session: AsyncSession, signal: FraudSignal) -> None:
    session.add(signal)


async def count(session: AsyncSession, signal: FraudSignal) -> None:
    """Into its day: what the signals of all days amount to is never counted again."""
    values = {
        "now": signal.created_at,
        "slot": signal.account_id.int % SLOTS_A_DAY,
        "high": int(signal.risk_score >= HIGH_RISK),
        "risk": signal.risk_score,
    }
    connection = await session.connection()
    await connection.exec_driver_sql(COUNT, values)


async def changed_weights(session: AsyncSession) -> dict[Rule, Weight]:
    """What rules weigh otherwise than the code says."""
    found = await session.exec(select(FraudWeight.rule, FraudWeight.first, FraudWeight.each_more))
    known = set(Rule)
    return {
        Rule(name): Weight(first, each_more)
        for name, first, each_more in found.all()
        if name in known
    }


async def lock_weights(session: AsyncSession) -> None:
    await run(session, ONE_CHANGE_OF_WEIGHTS)


async def keep_weight(session: AsyncSession, rule: Rule, weight: Weight, *, now: datetime) -> None:
    values = {"first": weight.first, "each_more": weight.each_more, "changed_at": now}
    row = insert(FraudWeight).values(rule=rule.value, **values)
    await run(session, row.on_conflict_do_update(index_elements=["rule"], set_=values))


async def forget_weights(session: AsyncSession, rules: Collection[Rule]) -> None:
    """From now on they weigh what the code says."""
    await run(session, delete(FraudWeight).where(col(FraudWeight.rule).in_(rules)))


async def note_device(
    session: AsyncSession, device_hash: str, account_id: UUID, *, now: datetime
) -> None:
    row = insert(DeviceUse).values(
        device_hash=device_hash, account_id=account_id, first_seen_at=now, last_seen_at=now
    )
    await run(
        session,
        row.on_conflict_do_update(
            index_elements=["device_hash", "account_id"], set_={"last_seen_at": now}
        ),
    )


def _accounts_on(device_hash: str, since: datetime) -> Any:
    return select(DeviceUse.account_id).where(
        col(DeviceUse.device_hash) == device_hash, col(DeviceUse.last_seen_at) >= since
    )


async def accounts_on(
    session: AsyncSession, device_hash: str, since: datetime, *, most: int
) -> int:
    """How many there are, counted up to `most`."""
    counted = _accounts_on(device_hash, since).limit(most).subquery()
    query = select(func.count()).select_from(counted)
    return (await session.exec(query)).one()


async def are_more_than(
    session: AsyncSession, most: int, device_hash: str, since: datetime
) -> bool:
    """Whether the device has more accounts. All owners of a popular phone look like one device:
    they are too many to be counted whenever one of them starts an ad."""
    query = _accounts_on(device_hash, since).offset(most).limit(1)
    return (await session.exec(query)).first() is not None
