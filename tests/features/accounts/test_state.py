"""What the sign-in says of what led back to it."""

from typing import Any

import pytest
from reflex.istate.data import RouterData

from rewards_app.api.session import AWAY, LATE
from rewards_app.core.errors import StorageAway
from rewards_app.core.state import AppState
from rewards_app.features.accounts.rules import ProviderRefused, StepExpired
from rewards_app.features.accounts.state import AuthState
from tests.states import calls

REFUSED = "/auth?mode=login&notice=provider_refused"


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (AWAY, StorageAway().text_key),
        (LATE, StepExpired().text_key),
        (REFUSED, ProviderRefused().text_key),
        ("/auth?mode=login&notice=anything", ""),
    ],
)
async def test_the_form_is_there_and_says_why(page: Any, address: str, text: str):
    page.router = RouterData.from_router_data({"asPath": address, "pathname": "/auth"})
    shown = await page.get_state(AuthState)
    await calls(AuthState.open, shown)
    assert shown.mode == "login"
    assert shown.notice.get("text", "") == text
    assert not (await page.get_state(AppState)).page_fails
