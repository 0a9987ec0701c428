"""How long checkouts of the sandbox are kept that nobody paid at; the others may be paid back."""

from datetime import datetime

from rewards_app.core.forgetting import ACTIVITY_IS_KEPT, forget, rows_of

TEST_CHECKOUTS = rows_of("test_checkouts", "id", "status = 'expired' and expires_at < %(before)s")


async def forget_test_checkouts(*, now: datetime) -> int:
    return await forget(TEST_CHECKOUTS, before=now - ACTIVITY_IS_KEPT)
