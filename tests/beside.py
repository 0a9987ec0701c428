"""Work beside the running app: our own services on its database, with its key."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from rewards_app.core import sealed
from rewards_app.core.database import dispose_engine
from rewards_app.core.settings import settings
from tests.serving import Served


@asynccontextmanager
async def beside(served: Served) -> AsyncGenerator[None]:
    """What is sealed here, the running app can open: its key lies in its data folder, or it was
    given one."""
    known = {
        "DATABASE_URL": served.database,
        "DATA_DIR": str(served.data),
        # Addresses that are made here lead to the running app.
        "PORT": served.environment["PORT"],
        "SECRET_KEY": served.environment.get("SECRET_KEY"),
    }
    before = {name: os.environ.get(name) for name in known}
    _use(known)
    try:
        yield
    finally:
        await dispose_engine()
        _use(before)


def _use(environment: dict[str, str | None] | dict[str, str]) -> None:
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    settings.cache_clear()
    sealed.forget_keys()
