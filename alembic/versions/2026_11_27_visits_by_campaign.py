"""Visits and sign-ups are counted by the campaign that led to them"""

import sqlalchemy as sa

from alembic import op

revision = "c91d5e3f7a08"
down_revision = "b7e40d92c6a1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arrival_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("medium", sa.String(40), nullable=False),
        sa.Column("campaign", sa.String(40), nullable=False),
        sa.Column("visits", sa.Integer(), nullable=False),
        sa.Column("sign_ups", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "source", "medium", "campaign"),
    )


def downgrade() -> None:
    op.drop_table("arrival_days")
