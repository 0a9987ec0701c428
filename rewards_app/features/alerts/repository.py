"""Alerts in the database: each list is read along an index, newest first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy import func, literal_column, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, rows, run
from rewards_app.models import Account, SecurityAlert

_concerned, _resolver = aliased(Account), aliased(Account)

# As words: a prepared statement's parameter would not be known to fit the index.
OPEN_ABOUT_IT = text("not resolved and about <> ''")
MOST_COUNTED = 1000
"""Of each severity: more of them are not to be worked through one by one anyway."""


async def add(session: AsyncSession, values: dict[str, Any]) -> UUID:
    """Keep the alert, or count it where the same is open already; the one that is kept.

    What it names is what was found last: two nights need not find the same.
    """
    table = SecurityAlert.__table__  # pyright: ignore[reportAttributeAccessIssue]
    row = insert(SecurityAlert).values(**values)
    again = row.on_conflict_do_update(
        index_elements=["alert_type", "about"],
        index_where=OPEN_ABOUT_IT,
        set_={
            "times": table.c.times + row.excluded.times,
            "params": row.excluded.params,
            "description": row.excluded.description,
            "last_at": func.greatest(table.c.last_at, row.excluded.last_at),
            "ip_address": func.coalesce(row.excluded.ip_address, table.c.ip_address),
        },
    )
    return (await run(session, again.returning(col(SecurityAlert.id)))).one()[0]


async def exists(session: AsyncSession, kind: str, about: str) -> bool:
    query = select(SecurityAlert.id).where(
        SecurityAlert.alert_type == kind, SecurityAlert.about == about
    )
    return (await session.exec(query.limit(1))).first() is not None


@dataclass(frozen=True, slots=True)
class Alert:
    id: UUID
    severity: str
    kind: str
    params: dict[str, Any]
    description: str
    times: int
    created_at: datetime
    last_at: datetime
    ip_address: str
    account_id: UUID | None
    account: str
    """The name of whom it concerns."""
    resolved_at: datetime | None
    resolved_by: str


async def newest(
    session: AsyncSession,
    *,
    is_resolved: bool,
    severity: str | None,
    before: UUID | None,
    limit: int,
) -> list[Alert]:
    query = _alerts().where(
        col(SecurityAlert.resolved) if is_resolved else ~col(SecurityAlert.resolved)
    )
    if severity:
        query = query.where(SecurityAlert.severity == severity)
    if before:
        query = query.where(col(SecurityAlert.id) < before)
    return await _told(session, query.order_by(col(SecurityAlert.id).desc()).limit(limit))


async def since(session: AsyncSession, moment: datetime, *, limit: int) -> list[Alert]:
    """The newest open ones that were raised from that moment on, the latest first."""
    query = _alerts().where(~col(SecurityAlert.resolved))
    latest = await _told(session, query.order_by(col(SecurityAlert.id).desc()).limit(limit))
    return [alert for alert in latest if alert.created_at >= moment]


async def find(session: AsyncSession, alert_id: UUID) -> Alert | None:
    found = await _told(session, _alerts().where(SecurityAlert.id == alert_id))
    return found[0] if found else None


async def resolve(session: AsyncSession, alert_id: UUID, *, by: UUID, now: datetime) -> bool:
    """Whether it was still open."""
    resolved = await session.exec(
        update(SecurityAlert)
        .where(col(SecurityAlert.id) == alert_id, ~col(SecurityAlert.resolved))
        .values(resolved=True, resolved_at=now, resolved_by=by)
        .returning(col(SecurityAlert.id))
    )
    return resolved.first() is not None


async def open_about(session: AsyncSession, kind: str, about: str) -> Alert | None:
    found = await _told(session, _alerts().where(*_open_about(kind, about)))
    return found[0] if found else None


async def settle(
    session: AsyncSession, kind: str, about: str, *, by: UUID | None, now: datetime
) -> UUID | None:
    """Resolve the open one about it, if there is one; which it was."""
    resolved = await session.exec(
        update(SecurityAlert)
        .where(*_open_about(kind, about))
        .values(resolved=True, resolved_at=now, resolved_by=by)
        .returning(col(SecurityAlert.id))
    )
    found = resolved.first()
    return found[0] if found else None


def _open_about(kind: str, about: str) -> tuple[Any, ...]:
    return (
        SecurityAlert.alert_type == kind,
        SecurityAlert.about == about,
        col(SecurityAlert.about) != literal_column("''"),
        ~col(SecurityAlert.resolved),
    )


OPEN: LiteralString = """(
    select count(*) from (
        select from security_alerts where not resolved and severity = '{}' limit %(most)s
    ) as found
)"""
"""Each by its name: how many of each there are decides how they are best found."""
COUNT: LiteralString = "select {}, {}, {}, {}".format(
    OPEN.format("critical"), OPEN.format("high"), OPEN.format("medium"), OPEN.format("low")
)


async def open_by_severity(session: AsyncSession) -> dict[str, int]:
    """How many are open, counted up to MOST_COUNTED of each."""
    [counted] = await rows(session, COUNT, {"most": MOST_COUNTED})
    return dict(zip(("critical", "high", "medium", "low"), counted, strict=True))


async def forget_addresses(session: AsyncSession, before: datetime) -> int:
    """Of alerts that happened last before then; how many named one."""
    forgotten = await session.exec(
        update(SecurityAlert)
        .where(col(SecurityAlert.ip_address).is_not(None), col(SecurityAlert.last_at) < before)
        .values(ip_address=None)
        .returning(col(SecurityAlert.id))
    )
    return len(forgotten.all())


def _alerts() -> Any:
    """Each alert with the names of whom it concerns and who resolved it."""
    return (
        select(
            SecurityAlert,
            func.coalesce(col(_concerned.display_name), ""),
            func.coalesce(col(_resolver.display_name), ""),
        )
        .outerjoin(_concerned, col(_concerned.id) == col(SecurityAlert.account_id))
        .outerjoin(_resolver, col(_resolver.id) == col(SecurityAlert.resolved_by))
    )


async def _told(session: AsyncSession, query: Any) -> list[Alert]:
    found = await session.exec(query)
    return [_alert(*row) for row in found.all()]


def _alert(row: SecurityAlert, account: str, resolver: str) -> Alert:
    return Alert(
        id=row.id,
        severity=row.severity,
        kind=row.alert_type,
        params=row.params,
        description=row.description,
        times=row.times,
        created_at=row.created_at,
        last_at=row.last_at,
        ip_address=row.ip_address or "",
        account_id=row.account_id,
        account=account,
        resolved_at=row.resolved_at,
        resolved_by=resolver,
    )
