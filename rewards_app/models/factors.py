"""What proves a person besides their password, and sign-ins that wait for it."""

from sqlalchemy import CheckConstraint, Index, LargeBinary
from sqlmodel import Field, SQLModel

from rewards_app.core.sealed import Sealed
from rewards_app.models.columns import UUID, belongs_to, created, datetime, identifier, moment


class Authenticator(SQLModel, table=True):
    """An app that shows codes; its secret is sealed."""

    __tablename__ = "authenticators"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    secret: str = Field(sa_type=Sealed)
    last_step: int = Field(default=0)
    """The latest period whose code was used: no code works twice."""
    created_at: datetime = created()
    confirmed_at: datetime | None = moment(default=None)
    """Since when it counts: its owner has shown a code of it."""


class BackupCode(SQLModel, table=True):
    """One of ten codes that each work once. Only a slow hash is kept, and that is sealed."""

    __tablename__ = "backup_codes"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_backup_codes_account_id", "account_id"),)

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    code_hash: str = Field(sa_type=Sealed)
    created_at: datetime = created()
    used_at: datetime | None = moment(default=None)


class Passkey(SQLModel, table=True):
    """A key that a device or a password manager holds; here is its public half."""

    __tablename__ = "passkeys"  # pyright: ignore[reportAssignmentType]

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    credential_id: bytes = Field(sa_type=LargeBinary, unique=True)
    public_key: bytes = Field(sa_type=LargeBinary)
    uses: int = 0
    """As the device counts them: a number that falls means a copy."""
    name: str = Field(max_length=60)
    """What its owner calls it."""
    transports: str = Field(default="", max_length=100)
    created_at: datetime = created()
    last_used_at: datetime | None = moment(default=None)


class PasskeyChallenge(SQLModel, table=True):
    """What a device is to sign: good once, for minutes, for one purpose of one account."""

    __tablename__ = "passkey_challenges"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("purpose in ('add', 'sign_in', 'prove')", name="purpose_is_known"),
    )

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    purpose: str = Field(max_length=10)
    challenge: bytes = Field(sa_type=LargeBinary)
    expires_at: datetime = moment()


class SignInStep(SQLModel, table=True):
    """Somebody who has shown the password, or a provider's word, and must do one thing more."""

    __tablename__ = "sign_in_steps"  # pyright: ignore[reportAssignmentType]

    token_hash: str = Field(primary_key=True, max_length=64)
    account_id: UUID = belongs_to("accounts")
    door_hash: str = Field(max_length=64)
    may_log_address: bool = False
    has_factor: bool = False
    """The second factor was shown: what is left is to keep the account that was to be deleted."""
    expires_at: datetime = moment()


class FactorReset(SQLModel, table=True):
    """A wish to sign in without the second factor: granted by support, after a waiting time."""

    __tablename__ = "factor_resets"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('waiting', 'granted', 'done', 'refused', 'cancelled')",
            name="reset_status_is_known",
        ),
        Index(
            "one_open_factor_reset",
            "account_id",
            unique=True,
            postgresql_where="status in ('waiting', 'granted')",
        ),
        Index("ix_factor_resets_open", "ready_at", postgresql_where="status = 'granted'"),
    )

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    status: str = Field(default="waiting", max_length=10)
    cancel_hash: str = Field(unique=True, max_length=64)
    """Of the link in the mail that tells the owner."""
    decided_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    decided_at: datetime | None = moment(default=None)
    ready_at: datetime = moment()
    """Not before then, whatever support decides."""
    ended_at: datetime | None = moment(default=None)
    created_at: datetime = created()
