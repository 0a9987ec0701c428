"""First impression: a line of people who confirmed that they wait, and a guided start"""

import sqlalchemy as sa

from alembic import op

revision = "fcf5b748d430"
down_revision = "5c1f0e7a9d34"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
IN_LINE = (
    sa.Column("language", sa.String(length=2), server_default=sa.text("'en'"), nullable=False),
    sa.Column("asked_at", MOMENT, server_default=sa.text("now()"), nullable=False),
    sa.Column("confirmed_at", MOMENT),
    sa.Column("code", sa.String(length=12)),
    sa.Column("referred_by", sa.Uuid()),
    sa.Column("referrals", sa.Integer(), server_default=sa.text("0"), nullable=False),
    sa.Column("stands_at", MOMENT),
)
INDEXES = {
    "ix_waitlist_line": (["stands_at", "id"], "confirmed_at is not null"),
    "ix_waitlist_unconfirmed": (["created_at"], "confirmed_at is null"),
    "ix_waitlist_referred_by": (["referred_by"], None),
}


def upgrade() -> None:
    op.add_column("accounts", sa.Column("first_steps_left_at", MOMENT))
    for column in IN_LINE:
        op.add_column("waitlist", column)
    for name, (columns, where) in INDEXES.items():
        op.create_index(name, "waitlist", columns, postgresql_where=where)
    op.create_unique_constraint("waitlist_code_key", "waitlist", ["code"])
    op.create_foreign_key(
        "waitlist_referred_by_fkey",
        "waitlist",
        "waitlist",
        ["referred_by"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_check_constraint(
        "only_the_confirmed_stand_in_line",
        "waitlist",
        "(confirmed_at is null) = (stands_at is null)",
    )
    op.create_check_constraint("referrals_are_counted", "waitlist", "referrals >= 0")


def downgrade() -> None:
    op.drop_constraint("referrals_are_counted", "waitlist")
    op.drop_constraint("only_the_confirmed_stand_in_line", "waitlist")
    for column in reversed(IN_LINE):
        op.drop_column("waitlist", column.name)
    op.drop_column("accounts", "first_steps_left_at")
