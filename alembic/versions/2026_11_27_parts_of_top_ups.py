"""A part of a top-up goes back to the card and leaves the balance"""

import sqlalchemy as sa

from alembic import op

revision = "e19d4b6c8a37"
down_revision = "c52f9ad07b14"
branch_labels = None
depends_on = None

RULE = "top_up_returned_is_a_part_of_it"


def upgrade() -> None:
    op.add_column(
        "top_ups", sa.Column("returned_cents", sa.Integer(), nullable=False, server_default="0")
    )
    op.execute("update top_ups set returned_cents = cents where status = 'returned'")
    op.create_check_constraint(RULE, "top_ups", "returned_cents between 0 and cents")


def downgrade() -> None:
    op.drop_constraint(RULE, "top_ups", type_="check")
    op.drop_column("top_ups", "returned_cents")
