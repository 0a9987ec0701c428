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

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import embedded
from rewards_app.features.ads import service as ads
from rewards_app.features.ads import stopping
from tests import ledger
from tests.beside import beside
from tests.hostile.attackers import Attacker, the_attacker
from tests.hostile.client import APP, Answer, Tab
from tests.hostile.evidence import Diary
from tests.hostile.generated import (
    OF_KIND,
    OF_NO_KIND,
    ROUNDS,
    SEED,
    SOMETHING,
    Others,
    calls_of,
    is_acceptable,
    resolved,
)
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import IDENTITIES, VISITOR
from tests.hostile.owners import (
    TOLD,
    WORKED_OUT,
    Rows,
    all_rows,
    has_identifiers,
    path_to_an_owner,
    tables,
)
from tests.hostile.victims import put_to_rest
from tests.serving import Served

pytestmark = pytest.mark.timeout(120 + 240 * ROUNDS)

ADMIN = "admin"
TALK = {"forum_posts", "forum_replies"}
"""Replies and likes are counted where they belong."""
SHOWING = {"ads", "ad_campaigns", "ad_days", "ad_servings", "ad_viewers", "gift_codes"}
"""Who watches takes a place of a campaign, who buys a code of the stock."""
SIGNING_UP = {"accounts", "profiles", "legal_readings", "email_links", "account_handles"}
MODERATING = {
    *("forum_decisions", "forum_reports", "forum_writers"),
    *("accounts.display_name", "profiles", "profiles.said_at", "profiles.hidden_at"),
    "user_games.hidden_at",
}
"""Of a profile that was reported they hide the words and replace the name."""
MAY_REACH = {
    VISITOR: SIGNING_UP,
    "player": TALK | SHOWING,
    "company": TALK,
    "moderator": TALK | SHOWING | MODERATING,
}
NOT_EVEN_ADMINS = {
    *("authenticators", "passkeys", "backup_codes", "account_identities", "coin_entries"),
    *("accounts.password_hash", "accounts.email", "accounts.birth_date", "accounts.phone"),
    "accounts.second_factor_at",
}
"""No call of theirs changes these of somebody else."""
NOTHING_OF = {"board_scores", "presence"}
"""What jobs write of players, and of those who have a page open."""
SAYS_SORRY = f"{APP}.apologise"
BROKE = ("Traceback (most recent call last)", "[error ", "[critical ")
ATTACK_WAS_SEEN = "alert.raised"
REFUSED = ("bad_arguments", "not_allowed", "session_expired", "session_ended", "account_suspended")
SHORTEST_SECRET = 12
MOST_OF_A_TABLE = 5


@pytest.fixture
async def attacker(attacked_app: Served, identity: str) -> AsyncIterator[Attacker]:
    async with beside(attacked_app):
        who = await the_attacker(identity, attacked_app)
        yield who
        if who.id:
            await _stops_watching(UUID(who.id))


async def _stops_watching(account_id: UUID) -> None:
    """The sweeper frees no place of theirs while the next one attacks."""
    async with transaction() as session:
        await stopping.stop_watching(session, account_id, now=utc_now())
    await ads.sweep(now=utc_now())


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


class TestWhatAnAdminReached:
    """By what is said of a row that is different, and of one that came or went."""

    @pytest.mark.parametrize(
        ("table", "before", "after", "reached"),
        [
            ("passkeys", {"public_key": "a"}, {"public_key": "b"}, {"passkeys.public_key"}),
            ("passkeys", {"public_key": "a"}, None, {"passkeys"}),
            ("coin_entries", {"amount": "1"}, {"amount": "2"}, {"coin_entries.amount"}),
            ("coin_entries", {"amount": "1"}, None, {"coin_entries"}),
            ("coin_entries", None, {"amount": "1"}, set()),
            ("passkeys", None, {"public_key": "a"}, {"passkeys"}),
            (
                "accounts",
                {"second_factor_at": "now", "role": "player"},
                {"second_factor_at": None, "role": "admin"},
                {"accounts.second_factor_at"},
            ),
            ("accounts", {"role": "player"}, {"role": "admin"}, set()),
        ],
    )
    def test_is_told(
        self,
        table: str,
        before: dict[str, Any] | None,
        after: dict[str, Any] | None,
        reached: set[str],
    ):
        def rows(columns: dict[str, Any] | None) -> Rows:
            known: dict[str, tuple[str | None, dict[str, str]]] = {}
            if columns:
                known["key"] = ("somebody", columns)
            return Rows({"coin_entries": {}, table: known})

        past, now = rows(before), rows(after)
        assert _reached(past, now, Attacker(ADMIN, None)) == reached  # pyright: ignore[reportArgumentType]


