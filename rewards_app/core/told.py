"""How one place tells what was refused there, what broke, and what was done but cannot be shown."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog

from rewards_app.core.errors import DomainError, DoneNotShown, StorageAway, StorageFull

_log = structlog.get_logger(__name__)


@contextmanager
def told_as(
    title: str,
    *,
    broken: type[DomainError] | None = None,
    away: type[DomainError] | None = None,
    even: tuple[type[DomainError], ...] = (),
) -> Generator[None]:
    """Refusals that have no title of their own, and those of `even`, get this one.

    A defect is told as `broken`, and as `away` that what we keep is out of reach.
    """
    try:
        yield
    except DomainError as refusal:
        if away and isinstance(refusal, (StorageAway, StorageFull)):
            told = away()
            told.title = title
            raise told from refusal
        if refusal.title == DomainError.title or isinstance(refusal, even):
            refusal.title = title
        raise
    except Exception as failure:
        if broken is None:
            raise
        _log.error("handler.broke", exc_info=failure)
        told = broken()
        told.title, told.is_defect = title, True
        raise told from failure


@asynccontextmanager
async def then_shown(load: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """`load` shows what is true now, whatever came of what is tried.

    What was refused is told as that, and what was done never as failed, where it cannot be shown.
    """
    try:
        yield
    except Exception:
        with suppress(DoneNotShown):
            await then_show(load)
        raise
    await then_show(load)


async def then_show(load: Callable[[], Awaitable[None]]) -> None:
    """Something was done: where `load` cannot show it, that is all that is told."""
    try:
        await load()
    except DomainError as failure:
        _log.warning("handler.not_shown", code=failure.code)
        raise DoneNotShown from failure
    except Exception as failure:
        _log.error("handler.broke", exc_info=failure)
        told = DoneNotShown()
        told.is_defect = True
        raise told from failure
