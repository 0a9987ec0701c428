"""Alerts as admins read them, with whose company each is about; who resolves one is noted."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_from
from rewards_app.features.advertiser import directory
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Alert
from rewards_app.features.audit import service as audit

COMPANY, COMPANY_ID = "company", "company_id"
OF_ONE = (COMPANY, "payment")
"""Params by which alerts name a company, or what somebody paid it in with."""
IN_A_LINE = re.compile(r"\b(?:company|campaign|top-up) ([0-9a-f-]{36})\b")
"""How the books of companies name what does not add up."""


async def with_companies(
    session: AsyncSession, actor: Actor, found: Sequence[Alert]
) -> list[Alert]:
    """Each with the name that its company has now: alerts keep identifiers alone."""
    subjects = {alert.id: _subject_of(alert) for alert in found}
    wanted = {subject for subject in subjects.values() if subject}
    owners = await directory.owners(session, actor, wanted)
    return [_told(alert, owners.get(subjects[alert.id] or alert.id)) for alert in found]


def _subject_of(alert: Alert) -> UUID | None:
    line = IN_A_LINE.search(str(alert.params.get("line", "")))
    named = [*(alert.params.get(name) for name in OF_ONE), line and line[1]]
    return next((known for text in named if (known := id_from(str(text)))), None)


def _told(alert: Alert, owner: directory.Named | None) -> Alert:
    if owner is None:
        return alert
    called = {COMPANY: owner.name} if owner.name else {}
    return replace(alert, params=alert.params | called | {COMPANY_ID: str(owner.id)})


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
