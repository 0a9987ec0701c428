"""Signals and devices in the database."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, run
from rewards_app.features.signals.rules import Rule
from rewards_app.models import DeviceUse, FraudSignal


async def rules_since(session: AsyncSession, account_id: UUID, since: datetime) -> list[Rule]:
    """The rules that noticed this account from `since` on, as often as they did."""
    found = await session.exec(
        select(FraudSignal.rule).where(
            FraudSignal.account_id == account_id, col(FraudSignal.created_at) >= since
        )
    )
    return [Rule(name) for name in found.all()]


def add(session: AsyncSession, signal: FraudSignal) -> None:
    session.add(signal)


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


async def accounts_on(session: AsyncSession, device_hash: str, since: datetime) -> int:
    found = await session.exec(
        select(func.count()).where(
            col(DeviceUse.device_hash) == device_hash, col(DeviceUse.last_seen_at) >= since
        )
    )
    return found.one()
