"""Advertisers, budgets and figures of ads"""

import sqlalchemy as sa

from alembic import op

revision = "da48d82aedee"
down_revision = "f257c00d5a6f"
branch_labels = None
depends_on = None

FOR_ROWS_THAT_ARE_THERE = {
    "ad_campaigns": (
        "description",
        "taken",
        "taken_today",
        "ended_by",
        "updated_at",
    ),
    "ad_views": (
        "price",
        "holds_place",
        "invalid_reason",
    ),
    "ads": (
        "review_reason",
        "updated_at",
    ),
    "advertisers": (
        "email",
        "website",
        "reason",
        "balance",
        "reaches_minors",
        "starts_by_itself",
        "tags_links",
        "mails_reviews",
        "mails_budgets",
        "mails_reports",
        "updated_at",
    ),
}
"""Columns whose default the rows of before need, and those of later do not."""
WHAT_IS_THERE = (
    "insert into invoice_numbers (id, last) values (1, 0)",
    """insert into advertiser_members (account_id, advertiser_id, role, created_at)
        select account_id, id, 'owner', created_at from advertisers where account_id is not null""",
    """update advertisers set email = accounts.email
        from accounts where accounts.id = advertisers.account_id""",
    "update ad_views set day = (started_at at time zone 'Europe/Stockholm')::date",
    """insert into ad_days
            (ad_id, day, slot, campaign_id, advertiser_id, impressions, completions, clicks, spend)
        select view.ad_id, view.day, 0, campaign.id, campaign.advertiser_id, count(*),
            count(*) filter (where view.status = 'rewarded'), count(view.clicked_at), 0
        from ad_views view join ads on ads.id = view.ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
        group by view.ad_id, view.day, campaign.id""",
)
APPEND_ONLY = (
    """create function refuse_change_of_advertiser_entries() returns trigger language plpgsql as $$
begin
    raise exception 'advertiser_entries is append-only';
end
$$""",
    """create trigger advertiser_entries_are_append_only
before update or delete on advertiser_entries
for each row execute function refuse_change_of_advertiser_entries()""",
    """create trigger advertiser_entries_are_never_emptied
before truncate on advertiser_entries
for each statement execute function refuse_change_of_advertiser_entries()""",
)


