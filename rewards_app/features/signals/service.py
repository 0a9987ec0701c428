"""Noting what looked wrong, in the transaction in which it happened."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core import jobs, live
from rewards_app.core.database import AsyncSession, at_the_end
from rewards_app.core.settings import settings
from rewards_app.features.signals import policy, repository, rules
from rewards_app.features.signals.repository import counted_at, counts_at
from rewards_app.features.signals.rules import Rule
from rewards_app.models import FraudSignal

__all__ = ["counted_at", "counts_at"]

_log = structlog.get_logger(__name__)

NOTED = "fraud_noted"
"""Announced with the account's id."""
JUDGE = "fraud.judge_from"
"""The job that asks what follows from a signal and those after it; its argument is its id."""


async def note(
    session: AsyncSession, account_id: UUID, rule: Rule, *, now: datetime, **evidence: Any
) -> int:
    """Keep one signal; the account's risk with it. From a high risk on a job judges it.

    Of what comes without an end the first ones are kept, until those count no more.
    """
    await repository.wait_for_others(session, account_id)
    counted = await counted_at(session, account_id, now)
    weights = await policy.current(session)
    if await _are_enough(session, account_id, rule, counted, now - rules.COUNTS_FOR):
        return rules.risk_of_counts(counted, weights)
    counted[rule] = counted.get(rule, 0) + 1
    risk = rules.risk_of_counts(counted, weights)
    signal = FraudSignal(
        account_id=account_id,
        rule=rule.value,
        risk_score=risk,
        patterns=sorted(name.value for name in counted),
        evidence=evidence,
        created_at=now,
    )
    repository.add(session, signal)
    at_the_end(session, lambda: repository.count(session, signal))
    if risk >= rules.HIGH_RISK:
        await _judge_soon(session, signal)
    has_changed(session, account_id)
    _log.warning("signal", rule=rule.value, account_id=str(account_id), risk=risk)
    return risk


async def _judge_soon(session: AsyncSession, signal: FraudSignal) -> None:
    """By the job that waits already, if there is one: that judges what comes until it begins."""
    waiting = await repository.hold_waiting(session, signal.account_id, JUDGE)
    if waiting is None:
        await jobs.later(session, JUDGE, signal=str(signal.id))
    else:
        await jobs.tell_again(session, waiting)


async def _are_enough(
    session: AsyncSession,
    account_id: UUID,
    rule: Rule,
    counted: Mapping[Rule, int],
    since: datetime,
) -> bool:
    """What was forgiven decides nothing any more, so it keeps nothing new from being noted."""
    if counted.get(rule, 0) < rules.ENOUGH_OF_A_RULE:
        return False
    anew = await repository.counted_since_lifted(session, account_id, rule, since)
    return anew >= rules.ENOUGH_OF_A_RULE


async def note_once(
    session: AsyncSession, account_id: UUID, rule: Rule, view_id: UUID, *, now: datetime
) -> None:
    """Keep one signal of a view, however often it is noticed. The view is locked meanwhile."""
    since, view = now - rules.COUNTS_FOR, str(view_id)
    if not await repository.has_noted(session, account_id, rule, view, since):
        await note(session, account_id, rule, now=now, view=view)


def has_changed(session: AsyncSession, account_id: UUID) -> None:
    """Something came of what was noted: whoever looks at it sees that, too."""
    live.announce_after(session, NOTED, str(account_id))


async def note_device(
    session: AsyncSession, account_id: UUID, device_hash: str, *, now: datetime
) -> None:
    """Remember the device, and signal once a day when too many accounts are used on it."""
    if not device_hash:
        return
    await repository.note_device(session, device_hash, account_id, now=now)
    since = now - rules.DEVICE_REMEMBERED_FOR
    most = rules.ACCOUNTS_A_DEVICE
    if not await repository.are_more_than(session, most, device_hash, since):
        return
    counted = await counted_at(session, account_id, now)
    if Rule.SHARED_DEVICE in counted:
        return
    most = rules.ACCOUNTS_A_MODEL + 1
    accounts = await repository.accounts_on(session, device_hash, since, most=most)
    if rules.is_shared(accounts):
        await note(session, account_id, Rule.SHARED_DEVICE, now=now, accounts=accounts)


def device_hash(fingerprint: str) -> str:
    """What is kept of a device's fingerprint: nobody can guess the browser from it."""
    if not fingerprint:
        return ""
    key = hashlib.sha256(b"devices" + settings().secret.encode()).digest()
    return hmac.new(key, fingerprint.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
