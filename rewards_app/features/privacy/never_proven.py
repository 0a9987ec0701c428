"""Forgetting accounts whose address was never proven: whoever owns it may know of none.

Nobody was ever in them, so they go whole; whom others call by their handle they never were. What
the address itself has stays: it is its owner's.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, LiteralString, cast
from uuid import UUID

import structlog

from rewards_app.core import jobs, live
from rewards_app.core.database import AsyncSession, rows, transaction, write
from rewards_app.features.accounts import retention, sessions
from rewards_app.features.audit import erasing as audit_words
from rewards_app.features.privacy import erasing_repository as repository
from rewards_app.features.privacy import one_by_one
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import HOLDINGS

_log = structlog.get_logger(__name__)

LINKS_DELAY_IT = timedelta(days=7)
"""At most: whoever signed up with somebody else's address may ask for a new one each day."""
LEFT_BY_SIGNING_UP = frozenset({"accounts", "account_handles", "email_links", "legal_readings"})
WRITTEN_BY_OTHERS = frozenset(
    {"account_restrictions", "audit_entries", "notifications", "security_alerts"}
)
"""Whoever guesses its password, calls its handle, or suspends it, keeps no account with that."""
OF_THE_ADDRESS = frozenset({"advertiser_invitations", "waitlist"})
STANDS_ALONE = LEFT_BY_SIGNING_UP | WRITTEN_BY_OTHERS | OF_THE_ADDRESS

# As they sign up: the command line may have given another role to an address that it trusts.
_NEVER_PROVEN: LiteralString = """
account.email_verified_at is null and account.closed_at is null
    and account.role in ('player', 'company') and account.created_at < %(before)s
    and (account.created_at < %(latest)s or not exists (
        select from email_links link where link.account_id = account.id
            and link.used_at is null and link.expires_at > %(now)s))
"""
FOUND: LiteralString = f"select id from accounts account where {_NEVER_PROVEN} order by id"  # noqa: S608  (all parts are ours)
IS_IT: LiteralString = f"""
select 1 from accounts account where account.id = %(account)s and {_NEVER_PROVEN}
"""  # noqa: S608


async def forget(*, now: datetime) -> jobs.Counts:
    """Each in a transaction of its own; one that something else is held on stays."""
    async with transaction() as session:
        found = await rows(session, FOUND, _values(now))
    account_ids = [account_id for (account_id,) in found]
    return await one_by_one.forgotten(account_ids, partial(_forget, now=now))


async def _forget(account_id: UUID, *, now: datetime) -> bool:
    async with transaction() as session:
        if not await _is_due(session, account_id, now=now):
            return False
        if await _is_needed(session, account_id):
            return False
        alerts = await rows(session, ALERTS, {"account": account_id})
        abouts = [f"account:{account_id}", *(f"alert:{row[0]}" for row in alerts)]
        await audit_words.erase_about(session, abouts, now=now)
        await repository.forget_alerts(session, account_id, abouts, ())
        await write(session, DELETE, {"account": account_id})
        await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    _log.info("account.never_proven", account_id=str(account_id))
    return True


ALERTS: LiteralString = "select id from security_alerts where account_id = %(account)s order by id"
DELETE: LiteralString = "delete from accounts where id = %(account)s returning id"


async def _is_due(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """It is locked; not where it was proven meanwhile, or may be by a link that still opens."""
    # Waiting for it before looking, what is seen is true: nobody mails it a link now.
    query: LiteralString = "select from accounts where id = %(account)s for update"
    await rows(session, query, {"account": account_id})
    return bool(await rows(session, IS_IT, _values(now) | {"account": account_id}))


def _values(now: datetime) -> dict[str, Any]:
    before = now - retention.NEVER_PROVEN
    return {"before": before, "latest": before - LINKS_DELAY_IT, "now": now}


def _any_of(holdings: Iterable[Holding]) -> LiteralString:
    """Whether anything is held there."""
    # All parts are ours: the holdings are written by hand.
    each = [f"exists (select from {one.table} t where {one.whose})" for one in holdings]
    return cast("LiteralString", f"select {' or '.join(each)}")


IS_NEEDED = _any_of(one for one in HOLDINGS if one.whose and one.table not in STANDS_ALONE)


async def _is_needed(session: AsyncSession, account_id: UUID) -> bool:
    """Whether anything is held on it that signing up does not leave: then somebody was in it."""
    return bool((await rows(session, IS_NEEDED, {"account": account_id}))[0][0])
