"""Purchases from the button through the webhook to the code, and the same statements by pgbench.

Both on one PostgreSQL, 8 at once, in turns. What the provider takes for its answer is left out:
it is nobody's merit. pgbench is a C program that keeps to no rule, and signs and seals nothing.
"""

import asyncio
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from uuid import UUID

import psycopg
import stripe

from bench.completions import AT_ONCE, PERSON, PGBENCH, a_database
from bench.report import Row
from bench.sites import Sites
from rewards_app.core import limits, sealed
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine
from rewards_app.core.ids import new_id
from rewards_app.features.coins.service import NotEnoughCoins
from rewards_app.features.payments import purposes, repository, sandbox, service, webhook
from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.shop import buying, outcomes
from rewards_app.features.shop import repository as shop
from rewards_app.features.shop.buying import Wish
from rewards_app.features.shop.rules import MOST_WAITING, SoldOut

BUYERS = 4000
COINS, PRICE = 40, 89
ROUNDS = 5
SECONDS = 4
GOAL = 0.5
CROWD, CODES = 1000, 100
PACKAGE = "vbucks-1000"

POPULATE = f"""
insert into accounts (id, email, password_changed_at, role, asked_for_admin, username,
    display_name, country, language, created_at)
    select person(n), n || '@example.com', now(), 'player', false, 'P' || n, 'P' || n, 'SE', 'en',
        now()
    from generate_series(1, {BUYERS}) n;
"""
# Each round begins where the first did: everybody has coins, nothing was bought.
AGAIN = f"""
set session_replication_role = replica;
truncate purchases, payments, payment_events, gift_codes, coin_entries, coin_holds, coin_balances,
    procrastinate_jobs cascade;
set session_replication_role = default;
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause('bench:' || n), person(n), 1000, 'welcome', 'bench:' || n, '', 1000, now()
    from generate_series(1, {BUYERS}) n;
insert into coin_balances (account_id, total, balance, held, ads)
    select person(n), 1000, 1000, 0, 0 from generate_series(1, {BUYERS}) n;
"""
STOCK = """
insert into gift_codes (id, package_id, code, fingerprint, status, is_demo, imported_at)
    select gen_random_uuid(), %s, 'sealed', gen_random_uuid(), 'free', false, now()
    from generate_series(1, %s)
"""
ENOUGH = 30_000


class InstantGateway:
    """A provider that answers at once."""

    name = sandbox.SandboxGateway.name
    is_for_trial = True

    def __init__(self) -> None:
        self.asked_by: dict[UUID, UUID] = {}

    async def open(self, asked: Asked) -> Opened:
        self.asked_by[asked.account_id] = asked.payment_id
        return Opened(f"cs_bench_{asked.payment_id}", "https://checkout.example/bench")


PROVIDER = InstantGateway()


def measure(_: Sites) -> list[Row]:
    ours: list[float] = []
    plain: list[float] = []
    purposes.offer(outcomes.PAYING)
    service.GATEWAYS[PROVIDER.name] = PROVIDER  # pyright: ignore[reportArgumentType]
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        a_database(folder, PERSON, POPULATE) as url,
    ):
        for _ in range(ROUNDS):
            ours.append(asyncio.run(_ours(url)))
            plain.append(_pgbench(url, Path(folder)))
        delivered, refused, moved = asyncio.run(_a_crowd(url))
    ratios = [mine / theirs for mine, theirs in zip(ours, plain, strict=True)]
    return [
        Row(
            "purchases a second, ours / pgbench",
            median(ratios),
            "x",
            GOAL,
            f"{median(ours):.0f} / {median(plain):.0f} a second, median of {ROUNDS}, {AT_ONCE} at"
            " once",
            is_least=True,
        ),
        Row(
            f"{CROWD} buyers for {CODES} codes: delivered",
            delivered,
            "codes",
            CODES,
            f"{refused} refused, of whom {moved} lost a coin",
        ),
    ]


async def _ours(url: str) -> float:
    """Buy for some seconds, each buyer once."""
    _begin_again(url, ENOUGH)
    people = iter(range(1, BUYERS + 1))
    try:
        begun = time.perf_counter()
        done = await asyncio.gather(*(_buy_all(people, begun) for _ in range(AT_ONCE)))
        return sum(done) / (time.perf_counter() - begun)
    finally:
        await dispose_engine()


def _begin_again(url: str, codes: int) -> None:
    limits.forget_everything()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(AGAIN)
        connection.execute(STOCK, (PACKAGE, codes))
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


async def _buy_all(people: Iterator[int], begun: float) -> int:
    done = 0
    for number in people:
        await _buy_and_pay(number)
        done += 1
        if time.perf_counter() - begun > SECONDS:
            break
    return done


