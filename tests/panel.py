"""The admin's panel as it stands open in a tab."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from reflex.state import State

from rewards_app.core import live
from rewards_app.features.admin.pages import PAGES
from rewards_app.features.admin.state import PATH
from tests.states import calls


@asynccontextmanager
async def followed(page: Any) -> AsyncGenerator[None]:
    """What is announced meanwhile runs what the panel follows it with, once, as in its tabs."""
    [panel] = (one for one in PAGES if one.path == PATH)
    live._waiting.clear()
    yield
    topics = {topic for topic, _ in live._waiting}
    for handler in dict.fromkeys(one for topic in topics for one in panel.follows.get(topic, ())):
        state = await page.get_state(State.get_class_substate(handler.state_full_name))
        await calls(handler, state)
