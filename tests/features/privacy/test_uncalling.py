"""The handle of somebody forgotten stands in nobody's text: the next to take it was not meant."""

import json
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import ARRAY, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import AutoString, SQLModel

from rewards_app.core.database import transaction
from rewards_app.core.sealed import Sealed, seal, unseal
from rewards_app.features.accounts import closing
from rewards_app.features.advertiser import review
from rewards_app.features.audit import service as audit
from rewards_app.features.privacy import erasing
from rewards_app.models import AccountHandle
from tests import held
from tests.ads import an_ad, finishes, starts, the_player
from tests.people import NOON

pytestmark = pytest.mark.usefixtures("database", "spoilt_books")
SAID = "spam\nAs @Maja did, not @majalena, maja or maja@maja.example."
LEFT = "spam\nAs @deleted did, not @majalena, maja or maja@maja.example."
OTTO = "otto"
COLUMNS = {
    "forum_posts": ("title", "content", "shown_title", "shown_content", "state_reason"),
    "forum_replies": ("content", "shown_content", "state_reason"),
    "forum_drafts": ("title", "content"),
    "forum_reports": ("text",),
    "forum_decisions": ("reason",),
    "account_restrictions": ("reason", "end_reason"),
    "profiles": ("bio",),
    "user_games": ("description", "title", "platform", "achievements"),
    "support_tickets": ("subject", "message", "name"),
    "support_messages": ("text",),
    "ad_campaigns": ("name", "description", "ended_because"),
    "ads": ("title", "description", "review_reason"),
    "ad_reports": ("text",),
    "advertisers": ("reason",),
    "purchases": ("refund_reason",),
}
APART = {"notifications.params", "account_closures.hidden", "ad_views.invalid_reason"}
"""Looked at in ways of their own, of which there are tests below."""
BY_THEIR_NAMES = {
    *("status", "state", "kind", "role", "category", "action", "action_taken", "alert_type"),
    *("ad_type", "purpose", "outcome", "origin", "provider", "currency", "rule", "refusal"),
    *("ended_by", "language", "country", "gender", "grounds", "patterns", "violations"),
    *("genre", "game", "product_name", "time_zone", "next_time_zone", "counted", "did", "job"),
    *("error", "evidence", "weights", "result", "about", "cause", "subject"),
    *("email", "new_email", "phone", "birth_date", "ip_address", "user_agent", "website"),
    *("video_url", "image_url", "click_url", "checkout_url", "link", "transports", "severity"),
    *("secret", "salt", "digest", "hash", "fingerprint", "code", "purchase_code", "payload"),
    *("checkout_id", "intent_id", "refund_id", "package_id", "external_game_id"),
    *("username", "display_name", "company_name", "actor_name"),
}
"""Words of lists, addresses, keys and figures; how somebody calls themselves; the books' lines."""
NO_TEXTS_TO_OTHERS = {
    *("ad_reports.reason", "forum_reports.reason"),
    *("audit_entries.label", "audit_entries.before", "audit_entries.after", "audit_entries.reason"),
    *("fraud_simulations.before", "payments.description", "test_checkouts.description"),
    *("passkeys.name", "guardian_consents.name"),
    *("security_alerts.description", "security_alerts.params"),
}
"""Chosen from a list; emptied where they say it; seen by who wrote it alone; names and numbers."""


async def maja_is_forgotten(maja: UUID) -> None:
    await is_forgotten("maja", maja)


async def is_forgotten(handle: str, account_id: UUID) -> None:
    async with transaction() as session:
        session.add(AccountHandle(handle=handle, account_id=account_id))
    async with transaction() as session:
        await closing.close(session, account_id, now=NOON)
    assert await erasing.erase(account_id, now=NOON + timedelta(days=60))