def test_each_registered_handler_is_attacked():
    assert {name for identity in IDENTITIES for name in _admitting(identity)} == DECLARED.keys()


@pytest.mark.parametrize("identity", IDENTITIES)
def test_each_is_called_as_its_page_calls_it_too(identity: str):
    def is_called_rightly(name: str) -> bool:
        calls = calls_of(name, DECLARED[name], identity=identity, count=ROUNDS)
        return any(is_acceptable(DECLARED[name], resolved(one, [], SOMETHING)) for one in calls)

    assert not [short(name) for name in _admitting(identity) if not is_called_rightly(name)]


def test_each_identifier_is_of_something():
    named = {
        name
        for access in DECLARED.values()
        for name, field in access.arguments.model_fields.items()
        if field.annotation is UUID
    }
    assert named <= OF_KIND.keys() | OF_NO_KIND


async def test_others_have_something_of_everything(
    victims: set[str], inside: psycopg.Connection[Any]
):
    found = all_rows(inside).of
    owned = {
        name for name, rows in found.items() if any(owner in victims for owner, _ in rows.values())
    }
    assert {t.name for t in tables() if path_to_an_owner(t.name)} - owned <= NOTHING_OF
    assert all(found[table] for kinds in OF_KIND.values() for table in kinds)


@pytest.mark.parametrize("identity", IDENTITIES)
async def test_generated_calls_break_nothing_and_reach_nobody_else(
    attacked_app: Served,
    victims: set[str],
    attacker: Attacker,
    inside: psycopg.Connection[Any],
    identity: str,
):
    print(f"ATTACK_SEED={SEED} ATTACK_ROUNDS={ROUNDS}")
    async with beside(attacked_app):
        await put_to_rest(inside)
    diary, before = Diary(attacked_app), all_rows(inside)
    wrong = [one async for one in _attack(attacker, _identifiers(before, victims), inside)]
    assert not wrong
    assert not [line for line in diary.text().splitlines() if _tells_of_a_defect(line)]
    reached = _reached(before, all_rows(inside), attacker)
    assert not reached
    told = _told(attacker, before)
    assert not told
    assert not ledger.what_is_wrong(embedded.url_of_running(attacked_app.data))


async def _attack(
    attacker: Attacker, others: Others, inside: psycopg.Connection[Any]
) -> AsyncIterator[tuple[str, Any, str]]:
    async with AsyncExitStack() as house:
        tab = await attacker.tab(house)
        for name in _admitting(attacker.identity):
            access = DECLARED[name]
            calls = calls_of(name, access, identity=attacker.identity, count=ROUNDS)
            for number, payload in enumerate(calls):
                # The one that is right for certain names only what others have.
                sent = resolved(payload, attacker.told if number else [], others)
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


def _identifiers(rows: Rows, victims: set[str]) -> Others:
    """Of some of everything that there is; of all that the victims have.

    Hashes of tokens are keys, too, but who types one in hears it again: nothing was told.
    """
    return Others(
        {
            name: [
                *(key for key, (owner, _) in table.items() if owner in victims),
                *list(table)[:MOST_OF_A_TABLE],
            ]
            for name, table in rows.of.items()
            if has_identifiers(name)
        }
    )


def _reached(before: Rows, after: Rows, attacker: Attacker) -> set[str]:
    """What is different of others, and should not be."""
    if attacker.identity == ADMIN:
        # Who gives coins back writes a new entry; what was written stays as it is.
        after = after.without_new("coin_entries", since=before)
        changed = after.changed_since(before, but_of=attacker.id)
        return {name for name in changed if {name, name.partition(".")[0]} & NOT_EVEN_ADMINS}
    changed = after.changed_since(before, but_of=attacker.id)
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
        for table in ("accounts", "support_tickets"):
            for owner, row in before.of[table].values():
                if owner != attacker.id and row["email"]:
                    yield f"{table}.email", row["email"]


OPENS_SOMETHING = {
    "accounts": ("password_hash", "birth_date", "phone"),
    "account_sessions": ("token_hash",),
    "sign_in_tickets": ("token_hash", "door_hash"),
    "sign_in_steps": ("token_hash", "door_hash"),
    "email_links": ("token_hash", "door_hash"),
    "authenticators": ("secret",),
    "backup_codes": ("code_hash",),
    "factor_resets": ("cancel_hash",),
    "data_exports": ("token_hash",),
    "guardian_consents": ("token_hash",),
    "advertiser_invitations": ("token_hash",),
    "gift_codes": ("code", "fingerprint"),
}
