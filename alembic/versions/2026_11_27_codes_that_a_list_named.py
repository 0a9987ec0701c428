"""Withheld codes that somebody has are told from those that somebody may have"""

import sqlalchemy as sa

from alembic import op

revision = "e2b6f0c4d913"
down_revision = "d84f1c5a0e92"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "gift_codes", sa.Column("is_given", sa.Boolean(), nullable=False, server_default="false")
    )


def downgrade() -> None:
    op.drop_column("gift_codes", "is_given")
