"""Who earned how much in which period, where that ranks, and days in a row."""

from sqlalchemy import BigInteger, CheckConstraint, Index, SmallInteger, Text, column
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, datetime, moment


class BoardScore(SQLModel, table=True):
    """What a player earned within the period of one board. Written by `leaderboard` alone."""

    __tablename__ = "board_scores"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("coins >= 0 and ads >= 0", name="score_is_no_debt"),
        Index(
            "ix_board_scores_ranking",
            "board",
            column("coins").desc(),
            "account_id",
            postgresql_where="not is_hidden",
        ),
        Index("ix_board_scores_account_id", "account_id"),
        Index("ix_board_scores_hidden", "account_id", postgresql_where="is_hidden"),
        {"postgresql_with": {"fillfactor": 80}},
    )

    board: str = Field(primary_key=True, max_length=12)
    """`all`, `m:2026-11` or `w:2026-11-16`: a period of the platform's days."""
    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    coins: int = Field(sa_type=BigInteger)
    ads: int
    is_hidden: bool = False
    """Of somebody who does not compete now: suspended, gone, or no player any more."""


class BoardStep(SQLModel, table=True):
    """How many shown players of a board have so many coins, in steps of several widths.

    A rank is the sum of a few steps, however many players there are.
    """

    __tablename__ = "board_steps"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("players >= 0", name="step_counts_players"),
        {"postgresql_with": {"fillfactor": 70}},
    )

    board: str = Field(primary_key=True, max_length=12)
    width: int = Field(primary_key=True, sa_type=SmallInteger)
    """The step is `coins >> width` long: 0, 6, 12, 18."""
    step: int = Field(primary_key=True, sa_type=BigInteger)
    players: int


class Board(SQLModel, table=True):
    """A board as a whole: its shown players, their ads and coins."""

    __tablename__ = "boards"  # pyright: ignore[reportAssignmentType]

    board: str = Field(primary_key=True, max_length=12)
    players: int = 0
    ads: int = Field(default=0, sa_type=BigInteger)
    coins: int = Field(default=0, sa_type=BigInteger)


class BoardProgress(SQLModel, table=True):
    """How far the ledger has been counted into the boards: one row.

    Every entry of a transaction that `counted` sees is in them. Entries with a number up to
    `settled_to` are all of such transactions, so that nobody looks at them again.
    """

    __tablename__ = "board_progress"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("id = 1", name="one_board_progress"),)

    id: int = Field(
        default=1,
        primary_key=True,
        sa_type=SmallInteger,
        sa_column_kwargs={"autoincrement": False},
    )
    counted: str = Field(sa_type=Text)
    """A `pg_snapshot`: no long transaction of somebody else keeps others' coins off the boards."""
    settled_to: int = Field(default=0, sa_type=BigInteger)
    newest: int = Field(default=0, sa_type=BigInteger)
    open_until: int = Field(default=0, sa_type=BigInteger)


class Streak(SQLModel, table=True):
    """Days in a row with at least one ad that was paid for, in the player's own time zone."""

    __tablename__ = "streaks"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("best >= days and days > 0", name="best_streak_is_best"),)

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    days: int
    best: int
    day_starts_at: datetime = moment()
    """The last day that counted."""
    day_ends_at: datetime = moment()
    holds_until: datetime = moment()
    """The end of the day after that one: without an ad until then it is over."""
