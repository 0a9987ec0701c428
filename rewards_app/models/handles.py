"""By which name the people of the forum call each other: unique, and stable."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, datetime, moment


class AccountHandle(SQLModel, table=True):
    """In lower case, as it is searched; made from the username when the account is made, and from
    the name once a moderator has replaced that."""

    __tablename__ = "account_handles"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        # Deleting an account asks for all of its handles.
        Index("ix_account_handles_account_id", "account_id"),
        Index(
            "one_present_handle_an_account",
            "account_id",
            unique=True,
            postgresql_where="retired_at is null",
        ),
    )

    handle: str = Field(primary_key=True, max_length=30)
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    retired_at: datetime | None = moment(default=None)
    """Since then nobody is called so; while it is here, nobody else ever is."""
