"""How long is kept what was noticed, and on which devices: older is forgotten at night.

The days' sums of signals name nobody, and stay.
"""

from datetime import datetime

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of

SIGNALS = rows_of("fraud_signals", "id", "created_at < %(before)s order by created_at")
DEVICES = rows_of(
    "device_uses",
    "device_hash, account_id",
    "last_seen_at < %(before)s order by last_seen_at",
)


async def forget_old(*, now: datetime) -> dict[str, int]:
    before = now - ACTIVITY_IS_KEPT
    return {
        "signals": await forget(SIGNALS, before=before),
        "devices": await forget(DEVICES, before=before),
    }
