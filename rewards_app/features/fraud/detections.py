"""What the fraud rules noticed, as admins read it: the newest first, and all of it in figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.rounding import average
from rewards_app.features.fraud import repository
from rewards_app.features.fraud.repository import Found

A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Detection:
    id: UUID
    account_id: UUID
    name: str
    rule: str
    risk: int
    patterns: Sequence[str]
    action_taken: str
    evidence: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Detections:
    """A stretch of them; `next_before` leads to the older rest."""

    shown: Sequence[Detection]
    next_before: tuple[datetime, UUID] | None


async def newest(
    session: AsyncSession, *, before: tuple[datetime, UUID] | None = None, limit: int = A_PAGE
) -> Detections:
    found = await repository.newest(session, before=before, limit=limit + 1)
    shown = [_detection(one) for one in found[:limit]]
    last = shown[-1] if len(found) > limit else None
    return Detections(shown, (last.created_at, last.id) if last else None)


def _detection(found: Found) -> Detection:
    signal = found.signal
    return Detection(
        id=signal.id,
        account_id=signal.account_id,
        name=found.name,
        rule=signal.rule,
        risk=signal.risk_score,
        patterns=signal.patterns,
        action_taken=signal.action_taken,
        evidence=signal.evidence,
        created_at=signal.created_at,
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Of everything that was ever noticed."""

    total: int
    high: int
    """Of a risk of 70 or more."""
    blocked: int
    """What an account was suspended for, by itself."""
    average: int
    """The average risk, rounded."""


async def figures(session: AsyncSession) -> Figures:
    """From what each day amounts to: a million signals cost no more than a thousand."""
    total, high, blocked, risks = await repository.figures(session)
    return Figures(total, high, blocked, average(risks, total))
