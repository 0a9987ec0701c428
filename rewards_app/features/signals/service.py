"""Noting what looked wrong, in the transaction in which it happened."""

import hashlib
import hmac
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.features.signals import repository, rules
from rewards_app.features.signals.rules import Rule
from rewards_app.models import FraudSignal

_log = structlog.get_logger(__name__)


async def note(
    session: AsyncSession, account_id: UUID, rule: Rule, *, now: datetime, **evidence: Any
) -> int:
    """Keep one signal; the account's risk with it."""
    known = await repository.rules_since(session, account_id, now - rules.COUNTS_FOR)
    risk = rules.risk_of([*known, rule])
    repository.add(
        session,
        FraudSignal(
            account_id=account_id,
            rule=rule.value,
            risk_score=risk,
            evidence=evidence,
            created_at=now,
        ),
    )
    _log.warning("signal", rule=rule.value, account_id=str(account_id), risk=risk)
    return risk


async def note_device(
    session: AsyncSession, account_id: UUID, device_hash: str, *, now: datetime
) -> None:
    """Remember the device, and signal once a day when too many accounts are used on it."""
    if not device_hash:
        return
    await repository.note_device(session, device_hash, account_id, now=now)
    since = now - rules.DEVICE_REMEMBERED_FOR
    accounts = await repository.accounts_on(session, device_hash, since)
    if not rules.is_shared(accounts):
        return
    known = await repository.rules_since(session, account_id, now - rules.COUNTS_FOR)
    if Rule.SHARED_DEVICE not in known:
        await note(session, account_id, Rule.SHARED_DEVICE, now=now, accounts=accounts)


def device_hash(fingerprint: str) -> str:
    """What is kept of a device's fingerprint: nobody can guess the browser from it."""
    if not fingerprint:
        return ""
    key = hashlib.sha256(b"devices" + settings().secret.encode()).digest()
    return hmac.new(key, fingerprint.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
