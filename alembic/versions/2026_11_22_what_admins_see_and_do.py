"""What admins see and do"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "76f215bf513b"
down_revision = "da48d82aedee"
branch_labels = None
depends_on = None

FOR_ROWS_THAT_ARE_THERE = {
    "account_sessions": ("place_hash", "place_before_hash"),
    "ad_days": ("rewards",),
    "fraud_signals": ("patterns", "action_taken"),
    "payments": ("is_being_cancelled",),
    "security_alerts": ("params", "about", "times", "last_at"),
}
"""Columns whose default the rows of before need, and those of later do not."""
INDEXES_OF_ALERTS = {
    "ix_security_alerts_open": (["severity", "id"], "not resolved"),
    "ix_security_alerts_open_id": (["id"], "not resolved"),
    "ix_security_alerts_resolved": (["severity", "id"], "resolved"),
    "ix_security_alerts_resolved_id": (["id"], "resolved"),
    "ix_security_alerts_address": (["last_at"], "ip_address is not null"),
}
WHAT_IS_THERE = (
    "update fraud_signals set patterns = array[rule]",
    """insert into fraud_days (day, slot, signals, high, suspended, risks)
        select (created_at at time zone 'UTC')::date, 0, count(*),
            count(*) filter (where risk_score >= 70), 0, sum(risk_score)
        from fraud_signals group by 1""",
    "update security_alerts set last_at = created_at",
    """update ad_days set rewards = paid.coins
        from (
            select ad_id, day, sum(reward_coins) as coins
            from ad_views where status = 'rewarded' group by ad_id, day
        ) as paid
        where ad_days.ad_id = paid.ad_id and ad_days.day = paid.day
            and ad_days.slot = (
                select min(slot) from ad_days other
                where other.ad_id = paid.ad_id and other.day = paid.day
            )""",
)
APPEND_ONLY = (
    """create function refuse_change_of_audit_entries() returns trigger language plpgsql as $$
begin
    raise exception 'audit_entries is append-only';
end
$$""",
    """create trigger audit_entries_are_append_only
before update or delete on audit_entries
for each row execute function refuse_change_of_audit_entries()""",
    """create trigger audit_entries_are_never_emptied