def upgrade() -> None:
    op.create_table(
        "invoice_numbers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name="invoice_numbers_are_one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "ad_viewers",
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("age_group", sa.SmallInteger(), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("advertiser_id", "account_id"),
    )
    op.create_index(
        "ix_ad_viewers_advertiser_id_last_day",
        "ad_viewers",
        ["advertiser_id", "last_day"],
        unique=False,
    )
    op.create_table(
        "advertiser_entries",
        sa.Column("number", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("cause", sa.String(length=80), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("balance_after", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind in ('top_up', 'set_aside', 'given_back', 'credited', 'returned', 'opening')",
            name="advertiser_entry_kind_is_known",
        ),
        sa.CheckConstraint("amount <> 0", name="advertiser_entry_has_an_amount"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("cause"),
    )
    op.create_index(
        "ix_advertiser_entries_advertiser_id_number",
        "advertiser_entries",
        ["advertiser_id", "number"],
        unique=False,
    )
    op.create_table(
        "advertiser_invitations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("invited_by", sa.Uuid(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["invited_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index(
        op.f("ix_advertiser_invitations_advertiser_id"),
        "advertiser_invitations",
        ["advertiser_id"],
        unique=False,
    )
    op.create_index(
        "one_invitation_an_address",
        "advertiser_invitations",
        ["advertiser_id", "email"],
        unique=True,
    )
    op.create_table(
        "advertiser_members",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role in ('owner', 'member')", name="member_role_is_known"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_index(
        op.f("ix_advertiser_members_advertiser_id"),
        "advertiser_members",
        ["advertiser_id"],
        unique=False,
    )
    op.create_table(
        "top_ups",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("attempt", sa.Uuid(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("invoice_number", sa.Integer(), nullable=True),
        sa.Column("company_name", sa.String(length=80), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(status in ('paid', 'returned')) = (invoice_number is not null)",
            name="top_up_paid_has_an_invoice",
        ),
        sa.CheckConstraint(
            "status in ('waiting', 'paid', 'expired', 'cancelled', 'failed', 'returned')",
            name="top_up_status_is_known",
        ),
        sa.CheckConstraint("cents > 0", name="top_up_has_an_amount"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("attempt"),
        sa.UniqueConstraint("invoice_number"),
    )
    op.create_index(
        "ix_top_ups_advertiser_id_created_at",
        "top_ups",
        ["advertiser_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "ad_days",
        sa.Column("ad_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("slot", sa.SmallInteger(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("advertiser_id", sa.Uuid(), nullable=False),
        sa.Column("impressions", sa.Integer(), nullable=False),
        sa.Column("completions", sa.Integer(), nullable=False),
        sa.Column("clicks", sa.Integer(), nullable=False),
        sa.Column("spend", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ad_id"], ["ads.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["advertiser_id"], ["advertisers.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["campaign_id"], ["ad_campaigns.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("ad_id", "day", "slot"),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index(
        "ix_ad_days_advertiser_id_day", "ad_days", ["advertiser_id", "day"], unique=False
    )
    op.create_index("ix_ad_days_campaign_id_day", "ad_days", ["campaign_id", "day"], unique=False)
    op.create_index("ix_ad_days_day", "ad_days", ["day"], unique=False)
    op.create_table(
        "ad_servings",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ad_id", sa.Uuid(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("reward_coins", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["ad_id"], ["ads.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["campaign_id"], ["ad_campaigns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("position"),
        sa.UniqueConstraint("ad_id"),
    )
    op.create_index("ix_ad_servings_added_at", "ad_servings", ["added_at", "ad_id"], unique=False)
    op.create_index(
        op.f("ix_ad_servings_campaign_id"), "ad_servings", ["campaign_id"], unique=False
    )
    op.add_column(
        "ad_campaigns",
        sa.Column("description", sa.String(length=500), nullable=False, server_default=""),
    )
    op.add_column("ad_campaigns", sa.Column("budget_cents", sa.BigInteger(), nullable=True))
    op.add_column("ad_campaigns", sa.Column("daily_budget_cents", sa.BigInteger(), nullable=True))
    op.add_column(
        "ad_campaigns", sa.Column("taken", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("ad_campaigns", sa.Column("taken_day", sa.Date(), nullable=True))
    op.add_column(
        "ad_campaigns", sa.Column("taken_today", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column(
        "ad_campaigns", sa.Column("set_aside_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column("ad_campaigns", sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("ad_campaigns", sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "ad_campaigns",
        sa.Column("ended_by", sa.String(length=10), nullable=False, server_default=""),
    )
    op.add_column(
        "ad_campaigns", sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column(
        "ad_campaigns",
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
    )
    op.add_column("ad_views", sa.Column("day", sa.Date(), nullable=True))
    op.add_column(
        "ad_views", sa.Column("price", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.add_column(
        "ad_views",
        sa.Column("holds_place", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("ad_views", sa.Column("age_group", sa.SmallInteger(), nullable=True))
    op.add_column("ad_views", sa.Column("invalid_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "ad_views",
        sa.Column("invalid_reason", sa.String(length=200), nullable=False, server_default=""),
    )
    op.create_index(
        "ix_ad_views_places",
        "ad_views",
        ["ad_id"],
        unique=False,
        postgresql_where="holds_place",
    )
    op.add_column(
        "ads", sa.Column("review_reason", sa.String(length=500), nullable=False, server_default="")
    )
    op.add_column("ads", sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("ads", sa.Column("reviewed_by", sa.Uuid(), nullable=True))
    op.add_column(
        "ads",
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
    )
    op.create_foreign_key(
        "ads_reviewed_by_fkey", "ads", "accounts", ["reviewed_by"], ["id"], ondelete="SET NULL"
    )
    op.add_column(
        "advertisers", sa.Column("email", sa.String(length=254), nullable=False, server_default="")
    )
    op.add_column("advertisers", sa.Column("phone", sa.String(), nullable=True))
    op.add_column(
        "advertisers",
        sa.Column("website", sa.String(length=500), nullable=False, server_default=""),
    )
    op.add_column(
        "advertisers", sa.Column("reason", sa.String(length=500), nullable=False, server_default="")
    )
    op.add_column("advertisers", sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("advertisers", sa.Column("decided_by", sa.Uuid(), nullable=True))
    op.add_column(
        "advertisers", sa.Column("balance", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.add_column(
        "advertisers",
        sa.Column("reaches_minors", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "advertisers",
        sa.Column("starts_by_itself", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "advertisers",
        sa.Column("tags_links", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "advertisers",
        sa.Column("mails_reviews", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "advertisers",
        sa.Column("mails_budgets", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "advertisers",
        sa.Column("mails_reports", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "advertisers",
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
    )
    op.create_index(
        "ix_advertisers_status_created_at", "advertisers", ["status", "created_at"], unique=False
    )
    op.create_foreign_key(
        "advertisers_decided_by_fkey",
        "advertisers",
        "accounts",
        ["decided_by"],
        ["id"],
        ondelete="SET NULL",
    )
    op.add_column("watchers", sa.Column("age_group", sa.SmallInteger(), nullable=True))
    op.create_check_constraint(
        "campaign_budgets_are_amounts",
        "ad_campaigns",
        "budget_cents > 0 and daily_budget_cents > 0",
    )
    op.create_check_constraint(
        "campaign_keeps_to_its_budget", "ad_campaigns", "taken between 0 and 1000"
    )
    op.create_check_constraint(
        "view_paid_for_waits_no_more", "ad_views", "not holds_place or status <> 'rewarded'"
    )
    for statement in (*WHAT_IS_THERE, *APPEND_ONLY):
        op.execute(statement)
    op.alter_column("ad_views", "day", nullable=False)
    for table, columns in FOR_ROWS_THAT_ARE_THERE.items():
        for column in columns:
            op.alter_column(table, column, server_default=None)


def downgrade() -> None:
    op.drop_constraint("view_paid_for_waits_no_more", "ad_views")
    op.drop_constraint("campaign_keeps_to_its_budget", "ad_campaigns")
    op.drop_constraint("campaign_budgets_are_amounts", "ad_campaigns")
    op.drop_column("watchers", "age_group")
    op.drop_constraint("advertisers_decided_by_fkey", "advertisers", type_="foreignkey")
    op.drop_index("ix_advertisers_status_created_at", table_name="advertisers")
    op.drop_column("advertisers", "updated_at")
    op.drop_column("advertisers", "mails_reports")
    op.drop_column("advertisers", "mails_budgets")
    op.drop_column("advertisers", "mails_reviews")
    op.drop_column("advertisers", "tags_links")
    op.drop_column("advertisers", "starts_by_itself")
    op.drop_column("advertisers", "reaches_minors")
    op.drop_column("advertisers", "balance")
    op.drop_column("advertisers", "decided_by")
    op.drop_column("advertisers", "decided_at")
    op.drop_column("advertisers", "reason")
    op.drop_column("advertisers", "website")
    op.drop_column("advertisers", "phone")
    op.drop_column("advertisers", "email")
    op.drop_constraint("ads_reviewed_by_fkey", "ads", type_="foreignkey")
    op.drop_column("ads", "updated_at")
    op.drop_column("ads", "reviewed_by")
    op.drop_column("ads", "reviewed_at")
    op.drop_column("ads", "review_reason")
    op.drop_index("ix_ad_views_places", table_name="ad_views", postgresql_where="holds_place")
    op.drop_column("ad_views", "invalid_reason")
    op.drop_column("ad_views", "invalid_at")
    op.drop_column("ad_views", "age_group")
    op.drop_column("ad_views", "holds_place")
    op.drop_column("ad_views", "price")
    op.drop_column("ad_views", "day")
    op.drop_column("ad_campaigns", "updated_at")
    op.drop_column("ad_campaigns", "settled_at")
    op.drop_column("ad_campaigns", "ended_by")
    op.drop_column("ad_campaigns", "ended_at")
    op.drop_column("ad_campaigns", "paused_at")
    op.drop_column("ad_campaigns", "set_aside_at")
    op.drop_column("ad_campaigns", "taken_today")
    op.drop_column("ad_campaigns", "taken_day")
    op.drop_column("ad_campaigns", "taken")
    op.drop_column("ad_campaigns", "daily_budget_cents")
    op.drop_column("ad_campaigns", "budget_cents")
    op.drop_column("ad_campaigns", "description")
    op.drop_index(op.f("ix_ad_servings_campaign_id"), table_name="ad_servings")
    op.drop_index("ix_ad_servings_added_at", table_name="ad_servings")
    op.drop_table("ad_servings")
    op.drop_index("ix_ad_days_day", table_name="ad_days")
    op.drop_index("ix_ad_days_campaign_id_day", table_name="ad_days")
    op.drop_index("ix_ad_days_advertiser_id_day", table_name="ad_days")
    op.drop_table("ad_days")
    op.drop_index("ix_top_ups_advertiser_id_created_at", table_name="top_ups")
    op.drop_table("top_ups")
    op.drop_index(op.f("ix_advertiser_members_advertiser_id"), table_name="advertiser_members")
    op.drop_table("advertiser_members")
    op.drop_index("one_invitation_an_address", table_name="advertiser_invitations")
    op.drop_index(
        op.f("ix_advertiser_invitations_advertiser_id"), table_name="advertiser_invitations"
    )
    op.drop_table("advertiser_invitations")
    op.drop_index("ix_advertiser_entries_advertiser_id_number", table_name="advertiser_entries")
    op.drop_table("advertiser_entries")
    op.execute("drop function refuse_change_of_advertiser_entries")
    op.drop_index("ix_ad_viewers_advertiser_id_last_day", table_name="ad_viewers")
    op.drop_table("ad_viewers")
    op.drop_table("invoice_numbers")
