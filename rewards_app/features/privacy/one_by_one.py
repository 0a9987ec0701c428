"""Accounts are forgotten one by one, each in a transaction of its own: none waits for another."""

from collections.abc import Awaitable, Callable, Iterable
from uuid import UUID

import structlog

from rewards_app.core import jobs

_log = structlog.get_logger(__name__)


async def forgotten(
    found: Iterable[UUID], forget: Callable[[UUID], Awaitable[bool]]
) -> jobs.Counts:
    """What could not be done is for the next time."""
    done = failed = 0
    for account_id in found:
        try:
            done += await forget(account_id)
        except Exception as failure:
            failed += 1
            _log.warning(
                "account.not_erased", account_id=str(account_id), error=type(failure).__name__
            )
    return {"erased": done, "postponed": failed}
