"""People who wait to be told that the doors are open."""

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from rewards_app.core.clock import utc_now
from rewards_app.models.columns import (
    UUID,
    added_later,
    created,
    datetime,
    identifier,
    moment,
)


class WaitlistEntry(SQLModel, table=True):
    __tablename__ = "waitlist"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("email = lower(email)", name="waiting_email_is_lower_case"),
        CheckConstraint(
            "(confirmed_at is null) = (stands_at is null)", name="only_the_confirmed_stand_in_line"
        ),
        CheckConstraint("referrals >= 0", name="referrals_are_counted"),
        Index("ix_waitlist_created_at", "created_at", "id"),
        Index("ix_waitlist_email_begins", "email", postgresql_ops={"email": "text_pattern_ops"}),
        Index("ix_waitlist_line", "stands_at", "id", postgresql_where="confirmed_at is not null"),
        Index("ix_waitlist_unconfirmed", "created_at", postgresql_where="confirmed_at is null"),
    )

    id: UUID = identifier()
    email: str = Field(unique=True, max_length=254)
    ip_address: str | None = Field(default=None, max_length=45)
    """Always empty: nobody needs it."""
    user_agent: str = Field(default="", max_length=300)
    notified: bool = False
    notified_at: datetime | None = moment(default=None)
    created_at: datetime = created()
    language: str = Field(default="en", max_length=2, sa_column_kwargs=added_later("'en'"))
    asked_at: datetime = moment(default_factory=utc_now, sa_column_kwargs=added_later("now()"))
    """When the last mail left that asks whether this address is meant."""
    confirmed_at: datetime | None = moment(default=None)
    """Until then it has no place in line, and no mail but that question."""
    code: str | None = Field(default=None, unique=True, max_length=12)
    """Of its own link for friends; with the confirmation."""
    referred_by: UUID | None = Field(
        default=None, foreign_key="waitlist.id", ondelete="SET NULL", index=True
    )
    referrals: int = Field(default=0, sa_column_kwargs=added_later("0"))
    """Friends who confirmed."""
    stands_at: datetime | None = moment(default=None)
    """Its place in line: the earlier, the further ahead."""


class OpenedDoors(SQLModel, table=True):
    """Since when nobody waits any more: their row comes with the first letters that say so."""

    __tablename__ = "opened_doors"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("id = 1", name="doors_are_opened_once"),)

    id: int = Field(default=1, primary_key=True)
    opened_at: datetime = moment()
