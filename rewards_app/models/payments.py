"""Money that is asked for by card, what the provider told us, and the sandbox's own checkouts."""

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from rewards_app.core.sealed import Sealed
from rewards_app.models.columns import UUID, added_later, created, datetime, identifier, moment


class Payment(SQLModel, table=True):
    """One amount that somebody is asked for, charged at most once, paid back at most once."""

    __tablename__ = "payments"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('opening', 'open', 'paid', 'expired', 'cancelled', 'failed',"
            " 'returning', 'returned')",
            name="payment_status_is_known",
        ),
        CheckConstraint("amount > 0", name="payment_has_an_amount"),
        CheckConstraint(
            "(status in ('paid', 'returning', 'returned')) = (paid_at is not null)",
            name="payment_paid_has_a_moment",
        ),
        Index("one_payment_a_subject", "purpose", "subject_id", unique=True),
        Index("ix_payments_look_at", "look_at", postgresql_where="look_at is not null"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="RESTRICT", index=True)
    purpose: str = Field(max_length=20)
    """What it pays for: a row of `payments.purposes`."""
    subject_id: UUID
    description: str = Field(max_length=120)
    amount: int
    """In the currency's smallest unit: öre."""
    currency: str = Field(default="sek", max_length=3)
    provider: str = Field(max_length=10)
    status: str = Field(default="opening", max_length=10)
    checkout_id: str | None = Field(default=None, unique=True, max_length=255)
    checkout_url: str | None = Field(default=None, max_length=2000)
    intent_id: str | None = Field(default=None, unique=True, max_length=255)
    expires_at: datetime = moment()
    look_at: datetime | None = moment(default=None)
    """When we ask the provider ourselves; empty once there is nothing to learn."""
    looks: int = 0
    is_being_cancelled: bool = False
    """Its checkout is being closed because its payer does not want it any more."""
    is_under_way: bool = Field(default=False, sa_column_kwargs=added_later("false"))
    """Its payer has done their part, by a way of paying that takes days."""
    paid_at: datetime | None = moment(default=None)
    charged: int | None = None
    """What was really taken from the card."""
    refund_id: str | None = Field(default=None, unique=True, max_length=255)
    returned_at: datetime | None = moment(default=None)
    created_at: datetime = created()


class PaymentEvent(SQLModel, table=True):
    """What the provider told us, signed, each once."""

    __tablename__ = "payment_events"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_payment_events_payment_id", "payment_id"),)

    id: str = Field(primary_key=True, max_length=255)
    kind: str = Field(max_length=80)
    payload: str = Field(sa_type=Sealed)
    payment_id: UUID | None = Field(default=None, foreign_key="payments.id", ondelete="RESTRICT")
    outcome: str = Field(max_length=30)
    """What came of it: an `Outcome` of the payments' rules."""
    received_at: datetime = created()


class TestCheckout(SQLModel, table=True):
    """A checkout of the sandbox, which stands in for the provider where none is configured."""

    __tablename__ = "test_checkouts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('open', 'complete', 'expired')", name="test_checkout_status_is_known"
        ),
    )
    __test__ = False

    id: str = Field(primary_key=True, max_length=80)
    payment_id: UUID = Field(unique=True)
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE", index=True)
    description: str = Field(max_length=120)
    amount: int
    currency: str = Field(max_length=3)
    status: str = Field(default="open", max_length=10)
    intent_id: str | None = Field(default=None, unique=True, max_length=80)
    returned: int = 0
    """How much of it was paid back."""
    expires_at: datetime = moment()
    created_at: datetime = created()
