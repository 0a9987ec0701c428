"""Watching an ad through the socket, as the page does."""

from tests.hostile.client import WATCH, Tab


async def starts_the_shortest(tab: Tab) -> str:
    await tab.until(lambda: bool(tab.says("ads")))
    ad = min(tab.says("ads"), key=lambda one: one["seconds"])
    await tab.call(f"{WATCH}.start", {"ad_id": ad["id"], "fingerprint": "a browser"})
    assert tab.says("stage") == "watching"
    return tab.says("running")["session_id"]
