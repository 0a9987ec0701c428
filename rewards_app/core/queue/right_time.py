"""Whether this machine's clock goes with the database's, by which all the others are set.

A worker that is a day ahead would forget people a day early and end what still runs: it leaves the
work by the clock to the others. It serves on, so that nobody is turned away for our fault; an ad
that was started at another worker is paid sooner or later by as much as their clocks are apart.
"""

import asyncio
from datetime import timedelta

import psycopg
import structlog

from rewards_app.core.clock import utc_now
from rewards_app.core.database import lookup
from rewards_app.core.errors import DomainError

_log = structlog.get_logger(__name__)

LOOK_EVERY_SECONDS = 15.0
MOST_APART = timedelta(minutes=5)
"""The doctor complains long before: for less than this no letter has to wait."""


async def until_it_is() -> None:
    await _until(True)


async def until_it_is_not() -> None:
    await _until(False)


async def _until(wanted: bool) -> None:
    while True:
        if await is_it() is wanted:
            return
        await asyncio.sleep(LOOK_EVERY_SECONDS)


async def is_it() -> bool:
    """Who cannot tell believes its own clock."""
    apart = await ahead()
    if apart is None or abs(apart) <= MOST_APART:
        return True
    _log.error("right_time.wrong", seconds_ahead=round(apart.total_seconds()))
    return False


async def ahead() -> timedelta | None:
    """How far this machine's clock is ahead of the database's; None: it does not answer."""
    before = utc_now()
    try:
        found = await lookup("select clock_timestamp()", ())
    except (DomainError, psycopg.Error) as failure:
        _log.warning("right_time.unknown", reason=type(failure).__name__)
        return None
    assert found
    return before + (utc_now() - before) / 2 - found[0]
