"""The process that goes through the last days with other weights: `python -m …replay ID`.

It is told the database's address on its standard input (`core/apart.py`). It reads rows through
server-side cursors, a chunk at a time, and keeps only the accounts that are concerned. It ends also
when somebody cancels it.
"""

import json
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any, LiteralString
from uuid import UUID

import psycopg

from rewards_app.core import apart
from rewards_app.core.notices import CHANNEL, notice
from rewards_app.features.fraud import replay_rules
from rewards_app.features.fraud.replay_rules import Affected, Begun, Event, Hit, Lifted, Noticed
from rewards_app.features.fraud.rules import Consequence
from rewards_app.features.signals.rules import DEFAULT, LONGEST, Policy, Rule, Weight

ROWS_AT_ONCE = 10_000
REST = 0.15
"""Of the time that a chunk took."""
SECONDS_BETWEEN_WORDS = 0.5
TOPIC = "fraud_simulated"
"""Announced with the simulation's id."""

ASKED: LiteralString = "select weights, since from fraud_simulations where id = %s"
EXPECTED: LiteralString = """
update fraud_simulations set heard_at = now(),
    expected = (select coalesce(sum(completions), 0) from ad_days where day >= since::date)
where id = %s and status = 'running'
"""
PROGRESS: LiteralString = """
update fraud_simulations set views = %s, heard_at = now() where id = %s and status = 'running'
"""
DONE: LiteralString = """
update fraud_simulations set status = 'done', views = %s, result = %s, heard_at = now()
where id = %s and status = 'running'
"""
SIGNALS: LiteralString = """
select account_id, created_at, rule, coalesce(evidence->>'view', '') from fraud_signals
where created_at >= %s order by account_id, created_at, id
"""
VIEWS: LiteralString = """
select account_id, reward_coins, rewarded_at from ad_views where rewarded_at >= %s
"""
HAPPENED: LiteralString = """
select account_id, kind, begun_at, coalesce(risk_score, 0) from account_restrictions
where is_automatic and begun_at >= %s order by begun_at
"""
DECIDED: LiteralString = """
select account_id, begun_at, kind, false from account_restrictions
where (not is_automatic or begun_at < %(since)s)
    and (ended_at is null or ended_at >= %(read_from)s)
union all
select account_id, ended_at, kind, true from account_restrictions where ended_at >= %(read_from)s
order by 1, 2
"""
"""What other weights do not change. One that automation began in these days they decide on."""
NAMES: LiteralString = "select id, display_name from accounts where id = any(%s)"

OF_KIND = {
    "earning_paused": Consequence.EARNING_PAUSED,
    "suspended": Consequence.ACCOUNT_SUSPENDED,
}


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


@dataclass
class Telling:
    """Says how far it has come, and hears whether it is still wanted."""

    simulation_id: UUID
    connection: psycopg.Connection[Any]
    told_at: float = field(default_factory=time.monotonic)

    def progress(self, views: int) -> None:
        if time.monotonic() - self.told_at < SECONDS_BETWEEN_WORDS:
            return
        self.told_at = time.monotonic()
        self.say(PROGRESS, views, self.simulation_id)

    def say(self, words: LiteralString, *values: Any) -> None:
        if self.connection.execute(words, values).rowcount == 0:
            raise Cancelled
        message = notice(TOPIC, str(self.simulation_id))
        self.connection.execute("select pg_notify(%s, %s)", (CHANNEL, message))


def chunks(
    connection: psycopg.Connection[Any], query: LiteralString, since: datetime
) -> Generator[list[tuple[Any, ...]]]:
    """The rows since then, so many at once; the server keeps the rest."""
    with connection.cursor("replay", binary=True) as cursor:
        cursor.execute(query, (since,))
        while found := cursor.fetchmany(ROWS_AT_ONCE):
            yield found


def unhurried(
    chunks: Iterable[list[tuple[Any, ...]]],
) -> Generator[list[tuple[Any, ...]]]:
    """With a rest after each: the server reads them with what it serves everybody else by."""
    begun = time.monotonic()
    for found in chunks:
        yield found
        time.sleep(REST * (time.monotonic() - begun))
        begun = time.monotonic()


