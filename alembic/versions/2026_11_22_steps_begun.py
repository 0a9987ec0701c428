"""Which accounts saw their first steps begin: only those are shown their end"""

import sqlalchemy as sa

from alembic import op

revision = "a41c9e27b6d3"
down_revision = "fcf5b748d430"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "accounts", sa.Column("first_steps_begun_at", sa.DateTime(timezone=True), nullable=True)
    )


def downgrade() -> None:
    op.drop_column("accounts", "first_steps_begun_at")
