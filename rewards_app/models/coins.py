"""Coins: the entries that are the truth, the balances beside them, and what is held."""

from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Identity,
    Index,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


def _owner(**options: Any) -> Any:
    """Coins outlive everything: an account that has some is anonymised, never deleted."""
    return Field(foreign_key="accounts.id", ondelete="RESTRICT", **options)


class CoinEntry(SQLModel, table=True):
    """Coins that came or went, once and for ever: the database refuses changes and deletions."""

    __tablename__ = "coin_entries"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("amount <> 0", name="entry_has_an_amount"),
        CheckConstraint("balance_after >= 0", name="entry_leaves_no_debt"),
        CheckConstraint("month = month_of_cause(cause)", name="entry_is_in_the_month_of_its_cause"),
        UniqueConstraint("cause", "month"),
        Index("ix_coin_entries_account_id_number", "account_id", "number"),
        {"postgresql_partition_by": "RANGE (month)"},
    )

    number: int | None = Field(
        default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True)
    )
    month: date = Field(primary_key=True)
    """That of its cause, always: so a cause that is there once in its month is there once."""
    account_id: UUID = _owner()
    amount: int
    kind: str = Field(max_length=20)
    cause: str = Field(max_length=80)
    """What made it happen; no cause pays twice."""
    subject: str = Field(default="", max_length=120)
    """The cause in words, as it was called on that day."""
    balance_after: int = Field(sa_type=BigInteger)
    """What the account owned then, held coins included."""
    created_at: datetime = created()
    written_by: int | None = Field(
        default=None,
        sa_column=Column(BigInteger, server_default=text("pg_current_xact_id()::text::bigint")),
    )
    """The transaction: entries are counted into the boards once, whatever their numbers."""


class CoinBalance(SQLModel, table=True):
    """What the entries and the open holds of an account add up to."""

    __tablename__ = "coin_balances"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("balance >= 0 and held >= 0 and total >= 0", name="nothing_is_negative"),
    )

    account_id: UUID = _owner(primary_key=True)
    total: int = Field(default=0, sa_type=BigInteger)
    """Ever earned: level and rank read it, spending does not lower it."""
    balance: int = Field(default=0, sa_type=BigInteger)
    """Earned − spent − expired − held."""
    held: int = Field(default=0, sa_type=BigInteger)
    ads: int = 0
    """How many ads were paid for."""


class LedgerDay(SQLModel, table=True):
    """What the counted entries of one of the platform's days add up to, kind by kind.

    Counted with the boards, by the same statement; made anew with them, too.
    """

    __tablename__ = "ledger_days"  # pyright: ignore[reportAssignmentType]

    day: date = Field(primary_key=True)
    kind: str = Field(primary_key=True, max_length=20)
    entries: int = Field(default=0, sa_type=BigInteger)
    amount: int = Field(default=0, sa_type=BigInteger)


class CoinHold(SQLModel, table=True):
    """Coins that are promised to a purchase until it is settled or released."""

    __tablename__ = "coin_holds"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("amount > 0", name="hold_has_an_amount"),
        CheckConstraint("status in ('held', 'settled', 'released')", name="hold_is_known"),
        Index("ix_coin_holds_account_id", "account_id"),
        Index("ix_coin_holds_open", "account_id", postgresql_where="status = 'held'"),
    )

    id: UUID = identifier()
    account_id: UUID = _owner()
    amount: int
    cause: str = Field(unique=True, max_length=80)
    status: str = Field(default="held", max_length=10)
    created_at: datetime = created()
    ended_at: datetime | None = moment(default=None)
