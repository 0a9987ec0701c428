"""Numbers of invoices are skipped that were given before the database went back"""

import sqlalchemy as sa

from alembic import op

revision = "d84f1c5a0e92"
down_revision = "b30c7d91e5f8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "invoice_numbers", sa.Column("skipped", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    op.drop_column("invoice_numbers", "skipped")
