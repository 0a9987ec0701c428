"""One client's long lines stall nobody: the whole worker shares one loop."""

import asyncio

import pytest

from tests import steady
from tests.hostile.client import APP, ROOT, Browser
from tests.serving import Served

PATIENCE = 3.0
LONG = 200_000
REPORT = f"{ROOT}.reflex___state____frontend_event_exception_state.handle_frontend_exception"
TEXTS = {
    "one word": "a" * LONG,
    "dashes": "a-" * (LONG // 2),
    "addresses without a host": "a@" * (LONG // 2),
    "addresses": "a@b.c " * (LONG // 6),
    "dots": "a@" + "." * LONG,
    "numbers": "+1 " * (LONG // 3),
    "URLs": "://a:" * (LONG // 5),
    "digits": "0123456789" * (LONG // 10),
    "quotes": "' to receive type " * (LONG // 18),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("way", ["a reported error", "a handler's name", "an argument"])
async def test_a_long_line_stalls_nobody(visitor: Browser, served: Served, way: str, text: str):
    name, payload = {
        "a reported error": (REPORT, {"info": text, "component_stack": ""}),
        "a handler's name": (text, {}),
        "an argument": (f"{APP}.choose_language", {"code": text}),
    }[way]
    async with visitor.tab() as attacker, Browser(served).tab() as neighbour:
        attack = asyncio.create_task(attacker.call(name, payload))
        await asyncio.sleep(0.01)
        async with steady.timeout(PATIENCE):
            await neighbour.call(f"{APP}.check_in")
        await attack
