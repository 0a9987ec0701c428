"""Sign-ins: sessions, the tickets that start them, and the links that mails carry."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import (
    UUID,
    added_later,
    belongs_to,
    created,
    datetime,
    identifier,
    moment,
)


class AccountSession(SQLModel, table=True):
    """One browser that is signed in. Its cookie is kept as a hash only."""

    __tablename__ = "account_sessions"  # pyright: ignore[reportAssignmentType]

    id: UUID = identifier()
    account_id: UUID = belongs_to("accounts")
    token_hash: str = Field(unique=True, max_length=64)
    created_at: datetime = created()
    last_active_at: datetime = created()
    ended_at: datetime | None = moment(default=None)
    user_agent: str = Field(default="", max_length=300)
    ip_address: str | None = Field(default=None, max_length=45)
    """Only with the person's ipLogging consent."""
    place_hash: str = Field(default="", max_length=64)
    """From where it was used last, as a keyed hash: address and browser."""
    place_before_hash: str = Field(default="", max_length=64)
    place_changed_at: datetime | None = moment(default=None)
    door_hash: str = Field(default="", max_length=64, sa_column_kwargs=added_later("''"))
    """Of the cookie that tells one browser from another: a new one is told to the owner."""


class SignInTicket(SQLModel, table=True):
    """Checked credentials on their way to a cookie: good once, for seconds, in one browser."""

    __tablename__ = "sign_in_tickets"  # pyright: ignore[reportAssignmentType]

    token_hash: str = Field(primary_key=True, max_length=64)
    account_id: UUID = belongs_to("accounts")
    door_hash: str = Field(max_length=64)
    may_log_address: bool = False
    expires_at: datetime = moment()


class EmailLink(SQLModel, table=True):
    """A link that was mailed: to prove an address, or for a new password. Good once."""

    __tablename__ = "email_links"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index(
            "ix_email_links_addresses_kept",
            "new_email",
            postgresql_where="purpose = 'email_keep' and used_at is null",
        ),
    )

    token_hash: str = Field(primary_key=True, max_length=64)
    account_id: UUID = belongs_to("accounts")
    purpose: str = Field(max_length=20)
    new_email: str | None = Field(default=None, max_length=254)
    """The address that it proves, where that is not the account's yet; or that it keeps."""
    door_hash: str = Field(default="", max_length=64, sa_column_kwargs=added_later("''"))
    """Of the browser that signed up, where it proves the address of a sign-up."""
    created_at: datetime = created()
    expires_at: datetime = moment()
    used_at: datetime | None = moment(default=None)
