"""What looked wrong: signals of fraud, the devices that accounts share, and alerts for admins."""

from datetime import date
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Index, SmallInteger, String
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, belongs_to, created, datetime, identifier, moment


class FraudSignal(SQLModel, table=True):
    """One named rule that noticed something of one account. It blocks nothing by itself."""

    __tablename__ = "fraud_signals"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_fraud_signals_account_id_created_at", "account_id", "created_at"),
        Index("ix_fraud_signals_created_at", "created_at", "id"),
        Index("ix_fraud_signals_acted_on", "created_at", postgresql_where="action_taken <> 'none'"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    rule: str = Field(max_length=40)
    risk_score: int
    """Of the account at that moment, this signal included."""
    patterns: list[str] = Field(default_factory=list, sa_type=ARRAY(String(40)))  # pyright: ignore
    """The rules behind that score, each once."""
    action_taken: str = Field(default="none", max_length=20)
    """What came of it by itself: none, earning_paused or account_suspended."""
    evidence: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    created_at: datetime = created()


class FraudWeight(SQLModel, table=True):
    """What a rule weighs since an admin changed it; the others weigh what the code says."""

    __tablename__ = "fraud_weights"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "first between 0 and 100 and each_more between 0 and 100", name="weight_in_range"
        ),
    )

    rule: str = Field(primary_key=True, max_length=40)
    first: int
    each_more: int
    changed_at: datetime = moment()


class FraudDay(SQLModel, table=True):
    """What the signals of one day amount to, kept up to date by each of them.

    Several slots, so that players who are noticed at once do not wait for each other.
    """

    __tablename__ = "fraud_days"  # pyright: ignore[reportAssignmentType]

    day: date = Field(primary_key=True)
    slot: int = Field(primary_key=True, sa_type=SmallInteger)
    signals: int = 0
    high: int = 0
    """Those of a high risk."""
    suspended: int = 0
    """Those that an account was suspended for, by itself."""
    risks: int = Field(default=0, sa_type=BigInteger)
    """All their risk scores together."""


class FraudSimulation(SQLModel, table=True):
    """What other weights would have done in the last days; only what was seen here is saved."""

    __tablename__ = "fraud_simulations"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('running', 'done', 'failed', 'cancelled')", name="simulation_is_known"
        ),
        Index(
            "one_simulation_at_a_time", "status", unique=True, postgresql_where="status = 'running'"
        ),
    )

    id: UUID = identifier()
    asked_by: UUID = belongs_to("accounts")
    status: str = Field(default="running", max_length=10)
    before: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    """The weights in force when it was asked for: first and each more, by rule."""
    weights: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    """Those that it tried."""
    since: datetime = moment()
    """The days that it went through began here."""
    views: int = Field(default=0, sa_type=BigInteger)
    """Gone through so far."""
    expected: int = Field(default=0, sa_type=BigInteger)
    result: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    asked_at: datetime = created()
    heard_at: datetime = created()
    """When its process was heard of last."""


class DeviceUse(SQLModel, table=True):
    """An account was used on a device, which is known by a keyed hash only."""

    __tablename__ = "device_uses"  # pyright: ignore[reportAssignmentType]

    device_hash: str = Field(primary_key=True, max_length=64)
    account_id: UUID = Field(
        primary_key=True, foreign_key="accounts.id", ondelete="CASCADE", index=True
    )
    first_seen_at: datetime = created()
    last_seen_at: datetime = moment(index=True)


class SecurityAlert(SQLModel, table=True):
    """Something that admins must look at."""

    __tablename__ = "security_alerts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "severity in ('critical', 'high', 'medium', 'low')", name="severity_is_known"
        ),
        Index(
            "one_open_alert_about_it",
            "alert_type",
            "about",
            unique=True,
            postgresql_where="not resolved and about <> ''",
        ),
        # One for each list that admins read, newest first.
        Index("ix_security_alerts_open", "severity", "id", postgresql_where="not resolved"),
        Index("ix_security_alerts_open_id", "id", postgresql_where="not resolved"),
        Index("ix_security_alerts_resolved", "severity", "id", postgresql_where="resolved"),
        Index("ix_security_alerts_resolved_id", "id", postgresql_where="resolved"),
        Index("ix_security_alerts_address", "last_at", postgresql_where="ip_address is not null"),
    )

    id: UUID = identifier()
    severity: str = Field(max_length=10)
    alert_type: str = Field(max_length=40)
    description: str = Field(max_length=500)
    ip_address: str | None = Field(default=None, max_length=45)
    account_id: UUID | None = Field(
        default=None, foreign_key="accounts.id", ondelete="SET NULL", index=True
    )
    params: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    """What the description names: the page says it in its reader's language."""
    about: str = Field(default="", max_length=120)
    """What happens again about the same is counted here while nobody has resolved it."""
    times: int = 1
    last_at: datetime = created()
    """When it happened last."""
    resolved: bool = False
    resolved_at: datetime | None = moment(default=None)
    resolved_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    created_at: datetime = created()
