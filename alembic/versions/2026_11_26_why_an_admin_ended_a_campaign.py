"""Why an admin ended a campaign; an application of who was erased waits for nobody"""

import sqlalchemy as sa

from alembic import op

revision = "b7e4c19a5d03"
down_revision = "5d8a1f6e20b7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Workers of the version before end campaigns meanwhile, and say nothing of it.
    op.add_column(
        "ad_campaigns",
        sa.Column("ended_because", sa.String(length=500), nullable=False, server_default=""),
    )
    # They stood in the queue of admins, without a name and without anybody to answer.
    op.execute(
        "update advertisers company set status = 'rejected'"
        " where status = 'pending' and account_id is null and not exists (select from"
        " advertiser_members member where member.advertiser_id = company.id)"
    )


def downgrade() -> None:
    op.drop_column("ad_campaigns", "ended_because")
