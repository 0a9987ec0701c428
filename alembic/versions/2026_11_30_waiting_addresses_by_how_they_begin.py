"""Who waits is found by how an address begins"""

from alembic import op

revision = "c83e5f0a91d4"
down_revision = "c5e83f17a2d9"
branch_labels = None
depends_on = None

BEGINS = "ix_waitlist_email_begins"


def upgrade() -> None:
    op.create_index(BEGINS, "waitlist", ["email"], postgresql_ops={"email": "text_pattern_ops"})


def downgrade() -> None:
    op.drop_index(BEGINS, table_name="waitlist")
