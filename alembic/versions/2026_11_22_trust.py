"""Trust: second factors, closed accounts, exports, guardians, answers of support, runs of jobs"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "9b049d578242"
down_revision = "2b1e78d94001"
branch_labels = None
depends_on = None

TABLES = (
    "support_messages",
    "data_export_parts",
    "sign_in_steps",
    "passkeys",
    "passkey_challenges",
    "legal_readings",
    "guardian_consents",
    "factor_resets",
    "data_exports",
    "coin_expiry_notices",
    "backup_codes",
    "authenticators",
    "account_closures",
    "job_runs",
)
LAST_ACTIVE = """
update accounts set last_active_at = greatest(created_at, (
    select max(last_active_at) from account_sessions where account_id = accounts.id
), (
    select max(created_at) from coin_entries where account_id = accounts.id
))
"""


def upgrade() -> None:
    op.create_table(
        "job_runs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("job", sa.String(length=60), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("did", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_job_runs_job_started_at", "job_runs", ["job", "started_at"], unique=False)
    op.create_index(
        "ix_job_runs_failed",
        "job_runs",
        ["job", "started_at"],
        unique=False,
        postgresql_where="error <> ''",
    )
    op.create_table(
        "account_closures",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("hidden", sa.String(), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_account_closures_account_id", "account_closures", ["account_id"], unique=False
    )
    op.create_index(
        "ix_account_closures_due",
        "account_closures",
        ["due_at"],
        unique=False,
        postgresql_where="cancelled_at is null and erased_at is null",
    )
    op.create_index(
        "one_open_closure",
        "account_closures",
        ["account_id"],
        unique=True,
        postgresql_where="cancelled_at is null and erased_at is null",
    )
    op.create_table(
        "authenticators",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "backup_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("account_id", "code_hash"),
    )
    op.create_table(
        "coin_expiry_notices",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("inactive_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_told_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_told_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "data_exports",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("rows_done", sa.Integer(), nullable=False),
        sa.Column("rows_expected", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=True),
        sa.Column("heard_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('waiting', 'running', 'ready', 'taken', 'failed', 'expired')",
            name="export_status_is_known",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index("ix_data_exports_account_id", "data_exports", ["account_id"], unique=False)
    op.create_index(
        "one_open_export",
        "data_exports",
        ["account_id"],
        unique=True,
        postgresql_where="status in ('waiting', 'running')",
    )
    op.create_table(
        "factor_resets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("cancel_hash", sa.String(length=64), nullable=False),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('waiting', 'granted', 'done', 'refused', 'cancelled')",
            name="reset_status_is_known",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["decided_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("cancel_hash"),
    )
    op.create_index("ix_factor_resets_account_id", "factor_resets", ["account_id"], unique=False)
    op.create_index(
        "ix_factor_resets_open",
        "factor_resets",
        ["ready_at"],
        unique=False,
        postgresql_where="status = 'granted'",
    )
    op.create_index(
        "one_open_factor_reset",
        "factor_resets",
        ["account_id"],
        unique=True,
        postgresql_where="status in ('waiting', 'granted')",
    )
    op.create_table(
        "guardian_consents",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('asked', 'given', 'refused', 'withdrawn', 'replaced')",
            name="guardian_status_is_known",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index(
        "ix_guardian_consents_account_id", "guardian_consents", ["account_id"], unique=False
    )
    op.create_index(
        "one_guardian_at_a_time",
        "guardian_consents",
        ["account_id"],
        unique=True,
        postgresql_where="status in ('asked', 'given')",
    )
    op.create_table(
        "legal_readings",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("document", sa.String(length=10), nullable=False),
        sa.Column("edition", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_sign_up", sa.Boolean(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "document", "edition"),
    )
    op.create_table(
        "passkey_challenges",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("purpose in ('add', 'sign_in', 'prove')", name="purpose_is_known"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_passkey_challenges_account_id", "passkey_challenges", ["account_id"], unique=False
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("transports", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("credential_id"),
    )
    op.create_index("ix_passkeys_account_id", "passkeys", ["account_id"], unique=False)
    op.create_table(
        "sign_in_steps",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("door_hash", sa.String(length=64), nullable=False),
        sa.Column("may_log_address", sa.Boolean(), nullable=False),
        sa.Column("has_factor", sa.Boolean(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("ix_sign_in_steps_account_id", "sign_in_steps", ["account_id"], unique=False)
    op.create_table(
        "data_export_parts",
        sa.Column("export_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["export_id"], ["data_exports.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("export_id", "position"),
    )
    op.create_table(
        "support_messages",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("ticket_id", sa.Uuid(), nullable=False),
        sa.Column("by_account_id", sa.Uuid(), nullable=True),
        sa.Column("is_answer", sa.Boolean(), nullable=False),
        sa.Column("text", sa.String(length=4000), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["by_account_id"], ["accounts.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["ticket_id"], ["support_tickets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_support_messages_ticket_id_id", "support_messages", ["ticket_id", "id"], unique=False
    )
    op.add_column(
        "account_sessions",
        sa.Column("door_hash", sa.String(length=64), nullable=False, server_default=sa.text("''")),
    )
    op.add_column(
        "accounts",
        sa.Column(
            "last_active_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default=sa.text("now()"),
        ),
    )
    op.add_column(
        "accounts", sa.Column("second_factor_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column("accounts", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_accounts_closed",
        "accounts",
        ["id"],
        unique=False,
        postgresql_where="closed_at is not null",
    )
    op.execute(LAST_ACTIVE)
    op.create_index("ix_accounts_last_active_at", "accounts", ["last_active_at"])
    op.add_column("email_links", sa.Column("new_email", sa.String(length=254), nullable=True))
    for name, length in (("name", 80), ("email", 254)):
        op.add_column(
            "support_tickets",
            sa.Column(name, sa.String(length=length), nullable=False, server_default=sa.text("''")),
        )
    op.add_column(
        "support_tickets",
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default=sa.text("now()"),
        ),
    )
    op.execute("update support_tickets set changed_at = created_at")
    op.create_index(
        "ix_support_tickets_status_changed_at", "support_tickets", ["status", "changed_at"]
    )


def downgrade() -> None:
    op.drop_index("ix_support_tickets_status_changed_at", table_name="support_tickets")
    for name in ("changed_at", "email", "name"):
        op.drop_column("support_tickets", name)
    op.drop_column("email_links", "new_email")
    op.drop_index("ix_accounts_closed", table_name="accounts")
    op.drop_index("ix_accounts_last_active_at", table_name="accounts")
    for name in ("closed_at", "second_factor_at", "last_active_at"):
        op.drop_column("accounts", name)
    op.drop_column("account_sessions", "door_hash")
    for name in TABLES:
        op.drop_table(name)
