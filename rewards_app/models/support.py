"""What people ask of support."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Identity, Index
from sqlmodel import Field, SQLModel

from rewards_app.core.clock import utc_now
from rewards_app.models.columns import (
    UUID,
    added_later,
    belongs_to,
    created,
    datetime,
    identifier,
    moment,
)


class SupportTicket(SQLModel, table=True):
    __tablename__ = "support_tickets"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("status in ('open', 'answered', 'closed')", name="ticket_status_is_known"),
        Index(
            "one_open_ticket_a_subject",
            "about",
            "account_id",
            unique=True,
            postgresql_where="status <> 'closed' and about <> ''",
        ),
        Index(
            "ix_support_tickets_appeals",
            "number",
            postgresql_where="status = 'open' and starts_with(about, 'restriction:')",
        ),
        Index(
            "ix_support_tickets_forum_appeals",
            "number",
            postgresql_where="status = 'open' and starts_with(about, 'forum-')",
        ),
        Index("ix_support_tickets_status_changed_at", "status", "changed_at"),
        Index("ix_support_tickets_status_waits_since", "status", "waits_since"),
    )

    id: UUID = identifier()
    number: int | None = Field(
        default=None,
        sa_column=Column(BigInteger, Identity(always=True, start=1001), unique=True),
    )
    """As people call it."""
    account_id: UUID = belongs_to("accounts")
    subject: str = Field(max_length=120)
    message: str = Field(max_length=2000)
    """What was asked first; what follows are messages."""
    name: str = Field(default="", max_length=80, sa_column_kwargs=added_later("''"))
    email: str = Field(default="", max_length=254, sa_column_kwargs=added_later("''"))
    """As typed into the form; answers go to the account's own address."""
    about: str = Field(default="", max_length=80)
    """What of ours it is about, like `purchase:…`."""
    status: str = Field(default="open", max_length=10)
    """`open`: support is to answer; `answered`: the sender has read or will; `closed`."""
    created_at: datetime = created()
    changed_at: datetime = moment(default_factory=utc_now, sa_column_kwargs=added_later("now()"))
    """When anything was last said, or it was closed: two years later it is forgotten."""
    waits_since: datetime = moment(default_factory=utc_now, sa_column_kwargs=added_later("now()"))
    """Since when it is open, or was: what is added meanwhile makes nobody wait anew."""


class SupportMessage(SQLModel, table=True):
    """What was said in a ticket after its first message."""

    __tablename__ = "support_messages"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_support_messages_ticket_id_id", "ticket_id", "id"),
        Index("ix_support_messages_answered_by", "by_account_id", postgresql_where="is_answer"),
    )

    id: UUID = identifier()
    ticket_id: UUID = Field(foreign_key="support_tickets.id", ondelete="CASCADE")
    by_account_id: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    is_answer: bool = False
    """From support, not from the sender."""
    text: str = Field(max_length=4000)
    seen_at: datetime | None = moment(default=None)
    """When the other side opened it."""
    created_at: datetime = created()
