"""Mails speak the language that somebody chose last."""

from uuid import UUID

import psycopg
import pytest

from rewards_app.core.caller import digest
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import sessions, speaking
from tests.people import NOON, a_browser, an_account, signed_in


def language_of(database: str, account_id: UUID) -> str:
    with psycopg.connect(database) as connection:
        query = "select language from accounts where id = %s"
        found = connection.execute(query, (account_id,)).fetchone()
    assert found
    return found[0]


class TestALanguageThatIsChosen:
    async def test_is_kept_with_the_account_and_with_no_other(self, database: str):
        maja, emil = await an_account(), await an_account("emil@example.com", name="Emil")
        secret = await signed_in(maja.id, a_browser())
        actor = await sessions.find_actor(digest(secret), now=NOON)
        assert actor
        await speaking.keep_language(actor, "pl")
        assert language_of(database, maja.id) == "pl"
        assert language_of(database, emil.id) == "en"

    async def test_is_spoken_though_the_database_is_away(self, database: str, monkeypatch):
        maja = await an_account()
        secret = await signed_in(maja.id, a_browser())
        actor = await sessions.find_actor(digest(secret), now=NOON)
        assert actor

        async def away(*_: object) -> None:
            raise StorageAway

        monkeypatch.setattr(speaking, "statement", away)
        await speaking.keep_language(actor, "pl")
        assert language_of(database, maja.id) == "en"


@pytest.mark.parametrize("code", ["sv", "ru"])
async def test_each_choice_is_the_last(database: str, code: str):
    maja = await an_account()
    secret = await signed_in(maja.id, a_browser())
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    for one in ("de", code):
        await speaking.keep_language(actor, one)
    assert language_of(database, maja.id) == code
