"""Purchases, payments, gift codes and tickets"""

import sqlalchemy as sa

from alembic import op

revision = "f257c00d5a6f"
down_revision = "a41f7c0d92be"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "payments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("description", sa.String(length=120), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("provider", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("checkout_id", sa.String(length=255), nullable=True),
        sa.Column("checkout_url", sa.String(length=2000), nullable=True),
        sa.Column("intent_id", sa.String(length=255), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("looks", sa.Integer(), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("charged", sa.Integer(), nullable=True),
        sa.Column("refund_id", sa.String(length=255), nullable=True),
        sa.Column("returned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(status in ('paid', 'returning', 'returned')) = (paid_at is not null)",
            name="payment_paid_has_a_moment",
        ),
        sa.CheckConstraint(
            "status in ('opening', 'open', 'paid', 'expired', 'cancelled', 'failed',"
            " 'returning', 'returned')",
            name="payment_status_is_known",
        ),
        sa.CheckConstraint("amount > 0", name="payment_has_an_amount"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("checkout_id"),
        sa.UniqueConstraint("intent_id"),
        sa.UniqueConstraint("refund_id"),
    )
    op.create_index(op.f("ix_payments_account_id"), "payments", ["account_id"], unique=False)
    op.create_index(
        "ix_payments_look_at",
        "payments",
        ["look_at"],
        unique=False,
        postgresql_where="look_at is not null",
    )
    op.create_index("one_payment_a_subject", "payments", ["purpose", "subject_id"], unique=True)
    op.create_table(
        "purchases",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("attempt", sa.Uuid(), nullable=False),
        sa.Column("package_id", sa.String(length=40), nullable=False),
        sa.Column("product_name", sa.String(length=80), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("currency_amount", sa.Integer(), nullable=False),
        sa.Column("price_kr", sa.Integer(), nullable=False),
        sa.Column("coins_spent", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=True),
        sa.Column("purchase_code", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refunded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refunded_by", sa.Uuid(), nullable=True),
        sa.Column("refund_reason", sa.String(length=300), nullable=False),
        sa.CheckConstraint(
            "status in ('waiting', 'completed', 'cancelled', 'expired', 'failed', 'refunding',"
            " 'refunded')",
            name="purchase_status_is_known",
        ),
        sa.CheckConstraint(
            "coins_spent between 0 and price_kr", name="purchase_takes_no_more_coins"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["refunded_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("account_id", "slot", name="one_unpaid_purchase_a_slot"),
        sa.UniqueConstraint("purchase_code"),
    )
    op.create_index("ix_purchases_account_id_id", "purchases", ["account_id", "id"], unique=False)
    op.create_index("one_purchase_an_attempt", "purchases", ["account_id", "attempt"], unique=True)
    op.create_index("ix_purchases_status_id", "purchases", ["status", "id"], unique=False)
    op.create_index(
        "ix_accounts_email_begins",
        "accounts",
        ["email"],
        unique=False,
        postgresql_ops={"email": "text_pattern_ops"},
    )
    op.create_index(
        "ix_accounts_name_begins",
        "accounts",
        [sa.literal_column("lower(display_name)").label("name")],
        unique=False,
        postgresql_ops={"name": "text_pattern_ops"},
    )
    op.create_table(
        "support_tickets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), sa.Identity(always=True, start=1001), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("message", sa.String(length=2000), nullable=False),
        sa.Column("about", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('open', 'answered', 'closed')", name="ticket_status_is_known"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("number"),
    )
    op.create_index(
        op.f("ix_support_tickets_account_id"), "support_tickets", ["account_id"], unique=False
    )
    op.create_index(
        "one_open_ticket_a_subject",
        "support_tickets",
        ["about", "account_id"],
        unique=True,
        postgresql_where="status <> 'closed' and about <> ''",
    )
    op.create_table(
        "test_checkouts",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("payment_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("description", sa.String(length=120), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("intent_id", sa.String(length=80), nullable=True),
        sa.Column("returned", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status in ('open', 'complete', 'expired')", name="test_checkout_status_is_known"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("intent_id"),
        sa.UniqueConstraint("payment_id"),
    )
    op.create_index(
        op.f("ix_test_checkouts_account_id"), "test_checkouts", ["account_id"], unique=False
    )
    op.create_table(
        "gift_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("package_id", sa.String(length=40), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("purchase_id", sa.Uuid(), nullable=True),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("imported_by", sa.Uuid(), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(status = 'free') = (purchase_id is null)", name="code_is_free_or_taken"
        ),
        sa.CheckConstraint(
            "status in ('free', 'reserved', 'delivered', 'withdrawn')", name="code_status_is_known"
        ),
        sa.ForeignKeyConstraint(["imported_by"], ["accounts.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["purchase_id"], ["purchases.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
        sa.UniqueConstraint("purchase_id"),
    )
    op.create_index(
        "ix_gift_codes_free",
        "gift_codes",
        ["package_id", "is_demo", "id"],
        unique=False,
        postgresql_where="status = 'free'",
    )
    op.create_table(
        "payment_events",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=80), nullable=False),
        sa.Column("payload", sa.String(), nullable=False),
        sa.Column("payment_id", sa.Uuid(), nullable=True),
        sa.Column("outcome", sa.String(length=30), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["payment_id"], ["payments.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    op.drop_table("payment_events")
    op.drop_index("ix_gift_codes_free", table_name="gift_codes", postgresql_where="status = 'free'")
    op.drop_table("gift_codes")
    op.drop_index(op.f("ix_test_checkouts_account_id"), table_name="test_checkouts")
    op.drop_table("test_checkouts")
    op.drop_index(
        "one_open_ticket_a_subject",
        table_name="support_tickets",
        postgresql_where="status <> 'closed' and about <> ''",
    )
    op.drop_index(op.f("ix_support_tickets_account_id"), table_name="support_tickets")
    op.drop_table("support_tickets")
    op.drop_index("ix_accounts_name_begins", table_name="accounts")
    op.drop_index(
        "ix_accounts_email_begins",
        table_name="accounts",
        postgresql_ops={"email": "text_pattern_ops"},
    )
    op.drop_index("ix_purchases_status_id", table_name="purchases")
    op.drop_index("one_purchase_an_attempt", table_name="purchases")
    op.drop_index("ix_purchases_account_id_id", table_name="purchases")
    op.drop_table("purchases")
    op.drop_index("one_payment_a_subject", table_name="payments")
    op.drop_index(
        "ix_payments_look_at", table_name="payments", postgresql_where="look_at is not null"
    )
    op.drop_index(op.f("ix_payments_account_id"), table_name="payments")
    op.drop_table("payments")
