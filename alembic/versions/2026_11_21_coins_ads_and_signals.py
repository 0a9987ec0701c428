"""Coins, ads and signals"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "63bb40d2cb3e"
down_revision = "030cec055ea8"
branch_labels = None
depends_on = None

APPEND_ONLY = """
create function refuse_change_of_coin_entries() returns trigger language plpgsql as $$
begin
    raise exception 'coin_entries is append-only';
end
$$;
create trigger coin_entries_are_append_only
before update or delete on coin_entries
for each row execute function refuse_change_of_coin_entries();
create trigger coin_entries_are_never_emptied
before truncate on coin_entries
for each statement execute function refuse_change_of_coin_entries();
"""


def upgrade() -> None:
    op.create_table(
        "advertisers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("company_name", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('pending', 'approved', 'rejected')", name="advertiser_status_is_known"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("account_id"),
    )
    op.create_table(
        "coin_balances",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("held", sa.BigInteger(), nullable=False),
        sa.Column("ads", sa.Integer(), nullable=False),
        sa.CheckConstraint("balance >= 0 and held >= 0 and total >= 0", name="nothing_is_negative"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "coin_entries",
        sa.Column("number", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("cause", sa.String(length=80), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("balance_after", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount <> 0", name="entry_has_an_amount"),
        sa.CheckConstraint("balance_after >= 0", name="entry_leaves_no_debt"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("cause"),
    )
    op.create_index(
        "ix_coin_entries_account_id_number", "coin_entries", ["account_id", "number"], unique=False
    )
    op.create_table(
        "coin_holds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status in ('held', 'settled', 'released')", name="hold_is_known"),
        sa.CheckConstraint("amount > 0", name="hold_has_an_amount"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("cause"),
    )
    op.create_index(
        "ix_coin_holds_open",
        "coin_holds",
        ["account_id"],
        unique=False,
        postgresql_where="status = 'held'",
    )
    op.create_table(
        "device_uses",
        sa.Column("device_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("device_hash", "account_id"),
    )
    op.create_index("ix_device_uses_last_seen_at", "device_uses", ["last_seen_at"], unique=False)
    op.create_table(
        "fraud_signals",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("rule", sa.String(length=40), nullable=False),
        sa.Column("risk_score", sa.Integer(), nullable=False),
        sa.Column("evidence", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_fraud_signals_account_id_created_at",
        "fraud_signals",
        ["account_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "security_alerts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("severity", sa.String(length=10), nullable=False),
        sa.Column("alert_type", sa.String(length=40), nullable=False),
        sa.Column("description", sa.String(length=500), nullable=False),
        sa.Column("ip_address", sa.String(length=45), nullable=True),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("resolved", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "severity in ('critical', 'high', 'medium', 'low')", name="severity_is_known"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_security_alerts_account_id", "security_alerts", ["account_id"], unique=False
    )
    op.create_index(
        "ix_security_alerts_created_at", "security_alerts", ["created_at"], unique=False
    )
    op.create_table(
        "watchers",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("zone_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_time_zone", sa.String(length=64), nullable=True),
        sa.Column("day_starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day_ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sitting_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "ad_campaigns",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('draft', 'active', 'paused', 'completed')", name="campaign_status_is_known"
        ),
        sa.CheckConstraint("ends_at > starts_at", name="campaign_ends_after_its_start"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_ad_campaigns_advertiser_id", "ad_campaigns", ["advertiser_id"], unique=False
    )
    op.create_table(
        "ads",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("description", sa.String(length=300), nullable=False),
        sa.Column("ad_type", sa.String(length=10), nullable=False),
        sa.Column("video_url", sa.String(length=500), nullable=False),
        sa.Column("image_url", sa.String(length=500), nullable=False),
        sa.Column("click_url", sa.String(length=500), nullable=False),
        sa.Column("duration", sa.Integer(), nullable=False),
        sa.Column("reward_coins", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=15), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ad_type in ('video', 'image', 'banner')", name="ad_type_is_known"),
        sa.CheckConstraint(
            "status in ('pending_review', 'active', 'paused', 'rejected')",
            name="ad_status_is_known",
        ),
        sa.CheckConstraint("duration between 5 and 60", name="ad_duration_in_range"),
        sa.CheckConstraint("reward_coins between 5 and 50", name="ad_reward_in_range"),
        sa.ForeignKeyConstraint(["campaign_id"], ["ad_campaigns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_ads_campaign_id", "ads", ["campaign_id"], unique=False)
    op.create_index("ix_ads_status", "ads", ["status"], unique=False)
    op.create_table(
        "ad_reports",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("ad_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("text", sa.String(length=300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["ad_id"], ["ads.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_ad_reports_account_id", "ad_reports", ["account_id"], unique=False)
    op.create_index(
        "one_report_a_player_and_ad", "ad_reports", ["ad_id", "account_id"], unique=True
    )
    op.create_table(
        "ad_views",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("ad_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("required_seconds", sa.Integer(), nullable=False),
        sa.Column("reward_coins", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_ms", sa.Integer(), nullable=False),
        sa.Column("rewarded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("clicked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refusal", sa.String(length=40), nullable=True),
        sa.Column("missing_seconds", sa.Integer(), nullable=True),
        sa.Column("client_seconds", sa.Integer(), nullable=True),
        sa.Column("tab_hash", sa.String(length=64), nullable=False),
        sa.Column("device_hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "(status = 'rewarded') = (rewarded_at is not null)", name="view_rewarded_has_a_moment"
        ),
        sa.CheckConstraint(
            "status in ('running', 'rewarded', 'refused', 'given_up', 'expired')",
            name="view_status_is_known",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["ad_id"], ["ads.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_ad_views_account_id_rewarded_at",
        "ad_views",
        ["account_id", "rewarded_at"],
        unique=False,
        postgresql_where="rewarded_at is not null",
    )
    op.create_index(
        "ix_ad_views_account_id_started_at", "ad_views", ["account_id", "started_at"], unique=False
    )
    op.create_index("ix_ad_views_ad_id", "ad_views", ["ad_id"], unique=False)
    op.create_index(
        "ix_ad_views_rewarded_at",
        "ad_views",
        ["rewarded_at"],
        unique=False,
        postgresql_where="rewarded_at is not null",
    )
    op.create_index(
        "one_running_view_a_player",
        "ad_views",
        ["account_id"],
        unique=True,
        postgresql_where="status = 'running'",
    )
    op.add_column("accounts", sa.Column("birth_date", sa.String(), nullable=True))
    op.add_column(
        "accounts", sa.Column("age_verified_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.execute(APPEND_ONLY)


def downgrade() -> None:
    op.drop_column("accounts", "age_verified_at")
    op.drop_column("accounts", "birth_date")
    op.drop_index(
        "one_running_view_a_player", table_name="ad_views", postgresql_where="status = 'running'"
    )
    op.drop_index(
        "ix_ad_views_rewarded_at", table_name="ad_views", postgresql_where="rewarded_at is not null"
    )
    op.drop_index("ix_ad_views_ad_id", table_name="ad_views")
    op.drop_index("ix_ad_views_account_id_started_at", table_name="ad_views")
    op.drop_index(
        "ix_ad_views_account_id_rewarded_at",
        table_name="ad_views",
        postgresql_where="rewarded_at is not null",
    )
    op.drop_table("ad_views")
    op.drop_index("one_report_a_player_and_ad", table_name="ad_reports")
    op.drop_index("ix_ad_reports_account_id", table_name="ad_reports")
    op.drop_table("ad_reports")
    op.drop_index("ix_ads_status", table_name="ads")
    op.drop_index("ix_ads_campaign_id", table_name="ads")
    op.drop_table("ads")
    op.drop_index("ix_ad_campaigns_advertiser_id", table_name="ad_campaigns")
    op.drop_table("ad_campaigns")
    op.drop_table("watchers")
    op.drop_index("ix_security_alerts_created_at", table_name="security_alerts")
    op.drop_index("ix_security_alerts_account_id", table_name="security_alerts")
    op.drop_table("security_alerts")
    op.drop_index("ix_fraud_signals_account_id_created_at", table_name="fraud_signals")
    op.drop_table("fraud_signals")
    op.drop_index("ix_device_uses_last_seen_at", table_name="device_uses")
    op.drop_table("device_uses")
    op.drop_index("ix_coin_holds_open", table_name="coin_holds", postgresql_where="status = 'held'")
    op.drop_table("coin_holds")
    op.drop_index("ix_coin_entries_account_id_number", table_name="coin_entries")
    op.drop_table("coin_entries")
    op.execute("drop function refuse_change_of_coin_entries")
    op.drop_table("coin_balances")
    op.drop_table("advertisers")
