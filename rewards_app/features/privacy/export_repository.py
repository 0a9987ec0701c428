"""Exports as they are kept: who asked, how far they are, and the sealed pieces."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, rows, run, write
from rewards_app.features.privacy.export_rules import Status
from rewards_app.models import Account, DataExport

# A failed one took nothing from anybody.
ASKED_SINCE: LiteralString = """
select count(*) from data_exports
where account_id = %(account)s and created_at > %(since)s and status <> 'failed'
"""
REPLACED: LiteralString = """
update data_exports set status = 'expired' where account_id = %(account)s and status = 'ready'
"""
READY: LiteralString = """
update data_exports
set status = 'ready', token_hash = %(token)s, ready_at = %(now)s, expires_at = %(expires)s
where id = %(id)s and status = 'running' and size > 0
returning account_id
"""
TAKEN: LiteralString = """
update data_exports set status = 'taken', taken_at = %(now)s
where id = %(id)s and status = 'ready' returning account_id
"""
FAILED: LiteralString = """
update data_exports set status = 'failed'
where status = 'running' and heard_at < %(silent)s
    or status = 'waiting' and created_at < %(waiting)s
returning account_id
"""
EXPIRED: LiteralString = """
update data_exports set status = 'expired'
where status = 'ready' and expires_at <= %(now)s returning account_id
"""
USELESS_PIECES: LiteralString = """
with gone as (
    delete from data_export_parts
    where export_id in (select id from data_exports where status not in ('running', 'ready'))
    returning 1
)
select count(*) from gone
"""
FORGOTTEN: LiteralString = """
with gone as (
    delete from data_exports
    where created_at < %(before)s and status not in ('waiting', 'running', 'ready') returning 1
)
select count(*) from gone
"""


async def begin(session: AsyncSession, export: DataExport) -> bool:
    """Whether it may be made: one at a time for each person."""
    row = insert(DataExport).values(**export.model_dump())
    made = await run(session, row.on_conflict_do_nothing().returning(col(DataExport.id)))
    return made.first() is not None


async def asked_since(session: AsyncSession, account_id: UUID, since: datetime) -> int:
    return (await write(session, ASKED_SINCE, {"account": account_id, "since": since}))[0]


async def give_up_older(session: AsyncSession, account_id: UUID) -> None:
    """A new copy replaces one that was not fetched."""
    query = f"{REPLACED} returning id"
    for (export_id,) in await rows(session, query, {"account": account_id}):
        await delete_pieces(session, export_id)


async def newest(session: AsyncSession, account_id: UUID) -> DataExport | None:
    query = (
        select(DataExport)
        .where(DataExport.account_id == account_id)
        .order_by(col(DataExport.id).desc())
        .limit(1)
        .execution_options(populate_existing=True)
    )
    return (await session.exec(query)).first()


async def by_token(
    session: AsyncSession, account_id: UUID, token_hash: str, *, now: datetime
) -> DataExport | None:
    """What can be fetched by it, by this person alone."""
    query = select(DataExport).where(
        DataExport.account_id == account_id,
        DataExport.token_hash == token_hash,
        DataExport.status == Status.READY.value,
        col(DataExport.expires_at) > now,
    )
    return (await session.exec(query)).first()


async def is_locked(session: AsyncSession, name: str) -> bool:
    """Whether somebody holds the lock of this name now."""
    query: LiteralString = "select pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))"
    return not (await write(session, query, {"name": name}))[0]


async def account_of(session: AsyncSession, export_id: UUID) -> Account | None:
    query = select(Account).join(DataExport).where(DataExport.id == export_id)
    return (await session.exec(query)).first()


async def make_ready(session: AsyncSession, export_id: UUID, **values: Any) -> UUID | None:
    found = await write(session, READY, {"id": export_id, **values})
    return found and found[0]


async def note_taken(session: AsyncSession, export_id: UUID, *, now: datetime) -> UUID | None:
    found = await write(session, TAKEN, {"id": export_id, "now": now})
    await delete_pieces(session, export_id)
    return found and found[0]


async def delete_pieces(session: AsyncSession, export_id: UUID) -> None:
    query: LiteralString = "delete from data_export_parts where export_id = %(id)s returning 1"
    await rows(session, query, {"id": export_id})


async def give_up_silent(
    session: AsyncSession, *, silent: datetime, waiting: datetime
) -> Sequence[UUID]:
    found = await rows(session, FAILED, {"silent": silent, "waiting": waiting})
    return [account_id for (account_id,) in found]


async def expire(session: AsyncSession, *, now: datetime) -> Sequence[UUID]:
    return [account_id for (account_id,) in await rows(session, EXPIRED, {"now": now})]


async def delete_useless_pieces(session: AsyncSession) -> int:
    return (await write(session, USELESS_PIECES, {}))[0]


async def forget(session: AsyncSession, *, before: datetime) -> int:
    return (await write(session, FORGOTTEN, {"before": before}))[0]
