"""A ticket knows since when it waits: whoever adds a word to it keeps their place"""

import sqlalchemy as sa

from alembic import op

revision = "f6b81d27e4a9"
down_revision = "d3a96b1f7c58"
branch_labels = None
depends_on = None

INDEX = "ix_support_tickets_status_waits_since"
SINCE_THE_LAST_ANSWER = """
update support_tickets ticket set waits_since = coalesce((
    select said.created_at from support_messages said
    where said.ticket_id = ticket.id and not said.is_answer and said.id > (
        select answer.id from support_messages answer
        where answer.ticket_id = ticket.id and answer.is_answer order by answer.id desc limit 1
    )
    order by said.id limit 1
), ticket.created_at)
"""


def upgrade() -> None:
    # What workers of the version before ask meanwhile waits since it was asked.
    op.add_column(
        "support_tickets",
        sa.Column(
            "waits_since",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default=sa.text("now()"),
        ),
    )
    op.execute(SINCE_THE_LAST_ANSWER)
    op.create_index(INDEX, "support_tickets", ["status", "waits_since"])


def downgrade() -> None:
    op.drop_index(INDEX, table_name="support_tickets")
    op.drop_column("support_tickets", "waits_since")
