"""Campaigns and their ads, who watched them, and what players say of them."""

from datetime import date

from sqlalchemy import BigInteger, CheckConstraint, Index, PrimaryKeyConstraint, SmallInteger
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


class AdCampaign(SQLModel, table=True):
    """Ads that run together, between two moments, for a budget of so many completed views.

    `taken` counts the places in that budget: views that run, and those that were paid for.
    """

    __tablename__ = "ad_campaigns"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('draft', 'active', 'paused', 'completed')",
            name="campaign_status_is_known",
        ),
        CheckConstraint("ends_at > starts_at", name="campaign_ends_after_its_start"),
        CheckConstraint(
            "budget_cents > 0 and daily_budget_cents > 0", name="campaign_budgets_are_amounts"
        ),
        CheckConstraint("taken between 0 and 1000", name="campaign_keeps_to_its_budget"),
    )

    id: UUID = identifier()
    advertiser_id: UUID = belongs_to("advertisers")
    name: str = Field(max_length=80)
    description: str = Field(default="", max_length=500)
    status: str = Field(default="draft", max_length=10)
    budget_cents: int | None = Field(default=None, sa_type=BigInteger)
    """Buys a thousand completed views. None: one of the house's own, which costs nothing."""
    daily_budget_cents: int | None = Field(default=None, sa_type=BigInteger)
    starts_at: datetime = moment()
    ends_at: datetime = moment()
    taken: int = 0
    taken_day: date | None = None
    taken_today: int = 0
    """Places that were taken on `taken_day`."""
    set_aside_at: datetime | None = moment(default=None)
    """When its budget left the company's balance; from then on the budget stays as it is."""
    paused_at: datetime | None = moment(default=None)
    ended_at: datetime | None = moment(default=None)
    ended_by: str = Field(default="", max_length=10)
    """Why it is completed: budget, date, company or admin."""
    ended_because: str = Field(default="", max_length=500, sa_column_kwargs=added_later("''"))
    """What the admin who ended it says to its company."""
    settled_at: datetime | None = moment(default=None)
    """When what it had not spent went back to the company's balance."""
    created_at: datetime = created()
    updated_at: datetime = created()


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
        Index("ix_ads_waiting", "updated_at", "id", postgresql_where="status = 'pending_review'"),
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
    review_reason: str = Field(default="", max_length=500)
    """Why it was rejected."""
    reviewed_at: datetime | None = moment(default=None)
    """When an admin looked at it last, also where it was changed since."""
    reviewed_by: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="SET NULL")
    is_review_due: bool = Field(default=False, sa_column_kwargs=added_later("false"))
    """It is paused and costs less than when it was approved: who resumes it has it reviewed."""
    created_at: datetime = created()
    updated_at: datetime = created()


class AdServing(SQLModel, table=True):
    """An ad that can be served now. The positions have no gaps: a chance one is always an ad.

    Derived from the ads and their campaigns, by `ads.serving` alone.
    """

    __tablename__ = "ad_servings"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_ad_servings_added_at", "added_at", "ad_id"),)

    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    ad_id: UUID = Field(foreign_key="ads.id", ondelete="CASCADE", unique=True)
    campaign_id: UUID = belongs_to("ad_campaigns")
    reward_coins: int
    seconds: int
    added_at: datetime = moment()


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
    age_group: int | None = Field(default=None, sa_type=SmallInteger)
    """At the last start: a row of `ads.audience`."""


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
        Index("ix_ad_views_places", "ad_id", postgresql_where="holds_place"),
        CheckConstraint(
            "not holds_place or status <> 'rewarded'", name="view_paid_for_waits_no_more"
        ),
        {"postgresql_partition_by": "RANGE (id)"},
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
    """When it was over; it may have been paid for only later."""
    clicked_at: datetime | None = moment(default=None)
    refused_at: datetime | None = moment(default=None)
    """When it had been watched to its end and earned nothing; it may have been rewarded since."""
    refusal: str | None = Field(default=None, max_length=40)
    """The code of the last refusal: why this view earned nothing, or nothing yet."""
    missing_seconds: int | None = None
    """How much was missing when it was finished too early."""
    client_seconds: int | None = None
    """What the page said it had watched; only ever compared with our own clock."""
    tab_hash: str = Field(max_length=64)
    device_hash: str = Field(default="", max_length=64)
    day: date
    """The platform's day on which it started: all that comes of it counts for this one."""
    price: int = Field(default=0, sa_type=BigInteger)
    """What the company pays for it once it is rewarded, in thousandths of a cent."""
    holds_place: bool = False
    """A place in the campaign's budget waits for it."""
    age_group: int | None = Field(default=None, sa_type=SmallInteger)
    invalid_at: datetime | None = moment(default=None)
    """When the company got back what it had paid for it; the player keeps the coins."""
    invalid_reason: str = Field(default="", max_length=200)


class RunningView(SQLModel, table=True):
    """Which view of a player runs: one at most. The database keeps it, whoever writes a view."""

    __tablename__ = "running_views"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (PrimaryKeyConstraint("account_id", name="one_running_view_a_player"),)

    account_id: UUID = Field(primary_key=True)
    view_id: UUID


class AdDay(SQLModel, table=True):
    """What came of one ad's views of one day, kept up to date by each of them.

    Several slots, so that views which end at once do not wait for each other; older days have one.
    """

    __tablename__ = "ad_days"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_ad_days_campaign_id_day", "campaign_id", "day"),
        Index("ix_ad_days_advertiser_id_day", "advertiser_id", "day"),
        Index("ix_ad_days_day", "day"),
        {"postgresql_with": {"fillfactor": 70}},
    )

    ad_id: UUID = Field(primary_key=True, foreign_key="ads.id", ondelete="RESTRICT")
    day: date = Field(primary_key=True)
    slot: int = Field(primary_key=True, sa_type=SmallInteger)
    campaign_id: UUID = Field(foreign_key="ad_campaigns.id", ondelete="RESTRICT")
    advertiser_id: UUID = Field(foreign_key="advertisers.id", ondelete="RESTRICT")
    impressions: int = 0
    completions: int = 0
    """Rewarded and valid: each is paid for."""
    refused: int = Field(default=0, sa_column_kwargs=added_later("0"))
    """Watched to their end, too, but not rewarded: nobody pays for them."""
    clicks: int = 0
    spend: int = Field(default=0, sa_type=BigInteger)
    """In thousandths of a cent."""
    rewards: int = Field(default=0, sa_type=BigInteger)
    """The coins that players got for its views; they keep those of invalid ones."""


class AdViewer(SQLModel, table=True):
    """A player who has seen a company's ads, and on which day last."""

    __tablename__ = "ad_viewers"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_ad_viewers_advertiser_id_last_day", "advertiser_id", "last_day"),)

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    advertiser_id: UUID = Field(primary_key=True, foreign_key="advertisers.id", ondelete="CASCADE")
    age_group: int | None = Field(default=None, sa_type=SmallInteger)
    last_day: date


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