def hits(
    connection: psycopg.Connection[Any], policy: Policy, since: datetime, telling: Telling
) -> Iterator[tuple[UUID, Hit]]:
    """Whom these weights stop, by the rules that decide while it happens."""
    decided, read_from = dict[UUID, list[Begun | Lifted]](), since - LONGEST
    found = connection.execute(DECIDED, {"since": since, "read_from": read_from})
    for account, at, kind, is_over in found:
        event = Lifted if is_over else Begun
        decided.setdefault(account, []).append(event(at, OF_KIND[kind]))
    known = {rule.value: rule for rule in Rule}
    noticed = (
        (account, Noticed(at, known[rule], session))
        for found in _signals(connection, read_from, telling)
        for account, at, rule, session in found
        if rule in known
    )
    for account, pairs in groupby(noticed, itemgetter(0)):
        signals = (signal for _, signal in pairs)
        events = _in_order(signals, decided.get(account, ()))
        if hit := replay_rules.hit_by(events, policy, since=since):
            yield account, hit


def _signals(
    connection: psycopg.Connection[Any], since: datetime, telling: Telling
) -> Iterator[list[tuple[Any, ...]]]:
    """No view is counted yet, and it is heard of all the same."""
    for found in unhurried(chunks(connection, SIGNALS, since)):
        yield found
        telling.progress(0)


def _in_order(signals: Iterable[Noticed], decided: Iterable[Begun | Lifted]) -> Iterator[Event]:
    """At one moment the signal comes first: lifting forgets it."""
    return merge(signals, decided, key=lambda event: (event.at, not isinstance(event, Noticed)))


def happened(connection: psycopg.Connection[Any], since: datetime) -> dict[UUID, Hit]:
    """Whom automation stopped in truth: for the hardest, since the first."""
    found: dict[UUID, Hit] = {}
    for account, kind, at, risk in connection.execute(HAPPENED, (since,)):
        before, consequence = found.get(account), OF_KIND[kind]
        is_harder = before is None or consequence is Consequence.ACCOUNT_SUSPENDED
        if is_harder:
            found[account] = Hit(consequence, before.at if before else at, risk)
    return found


def go_through(
    connection: psycopg.Connection[Any], policy: Policy, since: datetime, telling: Telling
) -> tuple[int, dict[str, Any]]:
    """How many views there were, and what these weights would have made of them."""
    after, before = dict(hits(connection, policy, since, telling)), happened(connection, since)
    affected = {
        account: Affected(before.get(account), after.get(account)) for account in {*after, *before}
    }
    views, coins = _add_views(connection, since, affected, telling)
    result = {
        "views": views,
        "coins": coins,
        "counts": replay_rules.counts_of(affected.values()),
        "rows": _rows(connection, affected),
    }
    return views, result


def _add_views(
    connection: psycopg.Connection[Any],
    since: datetime,
    affected: dict[UUID, Affected],
    telling: Telling,
) -> tuple[int, int]:
    """Every view that was paid: all of them together, and those of each who is concerned."""
    views = coins = 0
    find = affected.get
    for found in unhurried(chunks(connection, VIEWS, since)):
        views += len(found)
        for account, reward, at in found:
            coins += reward
            if one := find(account):
                one.add_view(reward, at)
        telling.progress(views)
    return views, coins


def _rows(
    connection: psycopg.Connection[Any], affected: dict[UUID, Affected]
) -> list[dict[str, object]]:
    listed = replay_rules.listed(affected)
    names = dict(connection.execute(NAMES, ([account for account, _ in listed],)).fetchall())
    return [one.row(str(account), names.get(account, "")) for account, one in listed]


def policy_of(weights: dict[str, list[int]]) -> Policy:
    """As it was kept; a rule that came since then weighs what the code says."""
    known = {rule for rule in Rule if rule.value in weights}
    return DEFAULT.with_weights({rule: Weight(*weights[rule.value]) for rule in known})


def answer(simulation_id: UUID, url: str) -> None:
    """Go through it, and keep the answer where it was asked for."""
    with (
        psycopg.connect(url, autocommit=True) as told,
        psycopg.connect(url, options="-c timezone=UTC") as reading,
    ):
        asked = told.execute(ASKED, (simulation_id,)).fetchone()
        if asked is None:
            raise Cancelled
        weights, since = asked
        telling = Telling(simulation_id, told)
        telling.say(EXPECTED, simulation_id)
        reading.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reading.read_only = True
        views, result = go_through(reading, policy_of(weights), since, telling)
        telling.say(DONE, views, json.dumps(result), simulation_id)


def main() -> int:
    url = apart.hear_parent()
    try:
        answer(UUID(sys.argv[1]), url)
    except Cancelled:
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
