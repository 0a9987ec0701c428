"""What people decide about their data: exports, closures, what they read, their guardians' word."""

from sqlalchemy import CheckConstraint, Index, LargeBinary
from sqlmodel import Field, SQLModel

from rewards_app.core.sealed import Sealed
from rewards_app.models.columns import (
    UUID,
    added_later,
    belongs_to,
    created,
    datetime,
    identifier,
    moment,
)


class DataExport(SQLModel, table=True):
    """Everything held on one person, being gathered or to be fetched once."""

    __tablename__ = "data_exports"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('waiting', 'running', 'ready', 'taken', 'failed', 'expired')",
            name="export_status_is_known",
        ),
        Index(
            "one_open_export",
            "account_id",
            unique=True,
            postgresql_where="status in ('waiting', 'running')",
        ),
    )

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    status: str = Field(default="waiting", max_length=10)
    rows_done: int = 0
    rows_expected: int = 0
    size: int = 0
    """In bytes, once it is ready."""
    token_hash: str | None = Field(default=None, unique=True, max_length=64)
    heard_at: datetime = created()
    """When its maker last said how far it is."""
    ready_at: datetime | None = moment(default=None)
    expires_at: datetime | None = moment(default=None)
    taken_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class DataExportPart(SQLModel, table=True):
    """A piece of the file, sealed: any worker can hand it out, and no disk keeps it."""

    __tablename__ = "data_export_parts"  # pyright: ignore[reportAssignmentType]

    export_id: UUID = Field(primary_key=True, foreign_key="data_exports.id", ondelete="CASCADE")
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    content: bytes = Field(sa_type=LargeBinary)


class AccountClosure(SQLModel, table=True):
    """An account that its owner deletes: hidden at once, erased when `due_at` has come."""

    __tablename__ = "account_closures"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index(
            "one_open_closure",
            "account_id",
            unique=True,
            postgresql_where="cancelled_at is null and erased_at is null",
        ),
        Index(
            "ix_account_closures_due",
            "due_at",
            postgresql_where="cancelled_at is null and erased_at is null",
        ),
    )

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    hidden: str | None = Field(default=None, sa_type=Sealed)
    """What was taken from sight, as JSON, to be put back; empty once it is over."""
    due_at: datetime = moment()
    reminded_at: datetime | None = moment(default=None)
    """When its owner was told that the end is near."""
    cancelled_at: datetime | None = moment(default=None)
    erased_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class LegalReading(SQLModel, table=True):
    """Which edition of the terms or the privacy policy somebody accepted, or was told of."""

    __tablename__ = "legal_readings"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    document: str = Field(primary_key=True, max_length=10)
    edition: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at_sign_up: bool = False
    read_at: datetime = created()


class GuardianConsent(SQLModel, table=True):
    """What a guardian was asked, and answered: given, refused, or taken back."""

    __tablename__ = "guardian_consents"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('asked', 'given', 'refused', 'withdrawn', 'replaced')",
            name="guardian_status_is_known",
        ),
        Index(
            "one_guardian_at_a_time",
            "account_id",
            unique=True,
            postgresql_where="status in ('asked', 'given')",
        ),
    )

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    email: str = Field(sa_type=Sealed)
    name: str | None = Field(default=None, sa_type=Sealed)
    """As the guardian signed."""
    status: str = Field(default="asked", max_length=10)
    token_hash: str = Field(unique=True, max_length=64)
    language: str = Field(default="en", max_length=2)
    edition: int = 0
    """Of the privacy policy that was shown."""
    expires_at: datetime = moment()
    answered_at: datetime | None = moment(default=None)
    withdrawn_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class CoinExpiryNotice(SQLModel, table=True):
    """Who was told that coins will expire: no coin goes without both mails."""

    __tablename__ = "coin_expiry_notices"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    inactive_since: datetime = moment()
    """Any later sign of life makes this notice void."""
    first_told_at: datetime = moment()
    last_told_at: datetime | None = moment(default=None)
    coins: int = Field(sa_column_kwargs=added_later("0"))
    """So many the mails have told of: whatever came free since is told anew."""
