"""How long a view tells from which tab and device it came: what was paid for it stays."""

from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

from rewards_app.core import forgetting
from rewards_app.core.database import transaction, write
from rewards_app.core.ids import first_id_since

A_MONTH = timedelta(days=31)
EVERYTHING = UUID(int=0)

# Found along the ids, which follow time: views are too many to be looked through every night.
TRACES: LiteralString = """
with old as (
    update ad_views set tab_hash = '', device_hash = '', client_seconds = null where id in (
        select id from ad_views
        where id > %(after)s and id < %(last)s and status <> 'running'
            and started_at < %(before)s
            and (tab_hash <> '' or device_hash <> '' or client_seconds is not null)
        order by id limit %(limit)s
    ) returning id
)
select count(*), max(id::text)::uuid from old
"""


async def forget_traces(*, now: datetime) -> int:
    """Of the month that came of age last; on the first of a month, of all that is older."""
    before = now - forgetting.ACTIVITY_IS_KEPT
    after = EVERYTHING if now.day == 1 else first_id_since(before - A_MONTH)
    values = {"last": first_id_since(before), "before": before, "limit": forgetting.AT_ONCE}
    forgotten, taken = 0, forgetting.AT_ONCE
    # On from where the last batch ended: what was emptied before it is read once.
    while taken == forgetting.AT_ONCE:
        async with transaction() as session:
            taken, last = await write(session, TRACES, values | {"after": after})
        forgotten, after = forgotten + taken, last or after
    return forgotten
