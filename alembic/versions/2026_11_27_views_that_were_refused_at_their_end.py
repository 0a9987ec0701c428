"""Views that were watched to their end and refused are counted, beside those that were rewarded"""

import sqlalchemy as sa

from alembic import op

revision = "c84f1e6b2a90"
down_revision = "c91d5e3f7a08"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Hardly any are there from before, and to look for them is to read all views.
    op.add_column("ad_views", sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("ad_days", sa.Column("refused", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("ad_days", "refused")
    op.drop_column("ad_views", "refused_at")
