"""Purchases are counted as orders, and not in the ledger"""

from alembic import op

revision = "b7e40d92c6a1"
down_revision = "c94e1b7f30a6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_purchases_completed",
        "purchases",
        ["status"],
        postgresql_where="status = 'completed'",
    )
    op.drop_index("ix_coin_entries_purchases", table_name="coin_entries")


def downgrade() -> None:
    op.create_index(
        "ix_coin_entries_purchases",
        "coin_entries",
        ["number"],
        postgresql_where="kind = 'purchase'",
    )
    op.drop_index("ix_purchases_completed", table_name="purchases")
