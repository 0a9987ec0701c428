"""A paused ad whose price has fallen is reviewed when it is resumed"""

import sqlalchemy as sa

from alembic import op

revision = "a4d17c93e6b2"
down_revision = "f6b81d27e4a9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "ads",
        sa.Column("is_review_due", sa.Boolean(), nullable=False, server_default=sa.text("false")),
    )


def downgrade() -> None:
    op.drop_column("ads", "is_review_due")
