"""Purchases in the ledger are counted without reading the rest of it"""

from alembic import op

revision = "a41f7c0d92be"
down_revision = "63bb40d2cb3e"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_coin_entries_purchases",
        "coin_entries",
        ["number"],
        postgresql_where="kind = 'purchase'",
    )


def downgrade() -> None:
    op.drop_index("ix_coin_entries_purchases", table_name="coin_entries")
