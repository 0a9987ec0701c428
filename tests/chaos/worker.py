"""The worker processes of a schedule: loaded once, forked for each life, killed at any moment.

Run as a process of its own. It reads an order a line, `{"do": …, "task": …}`, and answers each with
a line. A worker that lives is a fork; it writes into the diary what it was answered, and ends only
when somebody ends it.
"""

import asyncio
import json
import os
import random
import sys
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import httpx
import time_machine

from rewards_app import schedule
from rewards_app.core import database, jobs, limits
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.ads import service as ads
from rewards_app.features.advertiser import lifecycle
from rewards_app.features.leaderboard import service as boards
from rewards_app.features.payments import service as payments
from rewards_app.features.payments import stripe_gateway, webhook
from rewards_app.features.payments.rules import Forged
from rewards_app.models import Account
from tests.ads import a_campaign, an_ad, the_actor, the_player
from tests.chaos.diary import Diary
from tests.chaos.people import A_TOP_UP, HABITS, UNANSWERED, AtStripe, Person
from tests.chaos.settling import live_without_mail, settle
from tests.companies import a_company
from tests.shop import earns, stock
from tests.stripe.webhooks import body_of, forgeries, signature

PLAYERS = 5
CODES = 120
COINS = 400
BUDGET = 100_000
CAMPAIGNS = 4
"""Of a company that has no money yet: each waits for a top-up."""
BROKEN = 70
MOST_APART = 2.0
"""Seconds from the right time: of that nobody is told yet."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker has to know; all of it travels as JSON."""

    seed: str = ""
    storm: int = 1
    diary: str = ""
    clock: str = ""
    """A file with the seconds by which the workers' clocks are wrong."""
    stripe: str = ""
    """Stripe's own address: what nobody's network is in the way of."""
    hours: int = 1
    """How long it takes until all that waits must be settled."""
    players: tuple[str, ...] = ()
    admin: str = ""
    owner: str = ""
    """Of the company whose money everybody moves."""
    ads: tuple[str, ...] = ()


