"""Every handler, by everybody who may call it, with arguments made from its annotations.

Other calls and more of them: `make attack`, which prints its seed.
"""

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import groupby
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core import embedded
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads import service as ads
from rewards_app.features.ads import stopping
from tests import ledger
from tests.beside import beside
from tests.conftest import SCRATCH
from tests.hostile.attackers import Attacker, the_attacker
from tests.hostile.client import APP, Answer, Tab
from tests.hostile.evidence import Diary
from tests.hostile.generated import ROUNDS, SEED, calls_of, is_acceptable, resolved
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import IDENTITIES, VISITOR
from tests.hostile.owners import Rows, all_rows
from tests.serving import Served, serving

pytestmark = pytest.mark.timeout(120 + 240 * ROUNDS)

ADMIN = "admin"
WORKED_OUT = {
    *("job_runs", "health_samples", "fraud_days", "forum_counts", "boards", "presence"),
    *("board_scores", "board_steps", "board_progress", "ledger_days", "unlocked_achievements"),
}
"""What jobs write, whoever calls."""
TOLD = {"notifications", "audit_entries", "security_alerts", "waitlist", "arrival_days"}
"""An author hears of a reply, an admin of an attack; visitors wait, and come by a campaign; what
was done is written."""
TALK = {"forum_posts", "forum_replies"}
"""Replies and likes are counted where they belong."""
SHOWING = {"ads", "ad_campaigns", "ad_days", "ad_servings", "ad_viewers", "gift_codes"}
"""Who watches takes a place of a campaign, who buys a code of the stock."""
SIGNING_UP = {"accounts", "profiles", "legal_readings", "email_links", "account_handles"}
MODERATING = {"forum_decisions", "forum_reports", "forum_writers"}
MAY_REACH = {
    VISITOR: SIGNING_UP,
    "player": TALK | SHOWING,
    "company": TALK,
    "moderator": TALK | SHOWING | MODERATING,
}
NOT_EVEN_ADMINS = {
    *("authenticators", "passkeys", "backup_codes", "account_identities", "coin_entries"),
    *("accounts.password_hash", "accounts.email", "accounts.birth_date", "accounts.phone"),
}
"""No call of theirs changes these of somebody else."""
SAYS_SORRY = f"{APP}.apologise"
BROKE = ("Traceback (most recent call last)", "[error ", "[critical ")
ATTACK_WAS_SEEN = "alert.raised"
REFUSED = ("bad_arguments", "not_allowed", "session_expired", "session_ended", "account_suspended")
SHORTEST_SECRET = 12
MOST_OF_A_TABLE = 5


@pytest.fixture(scope="module")
def attacked() -> Iterator[Served]:
    """An app of its own: what admins may do with made-up arguments, no other test should see."""
    with serving(SCRATCH / "attacked") as running:
        yield running


@pytest.fixture
async def attacker(attacked: Served, identity: str) -> AsyncIterator[Attacker]:
    async with beside(attacked):
        who = await the_attacker(identity, attacked)
        yield who
        if who.id:
            await _stops_watching(UUID(who.id))


async def _stops_watching(account_id: UUID) -> None:
    """The sweeper frees no place of theirs while the next one attacks."""
    async with transaction() as session:
        await stopping.stop_watching(session, account_id, now=utc_now())
    await ads.sweep(now=utc_now())


@pytest.fixture
def inside(attacked: Served) -> Iterator[psycopg.Connection[Any]]:
    url = embedded.url_of_running(attacked.data)
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def _admitting(identity: str) -> list[str]:
    """In this seed's order; the handlers of one state together, since they share what it knows."""
    names = sorted(
        name
        for name, access in DECLARED.items()
        if (access.visitors if identity == VISITOR else identity in access.roles)
    )
    chance = random.Random(f"{SEED} {identity}")
    states = [list(own) for _, own in groupby(names, key=lambda name: name.rpartition(".")[0])]
    chance.shuffle(states)
    for own in states:
        chance.shuffle(own)
    return [name for own in states for name in own]


def test_each_registered_handler_is_attacked():
    assert {name for identity in IDENTITIES for name in _admitting(identity)} == DECLARED.keys()


