"""How long it takes until the last of 500 open tabs is out, once its session was revoked."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

from bench.client import ROOT, Tab, opened
from bench.report import Row
from bench.sites import Site, Sites
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.postgres import embedded
from rewards_app.core.settings import settings
from rewards_app.features.accounts import sessions
from tests.people import a_browser, signed_in

TABS = 500
GOAL_SECONDS = 5.0
APP = f"{ROOT}.rewards_app___core___state____app_state"
SESSIONS = f"{APP}.rewards_app___features___security___sessions_state____sessions_state"


def measure(sites: Sites) -> list[Row]:
    site = sites.ours
    with site.started():
        _work_beside(site)
        own, others = asyncio.run(_more_sessions(sites.sessions[0]))
        in_one, in_many = asyncio.run(_measured(site, own, others))
    return [
        _row(f"revoking one session with {TABS} open tabs, until the last is out", in_one),
        _row(f"revoking {TABS} sessions with a tab each, until the last is out", in_many),
    ]


def _row(name: str, seconds: float) -> Row:
    return Row(name, seconds, "s", GOAL_SECONDS, "told by no event of their own")


def _work_beside(site: Site) -> None:
    os.environ["DATABASE_URL"] = embedded.url_of_running(Path(site.environment["DATA_DIR"]))
    settings.cache_clear()


async def _more_sessions(own: str) -> tuple[str, list[str]]:
    """The first player's own session, and as many others of theirs as there are tabs, and one."""
    try:
        actor = await sessions.find_actor(digest(own), now=utc_now())
        assert actor
        browsers = [a_browser(f"revoked {n}", address=f"10.1.{n // 20}.1") for n in range(TABS + 1)]
        return own, [await signed_in(actor.user_id, each, now=utc_now()) for each in browsers]
    finally:
        await dispose_engine()


async def _measured(site: Site, own: str, others: Sequence[str]) -> tuple[float, float]:
    async with opened([Tab(site.origin, "/security", own)]) as (owner,):
        in_one = await _revoked(site, owner, [others[0]] * TABS)
        in_many = await _revoked(site, owner, others[1:])
    return in_one, in_many


async def _revoked(site: Site, owner: Tab, secrets: Sequence[str]) -> float:
    async with opened([Tab(site.origin, "/", secret) for secret in secrets]) as tabs:
        one = await _id_of(secrets[0]) if len(set(secrets)) == 1 else None
        await asyncio.sleep(3)
        begun = time.perf_counter()
        if one:
            await owner.tell(f"{SESSIONS}.revoke", {"session_id": one})
        else:
            await owner.tell(f"{SESSIONS}.revoke_others", {})
        while any(tab.role != "visitor" for tab in tabs):
            await asyncio.sleep(0.02)
            if time.perf_counter() - begun > 10 * GOAL_SECONDS:
                raise RuntimeError("Some tabs were never told.")
        return time.perf_counter() - begun


async def _id_of(secret: str) -> str:
    try:
        actor = await sessions.find_actor(digest(secret), now=utc_now())
        assert actor
        return str(actor.session_id)
    finally:
        await dispose_engine()