async def found() -> dict[str, Any]:
    """The people and things of a schedule, made before anything goes wrong."""
    now = utc_now()
    players = [await the_player(f"Player{number}", now=now) for number in range(PLAYERS)]
    for player in players:
        await earns(player, COINS, now=now)
    admin = await the_player("Ann", now=now)
    await stock(CODES)
    # The first has few places a day, the second no end of them, the third costs nobody anything.
    budgets: list[dict[str, Any]] = [
        {"budget_cents": BUDGET, "daily_budget_cents": 8 * BUDGET // 1000},
        {"budget_cents": BUDGET},
        {},
    ]
    made = [await an_ad(await a_campaign(**budget)) for budget in budgets]
    company = await a_company(owner=await the_owner(now))
    for _ in range(CAMPAIGNS):
        waits = await a_campaign(
            advertiser_id=company.id, status="draft", budget_cents=A_TOP_UP * 100
        )
        await an_ad(waits)
    return {
        "players": [str(player.user_id) for player in players],
        "admin": str(admin.user_id),
        "owner": str(company.owner.user_id),
        "ads": [str(ad.id) for ad in made],
    }


async def the_owner(now: datetime) -> Actor:
    return replace(await the_player("Freja", now=now), role=Role.COMPANY)


async def live(task: Task) -> None:
    """What a worker does at once: people, the queue, the jobs of each minute, and the webhook."""
    diary, chance = Diary(Path(task.diary)), random.Random(task.seed)
    people = await _people(task, diary, chance)
    diary.note("begun")
    doing = [person.lives() for person in people]
    more = (_follow_the_clock(task), jobs.work(), _tend(), _hear(task, diary, chance))
    await asyncio.gather(*doing, *more)


async def _people(task: Task, diary: Diary, chance: random.Random) -> list[Person]:
    while True:
        try:
            async with transaction() as session:
                rows = [await session.get_one(Account, UUID(one)) for one in task.players]
                admin = await session.get_one(Account, UUID(task.admin))
                owner = await session.get_one(Account, UUID(task.owner))
            break
        except UNANSWERED:
            await asyncio.sleep(0.05)
    boss: Actor = replace(the_actor(admin), role=Role.ADMIN)
    company: Actor = replace(the_actor(owner), role=Role.COMPANY)
    shown = [UUID(one) for one in task.ads]
    people = [
        Person(
            the_actor(row),
            random.Random(chance.random()),
            diary,
            shown,
            boss,
            company,
            AtStripe(task.stripe),
        )
        for row in rows
    ]
    for person in people:
        person.others = [other for other in people if other is not person]
    return people


async def _follow_the_clock(task: Task) -> None:
    """The machine's clock is as wrong as the file says, and never quite like the other one's."""
    told = Path(task.clock)
    apart = random.Random(f"{task.seed}/clock").uniform(-MOST_APART, MOST_APART)
    with time_machine.travel(utc_now() + timedelta(seconds=apart), tick=True) as clock:
        wrong_by = 0.0
        while True:
            now_by = float(told.read_text() or 0)
            if now_by != wrong_by:
                clock.shift(now_by - wrong_by)
                wrong_by = now_by
            await asyncio.sleep(0.02)


async def _tend() -> None:
    """What jobs do each minute, each half second."""
    while True:
        await asyncio.sleep(0.5)
        try:
            await payments.look_at_what_waits(now=utc_now())
            await ads.sweep(now=utc_now())
            await lifecycle.tend(now=utc_now())
            await boards.fold(now=utc_now())
        except (DomainError, *UNANSWERED):
            await asyncio.sleep(0.05)


async def _hear(task: Task, diary: Diary, chance: random.Random) -> None:
    """Stripe's news: late, again and again, in any order; and forged ones between them."""
    bearer = {"Authorization": f"Bearer {settings().stripe_secret_key.get_secret_value()}"}
    secret = settings().stripe_webhook_secret.get_secret_value()
    async with httpx.AsyncClient(headers=bearer, timeout=5, verify=False) as stripe:
        while True:
            await asyncio.sleep(chance.uniform(0.05, 0.3))
            try:
                answer = await stripe.get(f"{task.stripe}/v1/events", params={"limit": 20})
                told = answer.json()["data"]
            except (httpx.HTTPError, ValueError, KeyError):
                continue  # it talks nonsense, or does not talk
            events = [event for event in told for _ in range(task.storm)]
            chance.shuffle(events)
            for event in events[: 10 * task.storm]:
                body = body_of(event)
                await _is_told(diary, body, signature(body, secret, int(utc_now().timestamp())))
            if events and chance.random() < 0.3:
                await _forges(diary, events[0], secret, chance)


async def _is_told(diary: Diary, body: bytes, header: str) -> None:
    try:
        await webhook.receive(body, header)
    except UNANSWERED as failure:
        diary.note("unanswered", act="webhook", error=type(failure).__name__)
    except DomainError as refusal:
        diary.note("refused", act="webhook", code=refusal.code)


async def _forges(diary: Diary, event: dict[str, Any], secret: str, chance: random.Random) -> None:
    now = int(utc_now().timestamp())
    for forged in forgeries(event, secret, now=now, seed=chance.randrange(10**6)):
        try:
            await webhook.receive(forged.body, forged.header or "")
        except Forged:
            continue
        except UNANSWERED:
            return
        diary.note("broken", promise="a forged webhook was believed", name=forged.name)


# How the workers are started, and how what they did is settled


def _in_a_fork(work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(work())
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(BROKEN)
        os._exit(0)
    return child


def _waited_for(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _answer_of(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """What a fork came to; an engine of this process would be inherited by all that follow."""
    reading, writing = os.pipe()

    async def write_it_down() -> None:
        os.write(writing, json.dumps(await work()).encode())

    child = _in_a_fork(write_it_down)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    ended = _waited_for(child)
    return json.loads(said) if ended == 0 else {"ended": ended}


async def _warm_up() -> None:
    """Everything is done once, and in vain: what that loads and compiles, forks find ready."""
    made = await found()
    with TemporaryDirectory() as folder:
        diary = Path(folder) / "diary"
        stripe = settings().stripe_api_base
        known = {name: made[name] for name in ("admin", "owner")}
        task = Task(stripe=stripe, players=tuple(made["players"]), ads=tuple(made["ads"]), **known)
        people = await _people(task, Diary(diary), random.Random(1))
        for name in HABITS:
            with suppress(DomainError, *UNANSWERED):
                await getattr(people[0], name)()
        await settle(stripe, diary, hours=1)
    # Nothing that is open may be inherited.
    await database.engine().dispose()
    await database._statements().close()
    database._statements.cache_clear()
    stripe_gateway._client.cache_clear()
    limits.forget_everything()


def main() -> None:
    # What is logged goes to the errors: answers have the way to whoever asks for themselves.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Those that have their hours are called by `_tend`: a life is too short for all of them.
    for job in schedule.JOBS:
        jobs.offer(replace(job, cron=None))
    asyncio.run(_warm_up())
    print(json.dumps("ready"), file=answers, flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        task = Task(**order.get("task", {}))
        match order["do"]:
            case "found":
                said = _answer_of(found)
            case "live":
                said = _in_a_fork(lambda task=task: live(task))
            case "live without mail":
                said = _answer_of(live_without_mail)
            case "settle":
                said = _answer_of(
                    lambda task=task: settle(task.stripe, Path(task.diary), task.hours)
                )
            case "bury":
                said = _waited_for(order["pid"])
            case unknown:
                raise ValueError(unknown)
        print(json.dumps(said), file=answers, flush=True)


if __name__ == "__main__":
    main()


__all__ = ["Task", "asdict"]
