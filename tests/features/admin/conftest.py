"""Who sits at the admin panel, and a tab of theirs."""

from collections.abc import AsyncIterator

import pytest

from rewards_app.core.actor import Actor
from tests.review import an_admin
from tests.states import acting


@pytest.fixture
async def admin(database: str) -> AsyncIterator[Actor]:
    """Every handler of the test is called by her."""
    with acting(await an_admin()) as actor:
        yield actor
