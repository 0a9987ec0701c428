"""A handle that a moderator replaced is retired: nobody is called so any more, nor ever again"""

import sqlalchemy as sa

from alembic import op

revision = "b8e25f60d91c"
down_revision = "a4c7e91b30f6"
branch_labels = None
depends_on = None

TABLE = "account_handles"
OF_AN_ACCOUNT = "ix_account_handles_account_id"
PRESENT = "one_present_handle_an_account"
ONE = "account_handles_account_id_key"


def upgrade() -> None:
    op.add_column(TABLE, sa.Column("retired_at", sa.DateTime(timezone=True)))
    op.create_index(OF_AN_ACCOUNT, TABLE, ["account_id"])
    op.create_index(
        PRESENT, TABLE, ["account_id"], unique=True, postgresql_where="retired_at is null"
    )
    op.drop_constraint(ONE, TABLE, type_="unique")


def downgrade() -> None:
    # An account has one again; what it was called before anybody may claim.
    op.execute(sa.text("delete from account_handles where retired_at is not null"))
    op.create_unique_constraint(ONE, TABLE, ["account_id"])
    op.drop_index(PRESENT, table_name=TABLE)
    op.drop_index(OF_AN_ACCOUNT, table_name=TABLE)
    op.drop_column(TABLE, "retired_at")
