"""Alerts as admins work through them: who resolves one is written down."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit


async def resolve(session: AsyncSession, actor: Actor, alert_id: UUID, *, now: datetime) -> None:
    resolved = await alerts.resolve(session, alert_id, by=actor.user_id, now=now)
    await audit.record(
        session,
        actor,
        audit.Action.ALERT_RESOLVED,
        f"alert:{alert_id}",
        label=alerts.unnamed(resolved),
        before={"resolved": False},
        after={"resolved": True, "severity": resolved.severity, "times": resolved.times},
        now=now,
    )
