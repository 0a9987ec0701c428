"""Since when the doors are open is known; where they were opened, the audit log knew it"""

import sqlalchemy as sa

from alembic import op

revision = "d27b94e1c6f8"
down_revision = "c83e5f0a91d4"
branch_labels = None
depends_on = None

OPENED = """
insert into opened_doors (id, opened_at)
select 1, min(created_at) from audit_entries where action = 'waitlist_opened' having count(*) > 0
"""


def upgrade() -> None:
    op.create_table(
        "opened_doors",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name="doors_are_opened_once"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(OPENED)


def downgrade() -> None:
    op.drop_table("opened_doors")
