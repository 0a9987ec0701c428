"""Trying other weights on the last 30 days before they are saved.

The work is done by a process of its own; what it says is kept in the database, so that every
worker can show it, and so that only what somebody has seen is ever saved.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core import apart, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError, NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.fraud import measure_rules, repository
from rewards_app.features.fraud.replay import TOPIC as TOLD
from rewards_app.features.fraud.replay import policy_of
from rewards_app.features.signals import policy
from rewards_app.features.signals.rules import NothingChanged, Policy, Rule
from rewards_app.models import FraudSimulation

__all__ = ["TOLD", "Simulation", "Status", "ask", "cancel", "look", "run", "save"]

_log = structlog.get_logger(__name__)

DAYS = timedelta(days=30)
SILENT_AFTER = timedelta(seconds=60)
"""Whoever was not heard of for so long has died with its machine."""
SEEN_FOR = timedelta(hours=1)
"""After that too much may have happened: it is tried again before it is saved."""
KEPT_FOR = timedelta(days=7)
"""Its answer names people: it is forgotten at night, whether anybody asks again or not."""
PROGRAM = "rewards_app.features.fraud.replay"


class AnotherRuns(DomainError):
    """Simulations are one at a time: each reads a month."""

    code = "fraud.another_simulation"


class NotSimulated(DomainError):
    """Only weights whose answer was seen a short time ago are saved."""

    code = "fraud.not_simulated"


class Status(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Simulation:
    id: UUID
    status: Status
    before: Policy
    weights: Policy
    views: int
    expected: int
    result: dict[str, Any]
    asked_at: datetime


async def ask(session: AsyncSession, actor: Actor, weights: Policy, *, now: datetime) -> UUID:
    """A simulation of these weights, to be run; refused while another one runs."""
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    before = await policy.current(session)
    if not weights.different_from(before):
        raise NothingChanged
    await repository.give_up_silent(session, now - SILENT_AFTER)
    simulation = FraudSimulation(
        id=new_id(),
        asked_by=actor.user_id,
        before=_plain(before),
        weights=_plain(weights),
        since=now - DAYS,
        asked_at=now,
        heard_at=now,
    )
    if not await repository.begin(session, simulation):
        raise AnotherRuns
    return simulation.id


async def run(simulation_id: UUID) -> None:
    """Start its process and wait for its end; it dies with this one, or when this is cancelled."""
    code = await apart.run(PROGRAM, str(simulation_id), told=settings().database_url)
    if code == 0:
        return
    async with transaction() as session:
        if await repository.end(session, simulation_id, Status.FAILED):
            _log.error("simulation.failed", code=code)
            await _tell(session, simulation_id)


async def forget_old(session: AsyncSession, *, now: datetime) -> int:
    return await repository.forget_simulations(session, now - KEPT_FOR)


async def cancel(session: AsyncSession, actor: Actor, simulation_id: UUID) -> bool:
    """The process hears of it within a second. Only whoever asked may cancel."""
    await _own(session, actor, simulation_id)
    has_ended = await repository.end(session, simulation_id, Status.CANCELLED)
    if has_ended:
        await _tell(session, simulation_id)
    return has_ended


async def look(
    session: AsyncSession, actor: Actor, simulation_id: UUID, *, now: datetime
) -> Simulation:
    """How far it has come, or its answer."""
    found = await _own(session, actor, simulation_id)
    status = Status(found.status)
    if status is Status.RUNNING and found.heard_at < now - SILENT_AFTER:
        status = Status.FAILED
    return Simulation(
        id=found.id,
        status=status,
        before=policy_of(found.before),
        weights=policy_of(found.weights),
        views=found.views,
        expected=found.expected,
        result=found.result,
        asked_at=found.asked_at,
    )


async def save(
    session: AsyncSession, actor: Actor, simulation_id: UUID, reason: str, *, now: datetime
) -> list[Rule]:
    """Exactly the weights that were tried are in force from now on; which of them are new."""
    seen = await look(session, actor, simulation_id, now=now)
    if seen.status is not Status.DONE or seen.asked_at < now - SEEN_FOR:
        raise NotSimulated
    why = measure_rules.reason_from(reason)
    return await policy.change(session, actor, seen.weights, seen=seen.before, reason=why, now=now)


async def _own(session: AsyncSession, actor: Actor, simulation_id: UUID) -> FraudSimulation:
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    found = await repository.simulation(session, simulation_id)
    if found is None or found.asked_by != actor.user_id:
        raise NotSimulated
    return found


async def _tell(session: AsyncSession, simulation_id: UUID) -> None:
    await live.publish(session, TOLD, str(simulation_id))


def _plain(weights: Policy) -> dict[str, Any]:
    return {rule.value: [weights[rule].first, weights[rule].each_more] for rule in Rule}