def change(url: str, query: str, value: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(query, (value,))  # pyright: ignore[reportArgumentType]


def one(url: str, query: str) -> str:
    with psycopg.connect(url) as connection:
        [row] = connection.execute(query).fetchall()  # pyright: ignore
        return row[0]


def as_long(table: str, name: str, text: str) -> str:
    """As much of it as the column takes."""
    kind = SQLModel.metadata.tables[table].columns[name].type
    assert isinstance(kind, AutoString)
    return text[: kind.length]


def called_no_more(text: str) -> str:
    return text.replace("@Maja", "@deleted")


@pytest.mark.parametrize("place", range(max(map(len, COLUMNS.values()))))
async def test_is_called_no_more_in_anothers(database: str, place: int):
    """One column of each table at a time: a row must not be found by another one of its own."""
    spoilt = {table: names[place] for table, names in COLUMNS.items() if place < len(names)}
    maja = (await the_player("Maja")).user_id
    held.hold_everything(database, OTTO)
    change(database, "delete from account_closures where hidden <> %s", "")
    for table, name in spoilt.items():
        change(database, f"update {table} set {name} = %s", as_long(table, name, SAID))
    await maja_is_forgotten(maja)
    for table, name in spoilt.items():
        left = one(database, f"select {name} from {table}")
        assert left == as_long(table, name, called_no_more(as_long(table, name, SAID))), table


def test_looks_at_every_text_that_others_read():
    """A new column is looked at, or it is said here why nobody is called in it."""
    looked_at = {f"{table}.{name}" for table, names in COLUMNS.items() for name in names}
    left = set(texts_of_all_tables()) - looked_at - APART
    unnamed = {text for text in left if text.partition(".")[2] not in BY_THEIR_NAMES}
    assert unnamed == NO_TEXTS_TO_OTHERS


def texts_of_all_tables() -> Iterator[str]:
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            is_text = isinstance(column.type, String | AutoString | Sealed | JSONB | ARRAY)
            is_key = column.primary_key or column.foreign_keys or column.name.endswith("_hash")
            if is_text and not is_key:
                yield f"{table.name}.{column.name}"


async def test_nor_in_what_others_were_told(database: str):
    """Whatever its words take: a title, a moderator's note, why an ad was rejected."""
    maja = (await the_player("Maja")).user_id
    held.hold_everything(database, OTTO)
    change(database, "delete from account_closures where hidden <> %s", "")
    told = {"title": SAID, "note": SAID, "why": SAID, "reason": ["a.key"], "number": 7}
    change(database, "update notifications set params = %s", json.dumps(told))
    await maja_is_forgotten(maja)
    params = one(database, "select params::text from notifications")
    assert json.loads(params) == told | {"title": LEFT, "note": LEFT, "why": LEFT}


async def test_nor_in_why_a_view_of_anothers_was_credited_back(database: str):
    maja, otto = (await the_player("Maja")).user_id, await the_player("Otto")
    view = await starts(otto, await an_ad())
    await finishes(otto, view, now=NOON + timedelta(seconds=view.seconds))
    async with transaction() as session:
        await review.credit_back(session, None, view.view_id, "For @Maja, too", now=NOON)
    await maja_is_forgotten(maja)
    assert one(database, "select invalid_reason from ad_views") == "For @deleted, too"


async def test_nor_in_the_log_of_what_was_decided(database: str):
    """As a text spells it, too."""
    strauss = (await the_player("Strauß")).user_id
    async with transaction() as session:
        action = audit.Action.FORUM_HIDDEN
        await audit.record(session, None, action, "thing", reason="As @Strauß said.", now=NOON)
    await is_forgotten("strauss", strauss)
    query = "select reason from audit_entries where about = 'thing'"
    assert one(database, query) == ""


async def test_nor_by_a_handle_that_a_moderator_replaced(database: str):
    maja = (await the_player("Maja")).user_id
    held.hold_everything(database, OTTO)
    change(database, "delete from account_closures where hidden <> %s", "")
    change(database, "update profiles set bio = %s", "As @maja did, who is @player_1f2e3d4c5 now.")
    async with transaction() as session:
        session.add(AccountHandle(handle="player_1f2e3d4c5", account_id=maja, retired_at=NOON))
    await maja_is_forgotten(maja)
    assert one(database, "select bio from profiles") == "As @deleted did, who is @deleted now."
    assert one(database, f"select count(*) from account_handles where account_id = '{maja}'") == 0


async def test_is_found_as_a_text_spells_it(database: str):
    """A handle is folded: `@Strauß` calls whoever is `strauss`."""
    strauss = (await the_player("Strauß")).user_id
    held.hold_everything(database, OTTO)
    change(database, "delete from account_closures where hidden <> %s", "")
    change(database, "update profiles set bio = %s", "With @Strauß, @STRAUSS and @straussen")
    await is_forgotten("strauss", strauss)
    assert one(database, "select bio from profiles") == "With @deleted, @deleted and @straussen"


async def test_nor_in_the_bio_of_whoever_may_still_come_back(database: str):
    maja, otto = (await the_player("Maja")).user_id, (await the_player("Otto")).user_id
    async with transaction() as session:
        await closing.close(session, otto, now=NOON + timedelta(days=40))
    query = "select hidden from account_closures where cancelled_at is null and erased_at is null"
    hidden = json.loads(unseal(one(database, query)))
    hidden["profile"] = {"bio": SAID, "is_public": True}
    change(database, "update account_closures set hidden = %s", seal(json.dumps(hidden)))
    await maja_is_forgotten(maja)
    assert json.loads(unseal(one(database, query))) == hidden | {
        "profile": {"bio": LEFT, "is_public": True}
    }
