"""A sign-in that waits for one thing more, on the screen that asks for it."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import text

from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import run, transaction
from rewards_app.core.gate import current_caller
from rewards_app.features.accounts import rules, steps
from rewards_app.features.accounts.step_state import FACTOR, OVER, StepState
from rewards_app.models import Account
from tests.factors import an_app
from tests.people import a_browser, an_account
from tests.states import calls

BROWSER = a_browser()


@pytest.fixture(autouse=True)
def by_the_browser(database: str) -> Iterator[None]:
    limits.forget_everything()
    before = current_caller.set(BROWSER)
    yield
    current_caller.reset(before)


async def begins(page: Any, account: Account) -> StepState:
    async with transaction() as session:
        step = await steps.first(session, account, BROWSER, may_log_address=False, now=utc_now())
    assert isinstance(step, steps.Step)
    shown: StepState = await page.get_state(StepState)
    await shown._begin(step.token)
    return shown


async def takes_too_long() -> None:
    async with transaction() as session:
        await run(session, text("update sign_in_steps set expires_at = now()"))


@pytest.fixture
async def shown(page: Any) -> StepState:
    maja = await an_account()
    await an_app(maja.id)
    async with transaction() as session:
        account = await session.get(Account, maja.id)
    assert account
    return await begins(page, account)


class TestOneThatTookTooLong:
    @pytest.mark.parametrize(
        ("handler", "told"),
        [
            (StepState.answer_code, {"form": {"code": "123456"}}),
            (StepState.answer_passkey, {"answer": "{}"}),
            (StepState.look_again, {}),
            (StepState.ask_support, {}),
            (StepState.keep_account, {}),
        ],
        ids=["a code", "a passkey", "looking again", "asking support", "keeping the account"],
    )
    async def test_leads_to_a_new_one(self, shown: StepState, handler: Any, told: dict[str, Any]):
        assert shown.waits_for == FACTOR
        await takes_too_long()
        with suppress(rules.StepExpired):
            await calls(handler, shown, **told)
        assert (shown.waits_for, shown.is_busy) == (OVER, False)

    async def test_is_left_like_any_other(self, shown: StepState):
        await takes_too_long()
        (leads,) = await calls(StepState.leave, shown)
        assert shown.waits_for == ""
        assert "/landing" in str(leads)
