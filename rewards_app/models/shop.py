"""What players buy: purchases, and the stock of gift codes that they are given."""

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from rewards_app.core.sealed import Sealed
from rewards_app.models.columns import UUID, added_later, created, datetime, identifier, moment


class Purchase(SQLModel, table=True):
    """One package that a player bought, or set out to buy."""

    __tablename__ = "purchases"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('waiting', 'completed', 'cancelled', 'expired', 'failed', 'refunding',"
            " 'refunded')",
            name="purchase_status_is_known",
        ),
        CheckConstraint("coins_spent between 0 and price_kr", name="purchase_takes_no_more_coins"),
        # What is over has none, and so is in nobody's way.
        UniqueConstraint("account_id", "slot", name="one_unpaid_purchase_a_slot"),
        Index("one_purchase_an_attempt", "account_id", "attempt", unique=True),
        Index("ix_purchases_account_id_id", "account_id", "id"),
        Index("ix_purchases_status_id", "status", "id"),
        # For counting them: the same value over and over takes next to no room.
        Index("ix_purchases_completed", "status", postgresql_where="status = 'completed'"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="RESTRICT")
    attempt: UUID
    """Made for each shown offer: pressing the button twice buys once."""
    package_id: str = Field(max_length=40)
    product_name: str = Field(max_length=80)
    game: str = Field(max_length=40)
    currency_amount: int
    price_kr: int
    coins_spent: int
    """One coin is 1 kr off."""
    status: str = Field(max_length=10)
    slot: int | None = None
    """Which of the account's few unpaid orders it is, until it is paid or has ended."""
    purchase_code: str = Field(unique=True, max_length=40)
    created_at: datetime = created()
    ended_at: datetime | None = moment(default=None)
    """When it was completed, cancelled, expired or failed."""
    refunded_at: datetime | None = moment(default=None)
    refunded_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    refund_reason: str = Field(default="", max_length=300)


class GiftCode(SQLModel, table=True):
    """A code of a game's shop: readable only here, given to one purchase, never twice."""

    __tablename__ = "gift_codes"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('free', 'reserved', 'delivered', 'withdrawn')", name="code_status_is_known"
        ),
        CheckConstraint(
            "case status when 'free' then purchase_id is null and not is_withheld"
            " when 'withdrawn' then is_withheld or purchase_id is not null"
            " else purchase_id is not null end",
            name="code_is_free_or_taken",
        ),
        Index(
            "ix_gift_codes_free",
            "package_id",
            "is_demo",
            "id",
            postgresql_where="status = 'free'",
        ),
    )

    id: UUID = identifier()
    package_id: str = Field(max_length=40)
    code: str = Field(sa_type=Sealed)
    fingerprint: str = Field(unique=True, max_length=64)
    """Tells a second copy of the code, in any writing, without showing it."""
    status: str = Field(default="free", max_length=10)
    purchase_id: UUID | None = Field(
        default=None, foreign_key="purchases.id", ondelete="RESTRICT", unique=True
    )
    is_demo: bool = False
    is_withheld: bool = Field(default=False, sa_column_kwargs=added_later("false"))
    """Somebody may have it already: nobody else is given it."""
    is_given: bool = Field(default=False, sa_column_kwargs=added_later("false"))
    """A list of a later moment names it: somebody has it, though no order here says so."""
    imported_at: datetime = created()
    imported_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    delivered_at: datetime | None = moment(default=None)
