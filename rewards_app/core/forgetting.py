"""Forgetting what is kept for a time only: in batches, so that nobody waits for a lock for long."""

from datetime import timedelta
from typing import Any, LiteralString

from rewards_app.core.database import transaction, write

ACTIVITY_IS_KEPT = timedelta(days=365)
"""Twelve months: who was signed in where, what was noticed of whom."""
AT_ONCE = 10_000


def rows_of(table: LiteralString, key: LiteralString, where: LiteralString) -> LiteralString:
    """What `forget` is asked to: delete the rows that `where` tells, each found by its `key`."""
    return f"""
with old as (
    delete from {table} where ({key}) in (select {key} from {table} where {where} limit %(limit)s)
    returning 1
)
select count(*) from old
"""  # noqa: S608  (all parts are ours)


async def forget(query: LiteralString, **values: Any) -> int:
    """How many rows went. `query` takes at most %(limit)s rows and returns how many it took.

    Each batch is a transaction of its own: a job that is stopped goes on where it was.
    """
    forgotten = 0
    while True:
        async with transaction() as session:
            taken: int = (await write(session, query, values | {"limit": AT_ONCE}))[0]
        forgotten += taken
        if taken < AT_ONCE:
            return forgotten
