"""What looked wrong: signals of fraud, the devices that accounts share, and alerts for admins."""

from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


class FraudSignal(SQLModel, table=True):
    """One named rule that noticed something of one account. It blocks nothing by itself."""

    __tablename__ = "fraud_signals"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_fraud_signals_account_id_created_at", "account_id", "created_at"),)

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    rule: str = Field(max_length=40)
    risk_score: int
    """Of the account at that moment, this signal included."""
    evidence: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    created_at: datetime = created()


class DeviceUse(SQLModel, table=True):
    """An account was used on a device, which is known by a keyed hash only."""

    __tablename__ = "device_uses"  # pyright: ignore[reportAssignmentType]

    device_hash: str = Field(primary_key=True, max_length=64)
    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    first_seen_at: datetime = created()
    last_seen_at: datetime = moment(index=True)


class SecurityAlert(SQLModel, table=True):
    """Something that admins must look at."""

    __tablename__ = "security_alerts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "severity in ('critical', 'high', 'medium', 'low')", name="severity_is_known"
        ),
        Index("ix_security_alerts_created_at", "created_at"),
    )

    id: UUID = identifier()
    severity: str = Field(max_length=10)
    alert_type: str = Field(max_length=40)
    description: str = Field(max_length=500)
    ip_address: str | None = Field(default=None, max_length=45)
    account_id: UUID | None = Field(
        default=None, foreign_key="accounts.id", ondelete="SET NULL", index=True
    )
    resolved: bool = False
    created_at: datetime = created()
