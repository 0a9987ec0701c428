"""What the server loads: the app, imported without looking for memory that nothing needs any more.

All of it stays. `core/memory.py` looks again once the app has started.
"""

import gc

gc.disable()

from rewards_app.rewards_app import app  # noqa: E402

__all__ = ["app"]
