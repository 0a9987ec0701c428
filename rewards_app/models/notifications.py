"""What the app tells a person, in the app and by mail."""

from typing import Any

from sqlalchemy import Column, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


class Notification(SQLModel, table=True):
    __tablename__ = "notifications"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_notifications_account_id_id", "account_id", "id"),
        Index("ix_notifications_unread", "account_id", postgresql_where="read_at is null"),
        Index(
            "one_notification_a_cause",
            "account_id",
            "cause",
            unique=True,
            postgresql_where="cause <> ''",
        ),
        Index("ix_notifications_to_be_mailed", "mail_at", postgresql_where="mail_at is not null"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    kind: str = Field(max_length=30)
    """Its words are under `notifications.kinds.` in every catalogue."""
    params: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False), default_factory=dict)
    link: str = Field(default="", max_length=200)
    """Where it leads, on this site."""
    cause: str = Field(default="", max_length=120)
    """What made it happen; the same person is told of no cause twice."""
    mail_at: datetime | None = moment(default=None)
    """When a mail tells it, together with what else its link has seen; None once that is done."""
    mailed_at: datetime | None = moment(default=None)
    read_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class NotificationChoice(SQLModel, table=True):
    """What somebody chose about mails of one topic; where there is no row, its default holds."""

    __tablename__ = "notification_choices"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    topic: str = Field(primary_key=True, max_length=30)
    by_mail: bool
