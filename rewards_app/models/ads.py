"""Ads, who pays for them, who watched them, and what players say of them."""

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, belongs_to, created, datetime, identifier, moment


class Advertiser(SQLModel, table=True):
    """A company that runs campaigns; one of our own house has no account."""

    __tablename__ = "advertisers"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('pending', 'approved', 'rejected')", name="advertiser_status_is_known"
        ),
    )

    id: UUID = identifier()
    account_id: UUID | None = Field(
        default=None, foreign_key="accounts.id", ondelete="SET NULL", unique=True
    )
    company_name: str = Field(max_length=80)
    status: str = Field(default="pending", max_length=10)
    created_at: datetime = created()


class AdCampaign(SQLModel, table=True):
    """Ads that run together, between two moments."""

    __tablename__ = "ad_campaigns"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('draft', 'active', 'paused', 'completed')",
            name="campaign_status_is_known",
        ),
        CheckConstraint("ends_at > starts_at", name="campaign_ends_after_its_start"),
    )

    id: UUID = identifier()
    advertiser_id: UUID = belongs_to("advertisers")
    name: str = Field(max_length=80)
    status: str = Field(default="draft", max_length=10)
    starts_at: datetime = moment()
    ends_at: datetime = moment()
    created_at: datetime = created()


class Ad(SQLModel, table=True):
    __tablename__ = "ads"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("ad_type in ('video', 'image', 'banner')", name="ad_type_is_known"),
        CheckConstraint(
            "status in ('pending_review', 'active', 'paused', 'rejected')",
            name="ad_status_is_known",
        ),
        CheckConstraint("duration between 5 and 60", name="ad_duration_in_range"),
        CheckConstraint("reward_coins between 5 and 50", name="ad_reward_in_range"),
    )

    id: UUID = identifier()
    campaign_id: UUID = belongs_to("ad_campaigns")
    title: str = Field(max_length=80)
    description: str = Field(default="", max_length=300)
    ad_type: str = Field(default="video", max_length=10)
    video_url: str = Field(default="", max_length=500)
    image_url: str = Field(default="", max_length=500)
    click_url: str = Field(default="", max_length=500)
    duration: int = 30
    """In seconds."""
    reward_coins: int = 15
    status: str = Field(default="pending_review", max_length=15, index=True)
    created_at: datetime = created()


class Watcher(SQLModel, table=True):
    """How a player watches: their day and their sitting."""

    __tablename__ = "watchers"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    time_zone: str = Field(default="", max_length=64)
    zone_since: datetime | None = moment(default=None)
    """When the zone replaced another one; a first zone has always been there."""
    next_time_zone: str | None = Field(default=None, max_length=64)
    """Takes over when the day of the present zone ends."""
    day_starts_at: datetime = moment()
    day_ends_at: datetime = moment()
    sitting_started_at: datetime | None = moment(default=None)
    last_started_at: datetime | None = moment(default=None)


class AdView(SQLModel, table=True):
    """One player's watching of one ad: issued by the server, finished at most once."""

    __tablename__ = "ad_views"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('running', 'rewarded', 'refused', 'given_up', 'expired')",
            name="view_status_is_known",
        ),
        CheckConstraint(
            "(status = 'rewarded') = (rewarded_at is not null)", name="view_rewarded_has_a_moment"
        ),
        Index(
            "one_running_view_a_player",
            "account_id",
            unique=True,
            postgresql_where="status = 'running'",
        ),
        Index("ix_ad_views_account_id_started_at", "account_id", "started_at"),
        Index(
            "ix_ad_views_account_id_rewarded_at",
            "account_id",
            "rewarded_at",
            postgresql_where="rewarded_at is not null",
        ),
        Index(
            "ix_ad_views_rewarded_at",
            "rewarded_at",
            postgresql_where="rewarded_at is not null",
        ),
    )

    id: UUID = identifier()
    account_id: UUID = Field(foreign_key="accounts.id", ondelete="RESTRICT")
    ad_id: UUID = Field(foreign_key="ads.id", ondelete="RESTRICT", index=True)
    status: str = Field(default="running", max_length=10)
    started_at: datetime = moment()
    required_seconds: int
    reward_coins: int
    expires_at: datetime = moment()
    paused_at: datetime | None = moment(default=None)
    paused_ms: int = 0
    rewarded_at: datetime | None = moment(default=None)
    ended_at: datetime | None = moment(default=None)
    clicked_at: datetime | None = moment(default=None)
    refusal: str | None = Field(default=None, max_length=40)
    """The code of the last refusal: why this view earned nothing, or nothing yet."""
    missing_seconds: int | None = None
    """How much was missing when it was finished too early."""
    client_seconds: int | None = None
    """What the page said it had watched; only ever compared with our own clock."""
    tab_hash: str = Field(max_length=64)
    device_hash: str = Field(default="", max_length=64)


class AdReport(SQLModel, table=True):
    """A player says that something is wrong with an ad: once for each ad."""

    __tablename__ = "ad_reports"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("one_report_a_player_and_ad", "ad_id", "account_id", unique=True),)

    id: UUID = identifier()
    ad_id: UUID = Field(foreign_key="ads.id", ondelete="CASCADE")
    account_id: UUID = belongs_to("accounts")
    reason: str = Field(max_length=20)
    text: str = Field(default="", max_length=300)
    created_at: datetime = created()
