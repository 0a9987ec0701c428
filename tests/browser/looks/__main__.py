"""`make looks`: compares every page with its reviewed picture; `--accept` takes what is new.

Names, or parts of them, choose some: `make looks ARGS="--accept player-shop"`.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("MODE", "development")

from playwright.async_api import expect

from tests.browser.chromium import chromium
from tests.browser.looks import keeping
from tests.browser.looks.pages import Look, looks
from tests.browser.looks.taking import Studio, served_at_noon

# Nobody waits for it, and others may use the machine.
expect.set_options(timeout=30_000)


async def compare(wanted: list[Look], folder: Path, *, accepts: bool) -> list[str]:
    """What differs, in words. Whoever accepts gets the new pictures, and then nothing does."""
    found: list[str] = []
    with served_at_noon(folder / "data") as served:
        async with chromium() as browser:
            async for look, picture in Studio(browser, served).taken(wanted):
                if differs := keeping.what_differs(look.name, picture):
                    found += differs
                    print(*differs, sep="\n", flush=True)
                    if accepts:
                        keeping.accept(look.name, picture)
    return found


def main() -> int:
    arguments = argparse.ArgumentParser(prog="make looks", description=__doc__)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--accept", action="store_true")
    asked = arguments.parse_args()
    every = list(looks())
    wanted = [
        look for look in every if not asked.names or any(name in look.name for name in asked.names)
    ]
    shutil.rmtree(keeping.REPORTED, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="rewards-looks-") as folder:
        found = asyncio.run(compare(wanted, Path(folder), accepts=asked.accept))
    if asked.accept:
        keeping.forget_others({look.name for look in every})
        print(f"{len(wanted)} compared, {len(found)} accepted.")
        return 0
    print(f"{len(wanted)} compared, {len(found)} differ.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
