"""Raising alerts, in the transaction that noticed them; reading them; resolving them, once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.features.alerts import repository, rules
from rewards_app.features.alerts.repository import MOST_COUNTED, Alert
from rewards_app.features.alerts.rules import SEVERITIES, Kind, Severity
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import Param, words

__all__ = [
    "A_PAGE",
    "CHANGED",
    "MOST_COUNTED",
    "RAISED",
    "Alert",
    "Alerts",
    "Kind",
    "Severity",
    "newest",
    "open_about",
    "open_by_severity",
    "raise_alert",
    "raised_lately",
    "resolve",
    "said_of",
    "settle",
    "unnamed",
]

_log = structlog.get_logger(__name__)

RAISED = "alert_raised"
"""Announced with the alert's id, once for each alert; what happens again is not news."""
CHANGED = "alert_changed"
"""Announced with the alert's id when it happened again, and when it is resolved."""
A_PAGE = 50
LONGEST_DESCRIPTION = 500
NEWS = timedelta(minutes=10)
"""For how long an alert is news to a page that hears of it: some checks take minutes from the
moment that their findings are dated to."""
MOST_NEWS = 20
NAMING = ("name", "was", "by")
"""Params in which alerts name somebody, or what somebody calls theirs."""


async def was_raised(session: AsyncSession, kind: Kind, *, about: str) -> bool:
    """Whether it was ever, resolved or not."""
    return await repository.exists(session, kind.value, about)


async def raise_alert(
    session: AsyncSession,
    kind: Kind,
    *,
    about: str = "",
    account_id: UUID | None = None,
    address: str | None = None,
    times: int = 1,
    now: datetime,
    **params: Param,
) -> None:
    """Keep the alert with this transaction, and tell every worker once it commits.

    `about` is what it concerns: while nobody has resolved that alert, it counts how often, and
    says what was found last. Each reads it in their own language: parameters that are lists hold
    keys, and `cents` are told as an `amount`.
    """
    alert_id = new_id()
    said = {name: _said(value) for name, value in params.items()}
    severity = SEVERITIES[kind]
    kept = await repository.add(
        session,
        {
            "id": alert_id,
            "severity": severity.value,
            "alert_type": kind.value,
            "description": said_of(kind, said, "en")[:LONGEST_DESCRIPTION],
            "params": said,
            "about": about,
            "times": times,
            "ip_address": rules.address_from(address),
            "account_id": account_id,
            "resolved": False,
            "created_at": now,
            "last_at": now,
        },
    )
    # With the commit itself: the command line raises some, too, and ends right after.
    await live.publish(session, RAISED if kept == alert_id else CHANGED, str(kept))
    if kept == alert_id:
        _log.error("alert.raised", alert=kind.value, severity=severity.value)


def _said(value: Param) -> Param:
    return rules.plain(value) if isinstance(value, str) else value


def said_of(kind: str, params: Mapping[str, Any], language: str) -> str:
    """What an alert tells, in that language; KeyError where it is of another version."""
    if "cents" in params:
        params = {**params, "amount": written.dollars(params["cents"], language)}
    return words(f"alerts.kinds.{kind}", language, **params)


@dataclass(frozen=True, slots=True)
class Alerts:
    """A stretch of them, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Alert]
    next_before: UUID | None


async def newest(
    session: AsyncSession,
    *,
    is_resolved: bool = False,
    severity: Severity | None = None,
    before: UUID | None = None,
    limit: int = A_PAGE,
) -> Alerts:
    found = await repository.newest(
        session,
        is_resolved=is_resolved,
        severity=severity.value if severity else None,
        before=before,
        limit=limit + 1,
    )
    shown = found[:limit]
    return Alerts(shown, shown[-1].id if len(found) > limit else None)


async def raised_lately(session: AsyncSession, *, now: datetime) -> list[Alert]:
    """What is news now, the latest first."""
    return await repository.since(session, now - NEWS, limit=MOST_NEWS)


async def open_by_severity(session: AsyncSession) -> dict[Severity, int]:
    """How many wait for an admin; MOST_COUNTED stands for that many or more."""
    counted = await repository.open_by_severity(session)
    return {severity: counted[severity.value] for severity in Severity}


async def resolve(session: AsyncSession, alert_id: UUID, *, by: UUID, now: datetime) -> Alert:
    """Somebody has seen to it. It stays resolved; the same happening again is a new alert."""
    if not await repository.resolve(session, alert_id, by=by, now=now):
        if await repository.find(session, alert_id) is None:
            raise rules.UnknownAlert
        raise rules.ResolvedMeanwhile
    await live.publish(session, CHANGED, str(alert_id))
    resolved = await repository.find(session, alert_id)
    assert resolved is not None, "it was resolved in this transaction"
    return resolved


async def open_about(session: AsyncSession, kind: Kind, *, about: str) -> Alert | None:
    return await repository.open_about(session, kind.value, about)


async def settle(
    session: AsyncSession, kind: Kind, *, about: str, by: UUID | None, now: datetime
) -> None:
    """What it told of is decided, or over: nobody has to look, and the next time is news again."""
    settled = await repository.settle(session, kind.value, about, by=by, now=now)
    if settled:
        await live.publish(session, CHANGED, str(settled))


def unnamed(alert: Alert) -> str:
    """What it tells, naming nobody: it is forgotten one day, and what is kept of it is not."""
    nobody = {name: "…" for name in NAMING if name in alert.params}
    try:
        return said_of(alert.kind, alert.params | nobody, "en")
    except KeyError:
        # Of another version, which had other words for it or kept them otherwise.
        return alert.kind


async def forget_addresses(session: AsyncSession, *, now: datetime) -> int:
    """Take the addresses out of alerts whose cause is long past; how many there were."""
    return await repository.forget_addresses(session, now - rules.ADDRESS_KEPT_FOR)
