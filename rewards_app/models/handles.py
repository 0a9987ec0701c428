"""By which name the people of the forum call each other: unique, and stable."""

from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID


class AccountHandle(SQLModel, table=True):
    """In lower case, as it is searched; made from the username when the account is made."""

    __tablename__ = "account_handles"  # pyright: ignore[reportAssignmentType]

    handle: str = Field(primary_key=True, max_length=30)
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE", unique=True)
