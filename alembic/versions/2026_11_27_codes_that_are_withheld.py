"""Codes that somebody may have seen already are withheld, whoever they wait for"""

import sqlalchemy as sa

from alembic import op

revision = "b30c7d91e5f8"
down_revision = "a4d7e20c91b5"
branch_labels = None
depends_on = None

RULE = "code_is_free_or_taken"


def upgrade() -> None:
    op.add_column(
        "gift_codes",
        sa.Column("is_withheld", sa.Boolean(), nullable=False, server_default="false"),
    )
    op.drop_constraint(RULE, "gift_codes", type_="check")
    op.create_check_constraint(
        RULE,
        "gift_codes",
        "case status when 'free' then purchase_id is null and not is_withheld"
        " when 'withdrawn' then is_withheld or purchase_id is not null"
        " else purchase_id is not null end",
    )


def downgrade() -> None:
    # An earlier version knows no code that is nobody's and not to be sold.
    op.execute("delete from gift_codes where status = 'withdrawn' and purchase_id is null")
    op.drop_constraint(RULE, "gift_codes", type_="check")
    op.create_check_constraint(RULE, "gift_codes", "(status = 'free') = (purchase_id is null)")
    op.drop_column("gift_codes", "is_withheld")
