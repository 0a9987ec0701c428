"""A payment whose payer has done their part, and which takes days, is known as that"""

import sqlalchemy as sa

from alembic import op

revision = "a7d3f05b91c4"
down_revision = "f1a6c83e20d7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "payments",
        sa.Column("is_under_way", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("payments", "is_under_way")