async def _buy_and_pay(number: int) -> None:
    """As the shop's button and the provider's webhook do it."""
    buyer = _buyer(number)
    await buying.buy(buyer, _wish(COINS), language="en", now=utc_now())
    body = _event(PROVIDER.asked_by[buyer.user_id])
    signature = stripe.WebhookSignature.generate_signature_header(body, webhook.secret())
    await webhook.receive(body.encode(), signature)


def _buyer(number: int) -> Actor:
    person = UUID(int=number)
    return Actor(person, person, Role.PLAYER, "P", "p@example.com", utc_now(), True)


def _wish(coins: int) -> Wish:
    return Wish("vbucks", PACKAGE, coins, new_id())


def _event(payment_id: UUID) -> str:
    session = {
        "id": f"cs_bench_{payment_id}",
        "object": "checkout.session",
        "client_reference_id": str(payment_id),
        "amount_total": (PRICE - COINS) * 100,
        "currency": "sek",
        "status": "complete",
        "payment_status": "paid",
        "payment_intent": f"pi_bench_{payment_id}",
    }
    event = {"id": f"evt_{new_id()}", "type": "checkout.session.completed"}
    return json.dumps(event | {"data": {"object": session}})


async def _a_crowd(url: str) -> tuple[int, int, int]:
    """All at once for too few codes, with coins alone: delivered, refused, and coins that moved."""
    _begin_again(url, CODES)
    try:
        won = await asyncio.gather(*(_tries(number) for number in range(1, CROWD + 1)))
    finally:
        await dispose_engine()
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select count(*) from coin_balances where account_id = any(%s)"
            " and (balance <> 1000 or held <> 0)",
            ([UUID(int=number) for number, has_won in enumerate(won, 1) if not has_won],),
        ).fetchone()
    assert found
    return sum(won), CROWD - sum(won), found[0]


async def _tries(number: int) -> bool:
    try:
        await buying.buy(_buyer(number), _wish(PRICE), language="en", now=utc_now())
    except (SoldOut, NotEnoughCoins):
        return False
    return True


def _pgbench(url: str, folder: Path) -> float:
    _begin_again(url, ENOUGH)
    script = folder / "purchase.sql"
    script.write_text(_script())
    command = [PGBENCH, "-n", "-M", "prepared", "-c", str(AT_ONCE), "-j", "1", "-T", str(SECONDS)]
    done = subprocess.run(
        [*command, "-f", script, url], capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stdout
    return float(found.group(1))


LOOKUPS = """
\\set n 8 * random(0, 499) + :client_id + 1
select gen_random_uuid() as id, gen_random_uuid() as attempt, gen_random_uuid() as hold_id,
    gen_random_uuid() as payment_id, person(:n) as account_id \\gset
select total, balance, held, ads from coin_balances where account_id = :account_id;
"""
LITERALS = {
    "package_id": f"'{PACKAGE}'",
    "product_name": "'1000 V-Bucks'",
    "game": "'Fortnite'",
    "currency_amount": "1000",
    "price_kr": str(PRICE),
    "coins": str(COINS),
    "most_waiting": str(MOST_WAITING),
    "amount_ore": str((PRICE - COINS) * 100),
    "purchase_code": "'COIN-' || left(:id::text, 35)",
    "provider": "'sandbox'",
    "codes": "'any'",
    "expires_at": "now()",
    "look_at": "now()",
    "now": "now()",
}
OF_PAYMENT = LITERALS | {
    "id": ":payment_id",
    "key": ":payment_id",
    "checkout_id": "'cs_bench_' || :payment_id",
    "checkout": "'cs_bench_' || :payment_id",
    "url": "'https://checkout.example/bench'",
    "intent": "'pi_bench_' || :payment_id",
    "charged": "4900",
}
OF_EVENT = OF_PAYMENT | {
    "event_id": "('evt_' || :id)",
    "kind": "'checkout.session.completed'",
}


def _script() -> str:
    """The statements of one purchase in their order, each a transaction of its own."""
    told = OF_EVENT | {"payload": f"'{sealed.seal(_event(UUID(int=1)))}'"}
    steps = [
        LOOKUPS,
        _as_pgbench(shop.BEGIN, LITERALS),
        _as_pgbench(repository.OPENED, OF_PAYMENT),
        _as_pgbench(repository.BY_ID, OF_PAYMENT),
        _as_pgbench(repository.receiving(shop.GIVING), told),
    ]
    return "\n".join(steps)


UUIDS = ("id", "attempt", "hold_id", "payment_id", "account_id")


def _as_pgbench(statement: str, values: dict[str, str]) -> str:
    named = re.sub(r"%\((\w+)\)s", lambda place: values.get(place[1], f":{place[1]}"), statement)
    quoted = re.sub(rf"(?<!:):({'|'.join(UUIDS)})\b", r":\1::uuid", named)
    return f"{quoted.strip()};"
