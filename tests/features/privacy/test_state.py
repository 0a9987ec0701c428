"""What the page of somebody's copy says where it cannot see how it stands."""

from typing import Any

import pytest

from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DoneNotShown, StorageAway
from rewards_app.features.accounts import sessions
from rewards_app.features.privacy import export_repository, exports
from rewards_app.features.privacy.state import ExportState
from tests.people import PASSWORD, a_browser, an_account, signed_in
from tests.states import acting, calls, failing


@pytest.mark.usefixtures("database")
async def test_what_was_asked_is_never_told_as_failed_where_it_cannot_be_read(
    page: Any, monkeypatch: pytest.MonkeyPatch
):
    now = utc_now()
    account = await an_account(now=now)
    maja = await sessions.find_actor(
        digest(await signed_in(account.id, a_browser(), now=now)), now=now
    )
    assert maja
    shown = await page.get_state(ExportState)
    monkeypatch.setattr(exports, "newest", failing(StorageAway))
    with acting(maja):
        await calls(ExportState.ask, shown, form={"password": PASSWORD})
    assert (shown.notice["title"], shown.is_busy) == (DoneNotShown.title, False)
    async with transaction() as session:
        assert await export_repository.newest(session, maja.user_id)
