"""People who wait to be told that the doors are open."""

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


class WaitlistEntry(SQLModel, table=True):
    __tablename__ = "waitlist"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("email = lower(email)", name="waiting_email_is_lower_case"),
        Index("ix_waitlist_created_at", "created_at", "id"),
    )

    id: UUID = identifier()
    email: str = Field(unique=True, max_length=254)
    ip_address: str | None = Field(default=None, max_length=45)
    """Always empty: nobody needs it."""
    user_agent: str = Field(default="", max_length=300)
    notified: bool = False
    notified_at: datetime | None = moment(default=None)
    created_at: datetime = created()
