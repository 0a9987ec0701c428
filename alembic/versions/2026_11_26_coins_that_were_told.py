"""How many coins somebody was told will expire: those that come later are told anew"""

import sqlalchemy as sa

from alembic import op

revision = "5d8a1f6e20b7"
down_revision = "c3e8d2b7f514"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Workers of the version before tell people meanwhile, and of no number.
    op.add_column(
        "coin_expiry_notices",
        sa.Column("coins", sa.Integer(), nullable=False, server_default="0"),
    )
    # As many as were there when each was told; coins that came since have raised the balance.
    op.execute(
        "update coin_expiry_notices notice set coins = balance.balance"
        " from coin_balances balance where balance.account_id = notice.account_id"
    )


def downgrade() -> None:
    op.drop_column("coin_expiry_notices", "coins")
