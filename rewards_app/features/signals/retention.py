"""How long is kept what was noticed, and on which devices: older is forgotten at night.

The days' sums of signals name nobody, and stay.
"""

from datetime import datetime
from typing import LiteralString

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget

SIGNALS: LiteralString = """
with old as (
    delete from fraud_signals where id in (
        select id from fraud_signals where created_at < %(before)s
        order by created_at limit %(limit)s
    ) returning 1
)
select count(*) from old
"""
DEVICES: LiteralString = """
with old as (
    delete from device_uses where (device_hash, account_id) in (
        select device_hash, account_id from device_uses where last_seen_at < %(before)s
        order by last_seen_at limit %(limit)s
    ) returning 1
)
select count(*) from old
"""


async def forget_old(*, now: datetime) -> dict[str, int]:
    before = now - ACTIVITY_IS_KEPT
    return {
        "signals": await forget(SIGNALS, before=before),
        "devices": await forget(DEVICES, before=before),
    }
