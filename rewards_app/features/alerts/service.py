"""Raising an alert. Where admins read and resolve them comes above everything that raises."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import structlog

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.models import SecurityAlert

_log = structlog.get_logger(__name__)

RAISED = "alert_raised"


class Severity(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


async def raise_alert(
    session: AsyncSession,
    severity: Severity,
    alert_type: str,
    description: str,
    *,
    account_id: UUID | None = None,
    now: datetime,
) -> None:
    """Keep the alert with this transaction, and tell every worker once it commits."""
    session.add(
        SecurityAlert(
            severity=severity.value,
            alert_type=alert_type,
            description=description,
            account_id=account_id,
            created_at=now,
        )
    )
    live.announce_after(session, RAISED)
    _log.error("alert.raised", alert=alert_type, severity=severity.value)
