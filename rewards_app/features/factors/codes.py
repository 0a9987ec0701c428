"""Backup codes: how they are kept, and which of an account's one was typed."""

import hmac
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from rewards_app.core import hashing
from rewards_app.core.database import AsyncSession
from rewards_app.core.sealed import fingerprints
from rewards_app.features.factors import repository, rules
from rewards_app.models import BackupCode


async def made(session: AsyncSession, account_id: UUID, *, now: datetime) -> list[str]:
    """Ten new ones, in place of those that there were."""
    await repository.remove_codes(session, account_id)
    codes = rules.made_codes()
    session.add_all(
        BackupCode(account_id=account_id, code_hash=kept, created_at=now)
        for kept in await hashing.hashed_alike([_own(account_id, code) for code in codes])
    )
    await session.flush()
    return codes


async def use(session: AsyncSession, account_id: UUID, typed: str, *, now: datetime) -> bool:
    """Whether it is one of this account's that nobody has used; it is used from now on.

    What has another shape than a code is none, which tells nothing: whoever typed it knows.
    """
    if not rules.looks_like_backup_code(typed):
        return False
    unused = await repository.unused_codes(session, account_id)
    slow = await _hashed(account_id, typed, [kept for _, kept in unused])
    known = [slow, *fingerprints(f"backup code:{account_id}:{typed}")]
    """The second kind is of codes that were made before hashes of codes were slow."""
    found = [code_id for code_id, kept in unused if _is_one_of(kept, known)]
    return bool(found) and await repository.use_code(session, found[0], now=now)


async def _hashed(account_id: UUID, typed: str, kept: Sequence[str]) -> str:
    made_alike = [one for one in kept if one.startswith("$")]
    return await hashing.hashed_like(_own(account_id, typed), made_alike[0] if made_alike else None)


def _own(account_id: UUID, code: str) -> str:
    """One account's row is worth nothing for another."""
    return f"{account_id}:{code}"


def _is_one_of(kept: str, known: Sequence[str]) -> bool:
    return any(hmac.compare_digest(kept.encode(), one.encode()) for one in known)
