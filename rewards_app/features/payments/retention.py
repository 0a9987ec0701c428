"""How long checkouts of the sandbox are kept: no money was in them, and payments stay."""

from datetime import datetime
from typing import LiteralString

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget

TEST_CHECKOUTS: LiteralString = """
with old as (
    delete from test_checkouts where id in (
        select id from test_checkouts where status <> 'open' and expires_at < %(before)s
        limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_test_checkouts(*, now: datetime) -> int:
    return await forget(TEST_CHECKOUTS, before=now - ACTIVITY_IS_KEPT)
