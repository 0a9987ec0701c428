"""How one place tells what was refused there: under its own title, and what broke in its words."""

from collections.abc import Generator
from contextlib import contextmanager

import structlog

from rewards_app.core.errors import DomainError

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
