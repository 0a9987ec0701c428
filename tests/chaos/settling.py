"""After a bad day: what waits is done, as it is within hours, and all books are looked through."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString

import httpx
import time_machine
from sqlalchemy import text

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, run, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.accounts import sessions
from rewards_app.features.ads import service as ads
from rewards_app.features.advertiser import books
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.leaderboard import service as boards
from rewards_app.features.payments import service as payments
from rewards_app.features.payments import webhook
from rewards_app.features.shop import books as shop_books
from tests.chaos.diary import Diary
from tests.queued import work_off
from tests.stripe.webhooks import body_of, signature

ROUNDS = 2
DRAININGS = 5


async def settle(stripe: str, diary: Path, hours: int) -> dict[str, list[str]]:
    """Everything is back. Time passes, the queue is worked off; then, what is wrong."""
    with time_machine.travel(utc_now(), tick=True) as clock:
        for _ in range(ROUNDS):
            clock.shift(timedelta(hours=hours) / ROUNDS)
            await stripe_tells_again(stripe)
            await drain_the_queue()
            await payments.look_at_what_waits(now=utc_now())
    await ads.sweep(now=utc_now() + timedelta(days=90))
    await drain_the_queue()
    await boards.fold(now=utc_now())
    return await what_the_app_finds() | await wrong_sessions(Diary(diary).lines())


async def live_without_mail() -> None:
    """A day passes, in which everything that waits was tried as often as it is in a day."""
    with time_machine.travel(utc_now() + timedelta(days=1), tick=True):
        await _write(
            "update procrastinate_jobs set attempts = attempts + 2880 where status = 'todo'"
        )
        await drain_the_queue(rounds=1)


async def stripe_tells_again(stripe: str) -> None:
    """As it does for days, until it is answered."""
    bearer = {"Authorization": f"Bearer {settings().stripe_secret_key.get_secret_value()}"}
    secret = settings().stripe_webhook_secret.get_secret_value()
    events: list[dict[str, Any]] = []
    async with httpx.AsyncClient(headers=bearer, timeout=10, verify=False) as asking:
        has_more = True
        while has_more:
            after = {"starting_after": events[-1]["id"]} if events else {}
            asked = {"limit": 100, **after}
            page = (await asking.get(f"{stripe}/v1/events", params=asked)).json()
            events, has_more = events + page["data"], page["has_more"]
    for event in reversed(events):
        body = body_of(event)
        await webhook.receive(body, signature(body, secret, int(utc_now().timestamp())))


async def drain_the_queue(*, rounds: int = DRAININGS) -> None:
    """Jobs that wait for their next try are due, and those of dead workers are taken up."""
    for _ in range(rounds):
        await _write(
            "update procrastinate_workers set last_heartbeat = last_heartbeat - interval '1 day'"
        )
        await _write("update procrastinate_jobs set scheduled_at = null where status = 'todo'")
        app = jobs.queue()
        async with app.open_async():
            await jobs.take_up_dropped_jobs(app)
            await work_off(app, is_frequent_due=True, concurrency=4, delete_jobs="successful")
        async with transaction() as session:
            query = "select count(*) from procrastinate_jobs where status in ('todo', 'doing')"
            if not (await rows(session, query, {}))[0][0]:
                return
        await asyncio.sleep(0.05)


async def _write(query: LiteralString) -> None:
    async with transaction() as session:
        await run(session, text(query))


async def what_the_app_finds() -> dict[str, list[str]]:
    """What `rewards ledger check` and `rewards audit check` say."""
    async with transaction() as session:
        balances, orders = await coins.check(session), await shop_books.check(session)
        companies, log = await books.check(session), await audit.check(session)
    found: dict[str, list[str]] = {
        "rewards ledger check: coins": [*map(str, balances.wrong), *map(str, balances.skips)],
        "rewards ledger check: orders": [*map(str, orders.wrong)],
        "rewards ledger check: companies": [*map(str, companies.wrong)],
        "rewards audit check": [] if log.is_clean else [f"entry {log.broken_at}"],
    }
    return {promise: wrong for promise, wrong in found.items() if wrong}


async def wrong_sessions(lines: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """Each leads to its owner or to nobody; whoever signed out is out, and nobody else."""
    left = {line["hash"] for line in lines["signing out"]}
    gone = {line["hash"] for line in lines["signed out"]}
    wrong: list[str] = []
    for line in lines["signed in"]:
        try:
            found = await sessions.find_actor(line["hash"], now=utc_now())
        except DomainError as failure:
            wrong.append(f"not answered: {failure.code}")
            continue
        if found and str(found.user_id) != line["who"]:
            wrong.append(f"{line['who']}'s session leads to {found.user_id}")
        if found and line["hash"] in gone:
            wrong.append(f"{line['who']} is signed in, and had signed out")
        if not found and line["hash"] not in left and _is_fresh(line["at"]):
            wrong.append(f"{line['who']} is signed out, and had not signed out")
    return {"sessions": wrong} if wrong else {}


def _is_fresh(at: str) -> bool:
    """Made by a clock that was right: another one's may be over by now, or swept away."""
    return abs((utc_now() - datetime.fromisoformat(at)).total_seconds()) < 600
