"""People and companies with an account, who vouches for them, and what they may not do."""

from sqlalchemy import CheckConstraint, Index, String, UniqueConstraint, literal_column
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
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


class Account(SQLModel, table=True):
    __tablename__ = "accounts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("email = lower(email)", name="email_is_lower_case"),
        CheckConstraint(
            f"role in ({', '.join(repr(role.value) for role in Role)})", name="role_is_known"
        ),
        # For searches by what an email or a name begins with.
        Index("ix_accounts_email_begins", "email", postgresql_ops={"email": "text_pattern_ops"}),
        Index(
            "ix_accounts_name_begins",
            literal_column("lower(display_name)").label("name"),
            postgresql_ops={"name": "text_pattern_ops"},
        ),
        # For the lists of admins, the newest first.
        Index("ix_accounts_role_id", "role", "id"),
        Index("ix_accounts_unverified", "id", postgresql_where="email_verified_at is null"),
        Index("ix_accounts_last_active_at", "last_active_at"),
        Index("ix_accounts_closed", "id", postgresql_where="closed_at is not null"),
        Index("ix_accounts_asked_for_admin", "id", postgresql_where="asked_for_admin"),
    )

    id: UUID = identifier()
    email: str = Field(unique=True, max_length=254)
    email_verified_at: datetime | None = moment(default=None)
    password_hash: str | None = None
    """Empty when only a provider signs this person in."""
    password_changed_at: datetime = created()
    role: str = Role.PLAYER.value
    asked_for_admin: bool = False
    username: str = Field(max_length=40)
    display_name: str = Field(max_length=40)
    phone: str | None = Field(default=None, sa_type=Sealed)
    sign_up_age: int | None = None
    birth_date: str | None = Field(default=None, sa_type=Sealed)
    """As ISO 8601; proven by its owner together with `age_verified_at`."""
    age_verified_at: datetime | None = moment(default=None)
    gender: str | None = Field(default=None, max_length=10)
    country: str = Field(default="SE", max_length=2)
    language: str = Field(default="en", max_length=2)
    created_at: datetime = created()
    last_active_at: datetime = moment(
        default_factory=utc_now, sa_column_kwargs=added_later("now()")
    )
    """Written at most once a day: whether coins expire depends on it."""
    second_factor_at: datetime | None = moment(default=None)
    """Since when signing in asks for more than a password; kept in step by what adds factors."""
    first_steps_begun_at: datetime | None = moment(default=None)
    """When its owner first saw a step of the guided start that was left to do, or asked for it."""
    first_steps_left_at: datetime | None = moment(default=None)
    """When its owner put the guided start aside, or had finished it."""
    closed_at: datetime | None = moment(default=None)
    """Since when its owner deletes it: nobody sees it, and nobody is signed in to it."""


class AccountIdentity(SQLModel, table=True):
    """A provider's own name for one of our accounts."""

    __tablename__ = "account_identities"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("provider", "subject"),)

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    provider: str = Field(max_length=40)
    subject: str = Field(max_length=255)
    created_at: datetime = created()


class AccountRestriction(SQLModel, table=True):
    """What somebody may not do for now, and why: never without a reason that they can read."""

    __tablename__ = "account_restrictions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("kind in ('earning_paused', 'suspended')", name="restriction_is_known"),
        CheckConstraint("reason <> ''", name="restriction_has_a_reason"),
        Index(
            "one_open_restriction_of_a_kind",
            "account_id",
            "kind",
            unique=True,
            postgresql_where="ended_at is null",
        ),
        Index("ix_account_restrictions_account_id_begun_at", "account_id", "begun_at"),
        Index("ix_account_restrictions_open", "begun_at", postgresql_where="ended_at is null"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    kind: str = Field(max_length=20)
    reason: str = Field(max_length=500)
    """What an admin wrote, or a key of the catalogue where nobody did."""
    begun_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    is_automatic: bool = False
    risk_score: int | None = None
    """What the fraud rules had added up to, where they did it."""
    grounds: list[str] = Field(
        default_factory=list,
        sa_type=ARRAY(String(40)),  # pyright: ignore
        sa_column_kwargs=added_later("'{}'"),
    )
    """Which of them decided it, what weighed most first."""
    begun_at: datetime = created()
    ended_at: datetime | None = moment(default=None)
    ended_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    end_reason: str = Field(default="", max_length=500)