before truncate on audit_entries
for each statement execute function refuse_change_of_audit_entries()""",
)


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_name", sa.String(length=40), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("about", sa.String(length=120), nullable=False),
        sa.Column("label", sa.String(length=120), nullable=False),
        sa.Column("before", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("after", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column(
            "words",
            postgresql.TSVECTOR(),
            sa.Computed(
                "to_tsvector('simple', translate(actor_name || ' ' || label || ' ' || reason,"
                " '<>', '  '))",
                persisted=True,
            ),
            nullable=True,
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index(
        "ix_audit_entries_about_number", "audit_entries", ["about", "number"], unique=False
    )
    op.create_index(
        "ix_audit_entries_action_number", "audit_entries", ["action", "number"], unique=False
    )
    op.create_index(
        "ix_audit_entries_actor_id_number", "audit_entries", ["actor_id", "number"], unique=False
    )
    op.create_index(
        "ix_audit_entries_words", "audit_entries", ["words"], unique=False, postgresql_using="gin"
    )
    op.create_table(
        "fraud_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("slot", sa.SmallInteger(), nullable=False),
        sa.Column("signals", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("suspended", sa.Integer(), nullable=False),
        sa.Column("risks", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "slot"),
    )
    op.create_table(
        "fraud_simulations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("asked_by", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("before", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("weights", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("views", sa.BigInteger(), nullable=False),
        sa.Column("expected", sa.BigInteger(), nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("heard_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('running', 'done', 'failed', 'cancelled')", name="simulation_is_known"
        ),
        sa.ForeignKeyConstraint(["asked_by"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_fraud_simulations_asked_by", "fraud_simulations", ["asked_by"], unique=False
    )
    op.create_index(
        "one_simulation_at_a_time",
        "fraud_simulations",
        ["status"],
        unique=True,
        postgresql_where="status = 'running'",
    )
    op.create_table(
        "fraud_weights",
        sa.Column("rule", sa.String(length=40), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("each_more", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "first between 0 and 100 and each_more between 0 and 100", name="weight_in_range"
        ),
        sa.PrimaryKeyConstraint("rule"),
    )
    op.create_table(
        "health_samples",
        sa.Column("minute", sa.DateTime(timezone=True), nullable=False),
        sa.Column("database_us", sa.Integer(), nullable=False),
        sa.Column("redis_us", sa.Integer(), nullable=True),
        sa.Column("workers", sa.Integer(), nullable=False),
        sa.Column("jobs_waiting", sa.Integer(), nullable=False),
        sa.Column("oldest_job_seconds", sa.Integer(), nullable=False),
        sa.Column("mails_waiting", sa.Integer(), nullable=False),
        sa.Column("disk_free", sa.BigInteger(), nullable=False),
        sa.Column("disk_size", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("minute"),
    )
    op.create_table(
        "waitlist",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("ip_address", sa.String(length=45), nullable=True),
        sa.Column("user_agent", sa.String(length=300), nullable=False),
        sa.Column("notified", sa.Boolean(), nullable=False),
        sa.Column("notified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("email = lower(email)", name="waiting_email_is_lower_case"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email"),
    )
    op.create_index("ix_waitlist_created_at", "waitlist", ["created_at", "id"], unique=False)
    op.create_table(
        "account_restrictions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("begun_by", sa.Uuid(), nullable=True),
        sa.Column("is_automatic", sa.Boolean(), nullable=False),
        sa.Column("risk_score", sa.Integer(), nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_by", sa.Uuid(), nullable=True),
        sa.Column("end_reason", sa.String(length=500), nullable=False),
        sa.CheckConstraint("kind in ('earning_paused', 'suspended')", name="restriction_is_known"),
        sa.CheckConstraint("reason <> ''", name="restriction_has_a_reason"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["begun_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["ended_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_account_restrictions_account_id_begun_at",
        "account_restrictions",
        ["account_id", "begun_at"],
        unique=False,
    )
    op.create_index(
        "ix_account_restrictions_open",
        "account_restrictions",
        ["begun_at"],
        unique=False,
        postgresql_where="ended_at is null",
    )
    op.create_index(
        "one_open_restriction_of_a_kind",
        "account_restrictions",
        ["account_id", "kind"],
        unique=True,
        postgresql_where="ended_at is null",
    )
    op.create_index("ix_accounts_role_id", "accounts", ["role", "id"], unique=False)
    op.create_index(
        "ix_accounts_unverified",
        "accounts",
        ["id"],
        unique=False,
        postgresql_where="email_verified_at is null",
    )
    op.create_index(
        "ix_accounts_asked_for_admin",
        "accounts",
        ["id"],
        unique=False,
        postgresql_where="asked_for_admin",
    )
    op.add_column(
        "account_sessions",
        sa.Column("place_hash", sa.String(length=64), nullable=False, server_default=""),
    )
    op.add_column(
        "account_sessions",
        sa.Column("place_before_hash", sa.String(length=64), nullable=False, server_default=""),
    )
    op.add_column(
        "account_sessions", sa.Column("place_changed_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column(
        "ad_days", sa.Column("rewards", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.create_index(
        "ix_support_tickets_appeals",
        "support_tickets",
        ["number"],
        unique=False,
        postgresql_where="status = 'open' and starts_with(about, 'restriction:')",
    )
    op.create_index("ix_device_uses_account_id", "device_uses", ["account_id"], unique=False)
    op.create_index(
        "ix_ads_waiting",
        "ads",
        ["updated_at", "id"],
        unique=False,
        postgresql_where="status = 'pending_review'",
    )
    op.create_index(
        "ix_advertisers_pending",
        "advertisers",
        ["updated_at", "id"],
        unique=False,
        postgresql_where="status = 'pending'",
    )
    op.create_index(
        "ix_advertisers_processed",
        "advertisers",
        [sa.literal_column("coalesce(decided_at, created_at)"), "id"],
        unique=False,
        postgresql_where=(
            "status <> 'pending' and (account_id is not null or decided_at is not null)"
        ),
    )
    op.create_index(
        "ix_coin_entries_besides_ads",
        "coin_entries",
        ["created_at"],
        unique=False,
        postgresql_where="kind <> 'ad'",
    )
    op.add_column(
        "fraud_signals",
        sa.Column(
            "patterns", postgresql.ARRAY(sa.String(length=40)), nullable=False, server_default="{}"
        ),
    )
    op.add_column(
        "fraud_signals",
        sa.Column("action_taken", sa.String(length=20), nullable=False, server_default="none"),
    )
    op.create_index(
        "ix_fraud_signals_acted_on",
        "fraud_signals",
        ["created_at"],
        unique=False,
        postgresql_where="action_taken <> 'none'",
    )
    op.create_index(
        "ix_fraud_signals_created_at", "fraud_signals", ["created_at", "id"], unique=False
    )
    op.add_column(
        "payments",
        sa.Column("is_being_cancelled", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "security_alerts",
        sa.Column(
            "params", postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default="{}"
        ),
    )
    op.add_column(
        "security_alerts",
        sa.Column("about", sa.String(length=120), nullable=False, server_default=""),
    )
    op.add_column(
        "security_alerts", sa.Column("times", sa.Integer(), nullable=False, server_default="1")
    )
    op.add_column(
        "security_alerts",
        sa.Column(
            "last_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
    )
    op.add_column(
        "security_alerts", sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column("security_alerts", sa.Column("resolved_by", sa.Uuid(), nullable=True))
    op.drop_index("ix_security_alerts_created_at", table_name="security_alerts")
    for name, (columns, where) in INDEXES_OF_ALERTS.items():
        op.create_index(name, "security_alerts", columns, unique=False, postgresql_where=where)
    op.create_index(
        "one_open_alert_about_it",
        "security_alerts",
        ["alert_type", "about"],
        unique=True,
        postgresql_where="not resolved and about <> ''",
    )
    op.create_foreign_key(
        "security_alerts_resolved_by_fkey",
        "security_alerts",
        "accounts",
        ["resolved_by"],
        ["id"],
        ondelete="SET NULL",
    )
    for statement in (*WHAT_IS_THERE, *APPEND_ONLY):
        op.execute(statement)
    for table, columns in FOR_ROWS_THAT_ARE_THERE.items():
        for column in columns:
            op.alter_column(table, column, server_default=None)


def downgrade() -> None:
    op.drop_constraint("security_alerts_resolved_by_fkey", "security_alerts", type_="foreignkey")
    op.drop_index("one_open_alert_about_it", table_name="security_alerts")
    for name in INDEXES_OF_ALERTS:
        op.drop_index(name, table_name="security_alerts")
    op.create_index("ix_security_alerts_created_at", "security_alerts", ["created_at"])
    for index in ("ix_accounts_asked_for_admin", "ix_accounts_unverified", "ix_accounts_role_id"):
        op.drop_index(index, table_name="accounts")
    op.drop_index("ix_fraud_signals_created_at", table_name="fraud_signals")
    op.drop_index("ix_fraud_signals_acted_on", table_name="fraud_signals")
    for column in ("resolved_by", "resolved_at", "last_at", "times", "about", "params"):
        op.drop_column("security_alerts", column)
    op.drop_index("ix_support_tickets_appeals", table_name="support_tickets")
    op.drop_index("ix_device_uses_account_id", table_name="device_uses")
    op.drop_index("ix_coin_entries_besides_ads", table_name="coin_entries")
    op.drop_index("ix_advertisers_processed", table_name="advertisers")
    op.drop_index("ix_advertisers_pending", table_name="advertisers")
    op.drop_index("ix_ads_waiting", table_name="ads")
    op.drop_column("payments", "is_being_cancelled")
    op.drop_column("fraud_signals", "action_taken")
    op.drop_column("fraud_signals", "patterns")
    op.drop_column("ad_days", "rewards")
    for column in ("place_changed_at", "place_before_hash", "place_hash"):
        op.drop_column("account_sessions", column)
    tables = (
        "account_restrictions",
        "waitlist",
        "health_samples",
        "fraud_weights",
        "fraud_simulations",
        "fraud_days",
        "audit_entries",
    )
    for table in tables:
        op.drop_table(table)
    op.execute("drop function refuse_change_of_audit_entries")
