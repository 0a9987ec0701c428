"""What players show of themselves: words, games, achievements."""

from sqlalchemy import CheckConstraint, Index, SmallInteger
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


class Profile(SQLModel, table=True):
    """Who has none yet has written nothing, and is shown to others."""

    __tablename__ = "profiles"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    bio: str = Field(default="", max_length=500)
    """As it was written; what others see of it is moderated."""
    is_public: bool = True
    """Whether other players may open it."""
    said_at: datetime | None = moment(default=None)
    """When its words, its name or its games were changed last."""
    hidden_at: datetime | None = moment(default=None)
    """When a moderator hid the bio: from others, until its owner writes another one."""
    updated_at: datetime = created()


class UserGame(SQLModel, table=True):
    __tablename__ = "user_games"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("rating_tenths between 10 and 50", name="rating_is_known"),
        CheckConstraint(
            "is_custom = (external_game_id is null)", name="game_is_custom_or_from_catalogue"
        ),
        Index(
            "one_catalogue_game_a_player",
            "account_id",
            "external_game_id",
            unique=True,
            postgresql_where="external_game_id is not null",
        ),
        Index("ix_user_games_account_id_created_at", "account_id", "created_at"),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="CASCADE")
    title: str = Field(max_length=60)
    platform: str = Field(default="", max_length=40)
    genre: str = Field(default="", max_length=40)
    is_custom: bool
    rating_tenths: int | None = Field(default=None, sa_type=SmallInteger)
    """49 is 4.9 of 5."""
    achievements: str = Field(default="", max_length=300)
    description: str = Field(default="", max_length=500)
    external_game_id: str | None = Field(default=None, max_length=40)
    hidden_at: datetime | None = moment(default=None)
    """When a moderator hid what its owner wrote here: from others, until they change it."""
    created_at: datetime = created()
    updated_at: datetime = created()


class UnlockedAchievement(SQLModel, table=True):
    """Unlocked once, and never taken back."""

    __tablename__ = "unlocked_achievements"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    achievement: str = Field(primary_key=True, max_length=30)
    unlocked_at: datetime = created()
    celebrated_at: datetime | None = moment(default=None)
    """When its owner saw the moment."""
