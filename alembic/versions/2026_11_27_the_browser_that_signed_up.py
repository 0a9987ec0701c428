"""A link that proves the address of a sign-up knows the browser that signed up"""

import sqlalchemy as sa

from alembic import op

revision = "a4d7e20c91b5"
down_revision = "a7d3f05b91c4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "email_links",
        sa.Column("door_hash", sa.String(length=64), nullable=False, server_default=""),
    )


def downgrade() -> None:
    op.drop_column("email_links", "door_hash")
