"""What the admin's page says of wishes to sign in without a lost second factor."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from rewards_app.core.database import transaction
from rewards_app.features.admin.resets_state import ResetsState
from rewards_app.features.factors import resets
from rewards_app.features.factors.rules import TIME_TO_STOP
from tests.people import NOON, an_account
from tests.states import calls


@pytest.mark.usefixtures("admin")
@pytest.mark.parametrize(("days", "moment"), [(0, timedelta(hours=72)), (9, TIME_TO_STOP)])
async def test_one_says_when_it_would_be_done_if_it_were_granted_now(
    page: Any, days: int, moment: timedelta
):
    maja = await an_account()
    async with transaction() as session:
        await resets.ask(session, maja.id, now=NOON)
    state = await page.get_state(ResetsState)
    with time_machine.travel(NOON + timedelta(days=days), tick=False):
        await calls(ResetsState.load, state)
    (row,) = state.waiting
    assert datetime.fromisoformat(row["ready_at"]) == NOON + timedelta(days=days) + moment
