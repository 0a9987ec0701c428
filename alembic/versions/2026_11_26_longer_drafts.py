"""Drafts keep more than can be posted: what is too long waits to be shortened"""

import sqlalchemy as sa

from alembic import op

revision = "8e41c7a3d9f2"
down_revision = "b7e4c19a5d03"
branch_labels = None
depends_on = None

KEPT_BEFORE = {"title": 120, "content": 5000}


def upgrade() -> None:
    # Wider columns are no rewrite of the table; workers of the version before fill less of them.
    for column in KEPT_BEFORE:
        op.alter_column("forum_drafts", column, type_=sa.String(length=10_000))


def downgrade() -> None:
    for column, length in KEPT_BEFORE.items():
        op.alter_column(
            "forum_drafts",
            column,
            type_=sa.String(length=length),
            postgresql_using=f"left({column}, {length})",
        )
