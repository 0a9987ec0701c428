"""Reads the lists when a worker starts: whoever posts first waits for nothing."""

import asyncio

from rewards_app.features.moderation.lexicon import lexicon


async def read_lists() -> None:
    await asyncio.to_thread(lexicon)
