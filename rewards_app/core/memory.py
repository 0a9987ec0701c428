"""How memory is cleaned up while people wait."""

import gc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


@asynccontextmanager
async def spare_what_stays() -> AsyncGenerator[None]:
    """Python looks through all of a started app in a quarter of a second, and every tab waits.

    What is there once it has started stays until it ends: there is nothing to find in it.
    """
    gc.collect()
    gc.freeze()
    # Where the app is served, `served.py` has switched it off.
    gc.enable()
    try:
        yield
    finally:
        gc.unfreeze()
