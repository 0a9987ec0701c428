"""How one place tells what was refused there, what broke, and what was done but cannot be shown."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager

import structlog

from rewards_app.core.errors import DomainError, DoneNotShown

_log = structlog.get_logger(__name__)


@contextmanager
def told_as(title: str, *, broken: type[DomainError] | None = None) -> Generator[None]:
    """Refusals that have no title of their own get this one; a defect is told as `broken`."""
    try:
        yield
    except DomainError as refusal:
        if refusal.title == DomainError.title:
            refusal.title = title
        raise
    except Exception as failure:
        if broken is None:
            raise
        _log.error("handler.broke", exc_info=failure)
        told = broken()
        told.title = title
        raise told from failure


@asynccontextmanager
async def then_shown(load: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """`load` shows what is true now, whatever came of what is tried.

    What was refused is told as that, and what was done never as failed, where it cannot be shown.
    """
    try:
        yield
    except Exception:
        await _loaded(load)
        raise
    if failure := await _loaded(load):
        raise DoneNotShown from failure


async def _loaded(load: Callable[[], Awaitable[None]]) -> Exception | None:
    try:
        await load()
    except Exception as failure:
        _log.exception("handler.not_shown")
        return failure
    return None
