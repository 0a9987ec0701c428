"""Another SECRET_KEY for a while, as an operator would set it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rewards_app.core import sealed
from rewards_app.core.settings import settings

FIRST, SECOND = "first-key-" * 4, "second-key-" * 4


@contextmanager
def keys(present: str, before: str = "") -> Iterator[None]:
    names = ("SECRET_KEY", "SECRET_KEYS_BEFORE")
    was = {name: os.environ.pop(name, None) for name in names}
    _use(dict(zip(names, (present, before), strict=True)))
    try:
        yield
    finally:
        _use(was)


def _use(environment: dict[str, str | None] | dict[str, str]) -> None:
    for name, value in environment.items():
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
    settings.cache_clear()
    sealed.forget_keys()
