"""The handle of somebody forgotten stands in nobody's text: the next to take it was not meant."""

import json
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.sealed import seal, unseal
from rewards_app.features.accounts import closing
from rewards_app.features.privacy import erasing
from rewards_app.models import AccountHandle
from tests import held
from tests.ads import the_player
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
    "user_games": ("description",),
}


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


@pytest.mark.parametrize("place", range(max(map(len, COLUMNS.values()))))
async def test_is_called_no_more_in_anothers(database: str, place: int):
    """One column of each table at a time: a row must not be found by another one of its own."""
    spoilt = {table: names[place] for table, names in COLUMNS.items() if place < len(names)}
    maja = (await the_player("Maja")).user_id
    held.hold_everything(database, OTTO)
    change(database, "delete from account_closures where hidden <> %s", "")
    for table, name in spoilt.items():
        change(database, f"update {table} set {name} = %s", SAID)
    await maja_is_forgotten(maja)
    left = {
        f"{table}.{name}": one(database, f"select {name} from {table}")
        for table, name in spoilt.items()
    }
    assert left == dict.fromkeys(left, LEFT)


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
