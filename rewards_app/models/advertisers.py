"""Companies that advertise, who acts for them, and the money that they bring."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Identity, Index, literal_column
from sqlmodel import Field, SQLModel

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


class Advertiser(SQLModel, table=True):
    """A company that runs campaigns, from its application on; the house has no account."""

    __tablename__ = "advertisers"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('pending', 'approved', 'rejected')", name="advertiser_status_is_known"
        ),
        Index("ix_advertisers_status_created_at", "status", "created_at"),
        # For searches by what an email or a name begins with.
        Index(
            "ix_advertisers_email_begins",
            literal_column("lower(email)").label("address"),
            postgresql_ops={"address": "text_pattern_ops"},
        ),
        Index(
            "ix_advertisers_name_begins",
            literal_column("lower(company_name)").label("name"),
            postgresql_ops={"name": "text_pattern_ops"},
        ),
        # For the lists of admins, the newest first.
        Index("ix_advertisers_pending", "updated_at", "id", postgresql_where="status = 'pending'"),
        Index(
            "ix_advertisers_processed",
            literal_column("coalesce(decided_at, created_at)").label("decided"),
            "id",
            postgresql_where="status <> 'pending'"
            " and (account_id is not null or decided_at is not null)",
        ),
    )

    id: UUID = identifier()
    account_id: UUID | None = Field(
        default=None, foreign_key="accounts.id", ondelete="SET NULL", unique=True
    )
    """Who applied."""
    company_name: str = Field(max_length=80)
    email: str = Field(default="", max_length=254)
    phone: str | None = Field(default=None, sa_type=Sealed)
    website: str = Field(default="", max_length=500)
    status: str = Field(default="pending", max_length=10)
    reason: str = Field(default="", max_length=500)
    """Why it was rejected."""
    decided_at: datetime | None = moment(default=None)
    decided_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    balance: int = Field(default=0, sa_type=BigInteger)
    """What its entries add up to, in thousandths of a cent."""
    reaches_minors: bool = True
    """Whether players under 18 see its ads."""
    starts_by_itself: bool = True
    """Whether a campaign starts when its first ad is approved, or waits for Resume."""
    tags_links: bool = False
    """Whether its links tell the company's site which campaign a visitor came from."""
    mails_reviews: bool = True
    mails_budgets: bool = True
    mails_reports: bool = True
    created_at: datetime = created()
    updated_at: datetime = created()


class AdvertiserMember(SQLModel, table=True):
    """Somebody who acts for a company; everybody acts for one at most."""

    __tablename__ = "advertiser_members"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("role in ('owner', 'member')", name="member_role_is_known"),)

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    advertiser_id: UUID = belongs_to("advertisers")
    role: str = Field(default="member", max_length=10)
    created_at: datetime = created()


class AdvertiserInvitation(SQLModel, table=True):
    """A colleague was asked by mail to act for the company, too."""

    __tablename__ = "advertiser_invitations"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("one_invitation_an_address", "advertiser_id", "email", unique=True),)

    id: UUID = identifier()
    advertiser_id: UUID = belongs_to("advertisers")
    email: str = Field(max_length=254)
    token_hash: str = Field(unique=True, max_length=64)
    invited_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    expires_at: datetime = moment()
    created_at: datetime = created()


class AdvertiserEntry(SQLModel, table=True):
    """Money of a company that came or went, once and for ever: no change, no deletion."""

    __tablename__ = "advertiser_entries"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("amount <> 0", name="advertiser_entry_has_an_amount"),
        CheckConstraint(
            "kind in ('top_up', 'set_aside', 'given_back', 'credited', 'returned', 'opening')",
            name="advertiser_entry_kind_is_known",
        ),
        Index("ix_advertiser_entries_advertiser_id_number", "advertiser_id", "number"),
    )

    number: int | None = Field(
        default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True)
    )
    advertiser_id: UUID = Field(foreign_key="advertisers.id", ondelete="RESTRICT")
    amount: int = Field(sa_type=BigInteger)
    """In thousandths of a cent; below 0 when money leaves the balance."""
    kind: str = Field(max_length=10)
    cause: str = Field(unique=True, max_length=80)
    subject: str = Field(default="", max_length=120)
    """The cause in words, as it was called on that day."""
    balance_after: int = Field(sa_type=BigInteger)
    created_at: datetime = created()


class TopUp(SQLModel, table=True):
    """Money that a company pays in by card, with the invoice that it gets for it."""

    __tablename__ = "top_ups"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("cents > 0", name="top_up_has_an_amount"),
        CheckConstraint(
            "returned_cents between 0 and cents", name="top_up_returned_is_a_part_of_it"
        ),
        CheckConstraint(
            "status in ('waiting', 'paid', 'expired', 'cancelled', 'failed', 'returned')",
            name="top_up_status_is_known",
        ),
        CheckConstraint(
            "(status in ('paid', 'returned')) = (invoice_number is not null)",
            name="top_up_paid_has_an_invoice",
        ),
        Index("ix_top_ups_advertiser_id_created_at", "advertiser_id", "created_at"),
    )

    id: UUID = identifier()
    advertiser_id: UUID = Field(foreign_key="advertisers.id", ondelete="RESTRICT")
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="RESTRICT")
    """Who paid."""
    attempt: UUID = Field(unique=True)
    """One press of the button; pressing twice asks once."""
    cents: int
    returned_cents: int = Field(default=0, sa_column_kwargs=added_later("0"))
    """So much of it went back to the card."""
    status: str = Field(default="waiting", max_length=10)
    invoice_number: int | None = Field(default=None, unique=True)
    company_name: str = Field(max_length=80)
    """As the invoice names it."""
    email: str = Field(default="", max_length=254)
    paid_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class InvoiceNumbers(SQLModel, table=True):
    """The last number that an invoice was given: their row has no gaps but those that are known."""

    __tablename__ = "invoice_numbers"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("id = 1", name="invoice_numbers_are_one_row"),)

    id: int = Field(default=1, primary_key=True)
    last: int = 0
    skipped: int = Field(default=0, sa_column_kwargs=added_later("0"))
    """So many before it are of invoices that a restored database does not have."""
