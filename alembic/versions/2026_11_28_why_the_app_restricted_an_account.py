"""A restriction that the app began by itself keeps the rules that decided it"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "d3a96b1f7c58"
down_revision = "c84f1e6b2a90"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "account_restrictions",
        sa.Column(
            "grounds", postgresql.ARRAY(sa.String(length=40)), nullable=False, server_default="{}"
        ),
    )


def downgrade() -> None:
    op.drop_column("account_restrictions", "grounds")
