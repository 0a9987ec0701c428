"""The words of the audit log can be erased without breaking its chain"""

import hashlib
import json
import secrets
from datetime import UTC

import sqlalchemy as sa

from alembic import op

revision = "5c1f0e7a9d34"
down_revision = "9b049d578242"
branch_labels = None
depends_on = None

FIRST = "0" * 64
AT_ONCE = 1000
ROWS = """
select number, created_at, origin, actor_id, actor_name, action, about, label, before, after,
    reason, hash
from audit_entries where number > :after order by number limit :at_once
"""
KEEP = """
update audit_entries set salt = :salt, digest = :digest, hash = :hash where number = :number
"""
KEEP_OF_BEFORE = "update audit_entries set hash = :hash where number = :number"
TRIGGERS = ("audit_entries_are_append_only", "audit_entries_are_never_emptied")
ONLY_ERASING = """
create or replace function refuse_change_of_audit_entries() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        if old.erased_at is null and new.erased_at is not null
            and (new.number, new.created_at, new.origin, new.action, new.about, new.digest,
                new.hash) = (old.number, old.created_at, old.origin, old.action, old.about,
                old.digest, old.hash)
            and new.actor_id is not distinct from old.actor_id
            and new.actor_name = '' and new.label = '' and new.reason = '' and new.salt = ''
            and new.before = '{}'::jsonb and new.after = '{}'::jsonb
        then
            return new;
        end if;
    end if;
    raise exception 'audit_entries is append-only';
end
$$
"""
NOTHING = """
create or replace function refuse_change_of_audit_entries() returns trigger language plpgsql as $$
begin
    raise exception 'audit_entries is append-only';
end
$$
"""


def upgrade() -> None:
    op.add_column(
        "audit_entries",
        sa.Column("salt", sa.String(length=32), nullable=False, server_default=""),
    )
    op.add_column(
        "audit_entries",
        sa.Column("digest", sa.String(length=64), nullable=False, server_default=""),
    )
    op.add_column(
        "audit_entries", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True)
    )
    _turn_triggers("disable")
    _chain_anew()
    _turn_triggers("enable")
    for name in ("salt", "digest"):
        op.alter_column("audit_entries", name, server_default=None)
    op.execute(ONLY_ERASING)


def downgrade() -> None:
    """What is erased stays so: its words of then are unknown, its line is chained as it is."""
    op.execute(NOTHING)
    _turn_triggers("disable")
    _chain_as_before()
    _turn_triggers("enable")
    for name in ("erased_at", "digest", "salt"):
        op.drop_column("audit_entries", name)


def _turn_triggers(how: str) -> None:
    for name in TRIGGERS:
        op.execute(f"alter table audit_entries {how} trigger {name}")


def _chain_anew() -> None:
    """A line that did not follow before does not follow now: it keeps its hash of before."""
    was, head, number = FIRST, FIRST, 0
    is_whole = True
    for row in _lines():
        is_whole = is_whole and row.number == number + 1 and row.hash == _hash_of_before(was, row)
        salt = secrets.token_hex(16)
        digest = _hashed([salt, row.actor_name, row.label, row.before, row.after, row.reason])
        chained = _hash_of_now(head, row, digest) if is_whole else row.hash
        op.get_bind().execute(
            sa.text(KEEP),
            {"salt": salt, "digest": digest, "hash": chained, "number": row.number},
        )
        was, head, number = row.hash, chained, row.number


def _chain_as_before() -> None:
    head = FIRST
    for row in _lines():
        head = _hash_of_before(head, row)
        op.get_bind().execute(sa.text(KEEP_OF_BEFORE), {"hash": head, "number": row.number})


def _lines():
    after = 0
    while True:
        found = op.get_bind().execute(sa.text(ROWS), {"after": after, "at_once": AT_ONCE}).all()
        yield from found
        if len(found) < AT_ONCE:
            return
        after = found[-1].number


def _hash_of_before(previous, row) -> str:
    return _hashed(
        [
            *(previous, row.number, _written(row.created_at), row.origin, str(row.actor_id or "")),
            *(row.actor_name, row.action, row.about, row.label, row.before, row.after),
            row.reason,
        ]
    )


def _hash_of_now(previous, row, digest) -> str:
    return _hashed(
        [
            *(previous, row.number, _written(row.created_at), row.origin, str(row.actor_id or "")),
            *(row.action, row.about, digest),
        ]
    )


def _written(moment) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _hashed(fields) -> str:
    said = json.dumps(fields, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
