"""Profiles can be reported and decided on: who said what of them, what is hidden, and since when
they say what they say"""

import sqlalchemy as sa

from alembic import op

revision = "a4c7e91b30f6"
down_revision = "d27b94e1c6f8"
branch_labels = None
depends_on = None

RULES = {
    "forum_reports": "report_is_of_one_thing",
    "forum_decisions": "decision_is_about_one_thing",
}
MOMENTS = (("profiles", "said_at"), ("profiles", "hidden_at"), ("user_games", "hidden_at"))
ONE = "one_report_a_profile"
DECISIONS = "ix_forum_decisions_profile_id"
OF_A_PROFILE = "profile_id is not null"


def upgrade() -> None:
    for table, column in MOMENTS:
        op.add_column(table, sa.Column(column, sa.DateTime(timezone=True)))
    for table, rule in RULES.items():
        op.add_column(
            table,
            sa.Column("profile_id", sa.Uuid(), sa.ForeignKey("accounts.id", ondelete="CASCADE")),
        )
        op.drop_constraint(rule, table, type_="check")
        op.create_check_constraint(rule, table, "num_nonnulls(post_id, reply_id, profile_id) = 1")
    op.create_index(
        ONE,
        "forum_reports",
        ["profile_id", "account_id"],
        unique=True,
        postgresql_where=OF_A_PROFILE,
    )
    op.create_index(DECISIONS, "forum_decisions", ["profile_id"], postgresql_where=OF_A_PROFILE)


def downgrade() -> None:
    op.drop_index(DECISIONS, table_name="forum_decisions")
    op.drop_index(ONE, table_name="forum_reports")
    for table, rule in RULES.items():
        op.execute(sa.delete(sa.table(table, sa.column("profile_id"))).where(sa.text(OF_A_PROFILE)))
        op.drop_constraint(rule, table, type_="check")
        op.create_check_constraint(rule, table, "num_nonnulls(post_id, reply_id) = 1")
        op.drop_column(table, "profile_id")
    for table, column in reversed(MOMENTS):
        op.drop_column(table, column)
