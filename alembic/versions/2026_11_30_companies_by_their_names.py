"""Companies are found by what their name or their address begins with"""

import sqlalchemy as sa

from alembic import op

revision = "c5e83f17a2d9"
down_revision = "a4d17c93e6b2"
branch_labels = None
depends_on = None

BEGINS = {
    "ix_advertisers_email_begins": "lower(email) text_pattern_ops",
    "ix_advertisers_name_begins": "lower(company_name) text_pattern_ops",
}


def upgrade() -> None:
    for name, words in BEGINS.items():
        op.create_index(name, "advertisers", [sa.text(words)])


def downgrade() -> None:
    for name in BEGINS:
        op.drop_index(name, table_name="advertisers")