@pytest.mark.parametrize("identity", IDENTITIES)
async def test_generated_calls_break_nothing_and_reach_nobody_else(
    attacked: Served, attacker: Attacker, inside: psycopg.Connection[Any], identity: str
):
    print(f"ATTACK_SEED={SEED} ATTACK_ROUNDS={ROUNDS}")
    diary, before = Diary(attacked), all_rows(inside)
    wrong = [one async for one in _attack(attacker, _identifiers(before), inside)]
    assert not wrong
    assert not [line for line in diary.text().splitlines() if _tells_of_a_defect(line)]
    reached = _reached(before, all_rows(inside), attacker)
    assert not reached
    told = _told(attacker, before)
    assert not told
    assert not ledger.what_is_wrong(embedded.url_of_running(attacked.data))


async def _attack(
    attacker: Attacker, anybodys: list[str], inside: psycopg.Connection[Any]
) -> AsyncIterator[tuple[str, Any, str]]:
    async with AsyncExitStack() as house:
        tab = await attacker.tab(house)
        for name in _admitting(attacker.identity):
            access = DECLARED[name]
            for payload in calls_of(name, access, identity=attacker.identity, count=ROUNDS):
                sent = resolved(payload, attacker.told, anybodys)
                wrong = await _try(tab, attacker, name, sent, inside)
                if wrong and tab.is_open and not attacker.is_in(tab):
                    # That their session was over was the answer, and none to what was sent.
                    tab = await attacker.tab(house)
                    wrong = await _try(tab, attacker, name, sent, inside)
                if wrong:
                    yield short(name), sent, wrong
                if not attacker.is_in(tab):
                    tab = await attacker.tab(house)


async def _try(
    tab: Tab, attacker: Attacker, name: str, sent: Any, inside: psycopg.Connection[Any]
) -> str:
    """What is wrong with the answer, in words."""
    access = DECLARED[name]
    answer = await tab.call(name, sent)
    attacker.notes(answer)
    is_fine = is_acceptable(access, sent)
    # What a page asks by itself is not answered to who was suspended meanwhile.
    is_fine = is_fine or (access.is_passive and _is_suspended(attacker, inside))
    return _what_is_wrong(name, answer, is_fine)


def _is_suspended(attacker: Attacker, inside: psycopg.Connection[Any]) -> bool:
    query = (
        "select from account_restrictions"
        " where account_id = %s and kind = 'suspended' and ended_at is null"
    )
    return bool(attacker.id) and inside.execute(query, (attacker.id,)).fetchone() is not None


def _tells_of_a_defect(line: str) -> bool:
    return any(one in line for one in BROKE) and ATTACK_WAS_SEEN not in line


def _what_is_wrong(name: str, answer: Answer, is_acceptable: bool) -> str:
    if not answer.socket_stays_open:
        return "the socket was closed"
    told = str([*answer.changed.values()])
    if "errors.unexpected" in told and name != SAYS_SORRY:
        return "it broke"
    if not is_acceptable and not any(one in told for one in REFUSED):
        return f"it was taken: {answer.changed} {answer.events}"
    return ""


def _identifiers(rows: Rows) -> list[str]:
    """Of everything that there is, whosever it be."""
    return [key for table in rows.of.values() for key in list(table)[:MOST_OF_A_TABLE]]


def _reached(before: Rows, after: Rows, attacker: Attacker) -> set[str]:
    """What is different of others, and should not be."""
    changed = after.changed_since(before, but_of=attacker.id)
    if attacker.identity == ADMIN:
        return changed & NOT_EVEN_ADMINS
    fine = WORKED_OUT | TOLD | MAY_REACH[attacker.identity]
    return {name for name in changed if name.partition(".")[0] not in fine}


def _told(attacker: Attacker, before: Rows) -> set[str]:
    """Secrets that came in an answer: of everybody what opens something, of others who they are."""
    said = "\n".join(attacker.heard)
    return {name for name, secret in _secrets(attacker, before) if secret in said}


def _secrets(attacker: Attacker, before: Rows) -> Iterator[tuple[str, str]]:
    for table, columns in OPENS_SOMETHING.items():
        for row in before.of[table].values():
            values = [(f"{table}.{name}", row[1].get(name)) for name in columns]
            yield from ((name, v) for name, v in values if v and len(v) >= SHORTEST_SECRET)
    if attacker.identity != ADMIN:
        for key, (_, row) in before.of["accounts"].items():
            if key != attacker.id:
                yield "accounts.email", row["email"]


OPENS_SOMETHING = {
    "accounts": ("password_hash", "birth_date", "phone"),
    "account_sessions": ("token_hash",),
    "sign_in_tickets": ("token_hash", "door_hash"),
    "email_links": ("token_hash", "door_hash"),
    "authenticators": ("secret",),
    "gift_codes": ("code", "fingerprint"),
    "support_tickets": ("email",),
}
