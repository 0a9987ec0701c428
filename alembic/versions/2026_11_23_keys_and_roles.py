"""Hashes of backup codes are slow ones, and sealed; who serves may hold the ledger for a moment"""

import sqlalchemy as sa

from alembic import op
from rewards_app.core.sealed import seal, unseal

revision = "e07d3b9c4a18"
down_revision = "a41c9e27b6d3"
branch_labels = None
depends_on = None

ROWS = "select id, code_hash from backup_codes where code_hash is not null"
KEEP = "update backup_codes set code_hash = :kept where id = :id"
AS_BEFORE = 64
# Whoever may change no line of a table may not lock it, either: its owner does it for them.
HOLD = """
create function hold_coin_entries() returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
    lock table public.coin_entries in share mode;
end
$$
"""


def upgrade() -> None:
    op.execute(HOLD)
    op.execute("revoke execute on function hold_coin_entries() from public")
    _seal_codes()


def downgrade() -> None:
    _unseal_codes()
    op.execute("drop function hold_coin_entries()")


def _seal_codes() -> None:
    """Codes that there are go on working: what is kept of them is sealed as it is."""
    op.drop_constraint("backup_codes_account_id_code_hash_key", "backup_codes")
    op.alter_column("backup_codes", "code_hash", type_=sa.String())
    op.create_index("ix_backup_codes_account_id", "backup_codes", ["account_id"])
    for row in op.get_bind().execute(sa.text(ROWS)).all():
        op.get_bind().execute(sa.text(KEEP), {"id": row.id, "kept": seal(row.code_hash)})


def _unseal_codes() -> None:
    """Codes that were made since then have no hash of the earlier kind: their owners make new."""
    for row in op.get_bind().execute(sa.text(ROWS)).all():
        kept = unseal(row.code_hash)
        if len(kept) == AS_BEFORE:
            op.get_bind().execute(sa.text(KEEP), {"id": row.id, "kept": kept})
        else:
            op.get_bind().execute(
                sa.text("delete from backup_codes where id = :id"), {"id": row.id}
            )
    op.drop_index("ix_backup_codes_account_id", "backup_codes")
    op.alter_column("backup_codes", "code_hash", type_=sa.String(length=64))
    op.create_unique_constraint(
        "backup_codes_account_id_code_hash_key", "backup_codes", ["account_id", "code_hash"]
    )
