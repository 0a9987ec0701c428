"""Whether an address that an account has left is still kept for it is asked at each sign-up"""

from alembic import op

revision = "c52f9ad07b14"
down_revision = "8e41c7a3d9f2"
branch_labels = None
depends_on = None

INDEX = "ix_email_links_addresses_kept"


def upgrade() -> None:
    # Links live for a day: the table is small, and soon locked no more.
    op.create_index(
        INDEX,
        "email_links",
        ["new_email"],
        postgresql_where="purpose = 'email_keep' and used_at is null",
    )


def downgrade() -> None:
    op.drop_index(INDEX, table_name="email_links")
