"""Raising an alert. Where admins read and resolve them comes above everything that raises."""

from datetime import datetime
from uuid import UUID

import structlog
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.alerts.rules import SEVERITIES, Kind, Severity
from rewards_app.i18n.mail_text import words
from rewards_app.models import SecurityAlert

__all__ = ["RAISED", "Kind", "Severity", "raise_alert"]

_log = structlog.get_logger(__name__)

RAISED = "alert_raised"
"""Announced with the alert's id, once for each alert; what happens again is not news."""
LONGEST_DESCRIPTION = 500


async def raise_alert(
    session: AsyncSession,
    kind: Kind,
    *,
    about: str = "",
    account_id: UUID | None = None,
    address: str | None = None,
    now: datetime,
    **params: str | int,
) -> None:
    """Keep the alert with this transaction, and tell every worker once it commits.

    `about` is what it concerns: while nobody has resolved that alert, it counts how often.
    """
    alert_id = new_id()
    values = {
        "id": alert_id,
        "severity": SEVERITIES[kind].value,
        "alert_type": kind.value,
        "description": words(f"alerts.kinds.{kind}", "en", **params)[:LONGEST_DESCRIPTION],
        "params": params,
        "about": about,
        "times": 1,
        "ip_address": address,
        "account_id": account_id,
        "resolved": False,
        "created_at": now,
        "last_at": now,
    }
    table = SecurityAlert.__table__  # pyright: ignore[reportAttributeAccessIssue]
    row = insert(SecurityAlert).values(**values)
    again = row.on_conflict_do_update(
        index_elements=["alert_type", "about"],
        index_where=(~table.c.resolved) & (table.c.about != ""),
        set_={"times": table.c.times + 1, "last_at": now},
    )
    kept = (await run(session, again.returning(col(SecurityAlert.id)))).one()
    if kept[0] == alert_id:
        live.announce_after(session, RAISED, str(alert_id))
        _log.error("alert.raised", alert=kind.value, severity=values["severity"])
