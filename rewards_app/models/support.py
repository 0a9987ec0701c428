"""What people ask of support."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Identity, Index
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, belongs_to, created, datetime, identifier


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
    about: str = Field(default="", max_length=80)
    """What of ours it is about, like `purchase:…`."""
    status: str = Field(default="open", max_length=10)
    created_at: datetime = created()
