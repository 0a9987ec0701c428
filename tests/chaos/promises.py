"""What holds after a bad day, whatever happened: asked beside the app, in our own words."""

from collections import Counter, defaultdict
from typing import Any, LiteralString

import psycopg

from rewards_app.features.ads.rules import DAILY_LIMIT
from tests.chaos.plan import Schedule
from tests.chaos.world import World
from tests.ledger import EVERYTHING, what_is_wrong
from tests.serving import text_of

Lines = dict[str, list[dict[str, Any]]]
Wrong = dict[str, list[str]]

QUERIES: dict[str, LiteralString] = {
    "an ad was paid before it was over": """
        select id::text from ad_views where status = 'rewarded'
            and rewarded_at < started_at + required_seconds * interval '1 second'
                + paused_ms * interval '1 millisecond'""",
    "a code was given to two orders, or an order has two codes": """
        select purchase_id::text from gift_codes where purchase_id is not null
        group by purchase_id having count(*) > 1""",
    "an order is neither done nor given up": """
        select purchase_code || ' ' || status from purchases where status in ('waiting','refunding')
    """,
    "a top-up is neither in the balance nor given up": """
        select id::text from top_ups where status = 'waiting'""",
    "coins are held for nothing": """
        select id::text from coin_holds where status = 'held'""",
    "a view keeps a place and nobody watches": "select id::text from ad_views where holds_place",
    "a job was given up, or waits for ever": """
        select task_name || ' ' || status from procrastinate_jobs
        where status in ('todo', 'doing', 'failed')""",
    "two accounts have one session": """
        select token_hash from account_sessions group by token_hash having count(*) > 1""",
}


def broken(world: World, schedule: Schedule, lines: Lines) -> Wrong:
    """Every promise that does not hold, and what breaks it."""
    found: Wrong = dict(what_is_wrong(world.url, EVERYTHING))
    with psycopg.connect(world.url, autocommit=True) as connection:
        for promise, query in QUERIES.items():
            found[promise] = [row[0] for row in connection.execute(query)]
        found |= _acknowledged(connection, lines)
        found |= _money(world, connection)
        found |= _letters(world, schedule, connection, lines)
    for line in lines["broken"]:
        found.setdefault(line["promise"], []).append(str(line))
    return {promise: wrong for promise, wrong in found.items() if wrong}


def _acknowledged(connection: psycopg.Connection[Any], lines: Lines) -> Wrong:
    """What somebody was told had happened, has happened."""
    paid = {row[0] for row in connection.execute("select cause from coin_entries")}
    orders = {str(row[0]): row[1] for row in connection.execute("select id, status from purchases")}
    money = dict(connection.execute("select subject_id::text, status from payments").fetchall())
    # No browser has told of its zone: their own days are those of UTC.
    a_day = connection.execute(
        "select account_id::text, (rewarded_at at time zone 'UTC')::date::text, count(*)"
        " from ad_views where status = 'rewarded' group by 1, 2"
    ).fetchall()
    codes = defaultdict[str, set[str]](set)
    for line in lines["code"]:
        codes[line["code"]].add(line["purchase"])
    return {
        "a credit was acknowledged and is lost": [
            line["view"] for line in lines["credited"] if f"ad:{line['view']}" not in paid
        ],
        "an order was delivered and is lost": [
            line["purchase"]
            for line in lines["bought"]
            if orders.get(line["purchase"]) not in ("completed", "refunded")
        ],
        "a paid order was neither delivered nor paid back": [
            f"{line['purchase']} {orders.get(line['purchase'])}"
            for line in lines["paid"]
            if orders.get(line["purchase"]) not in ("completed", "refunded")
        ],
        "a refund was begun and is lost": [
            line["purchase"]
            for line in lines["refund begun"]
            if orders.get(line["purchase"]) != "refunded"
        ],
        "a paid top-up is neither in the balance nor paid back": [
            line["top_up"]
            for line in lines["topped up"]
            if money.get(line["top_up"]) not in ("paid", "returned")
        ],
        "a top-up went back and is still in the balance": [
            line["top_up"]
            for line in lines["top-up returned"]
            if money.get(line["top_up"]) != "returned"
        ],
        "one code was shown for two orders": [str(of) for of in codes.values() if len(of) > 1],
        "somebody was paid for too many ads of a day": [
            f"{who} on {day}: {count}" for who, day, count in a_day if count > DAILY_LIMIT
        ],
    }


def _money(world: World, connection: psycopg.Connection[Any]) -> Wrong:
    """What Stripe has taken and given back is what we know of."""
    kept, returned = connection.execute(
        "select coalesce(sum(charged) filter (where returned_at is null), 0),"
        " coalesce(sum(charged) filter (where returned_at is not null), 0) from payments"
    ).fetchall()[0]
    taken = sum(one["amount_received"] for one in world.stripe.payments)
    given = sum(one["amount"] for one in world.stripe.refunds)
    ours, theirs = (kept + returned, returned), (taken, given)
    wrong = [] if ours == theirs else [f"taken and given back: ours {ours}, Stripe's {theirs}"]
    return {"money is not what Stripe knows of": wrong}


def _letters(
    world: World, schedule: Schedule, connection: psycopg.Connection[Any], lines: Lines
) -> Wrong:
    """Each letter came; again only where a worker may have died after it had left."""
    texts = [(letter["To"], text_of(letter)) for letter in world.letters.all]
    asked = {line["mark"]: line["to"] for line in lines["mail"]}
    came = Counter[str]()
    for to, text in texts:
        came.update(mark for mark in asked if mark in text and asked[mark] == to)
    ids = {letter["Message-ID"] for letter in world.letters.all}
    with_a_code = [
        str(row[0])
        for row in connection.execute(
            "select purchase_id from gift_codes where status = 'delivered'"
        )
    ]
    return {
        "a letter never came": [mark for mark in asked if not came[mark]],
        "a letter came twice": [
            mark for mark in asked if came[mark] > 1 and schedule.mail_is_away_for_a_day
        ],
        "a code was never mailed": [
            one for one in with_a_code if not any(f"purchase-{one}@" in name for name in ids)
        ],
    }
