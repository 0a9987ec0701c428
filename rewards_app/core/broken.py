"""What people are told when a handler of ours breaks."""

import asyncio
from typing import Any

import structlog
from redis.exceptions import RedisError
from reflex.event import EventSpec
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event.context import EventContext

from rewards_app.core.errors import DomainError, StorageAway
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState

_log = structlog.get_logger(__name__)


def on_broken_handler(exception: Exception) -> EventSpec | None:
    """Reflex's own answer would be a script for the page to evaluate."""
    if isinstance(exception, RedisError):
        _log.error("states.away", reason=type(exception).__name__)
        _say_without_state(StorageAway())
        return None
    _log.error("handler.broke", exc_info=exception)
    apologise: Any = AppState.apologise
    return apologise()


def _say_without_state(error: DomainError) -> None:
    """Tell a page whose state cannot be reached; nothing of it is kept."""
    told = {"id": str(new_id()), "style": "destructive", "title": error.title}
    values = {"notice": told | {"text": error.text_key, "params": {}}, "is_busy": False}
    delta = {f"{name}{FIELD_MARKER}": value for name, value in values.items()}
    telling = asyncio.ensure_future(
        EventContext.get().emit_delta({AppState.get_full_name(): delta})
    )
    _being_told.add(telling)
    telling.add_done_callback(_being_told.discard)


_being_told: set[asyncio.Future[None]] = set()
