"""What others were told and what is written down, once somebody is forgotten."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.accounts import closing
from rewards_app.features.audit import log as audit_log
from rewards_app.features.audit.rules import Search
from rewards_app.features.forum import casebook, decisions, desk_repository, replies, rewording
from rewards_app.features.forum.desk_rules import Deed, Target, Why
from rewards_app.features.notifications import service as notifications
from rewards_app.features.privacy import erasing
from rewards_app.features.profile import repository as profiles
from rewards_app.features.profile import service as profile
from rewards_app.models import AccountHandle
from tests.ads import the_player
from tests.features.forum.test_desk import (
    a_moderator,
    appeals_it,
    decides,
    reports_it,
    seen,
    told,
)
from tests.forum import a_reply, a_topic, figures, row
from tests.people import NOON
from tests.tickets import reads
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
MONTHS = timedelta(days=60)
BOASTS = {"display_name": "Lars", "bio": "@maja loses"}


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def closes(actor: Actor) -> None:
    async with transaction() as session:
        await closing.close(session, actor.user_id, now=NOON)


async def is_called(actor: Actor, handle: str, *, until: datetime | None = None) -> None:
    async with transaction() as session:
        session.add(AccountHandle(handle=handle, account_id=actor.user_id, retired_at=until))


async def is_forgotten(actor: Actor) -> None:
    await closes(actor)
    assert await erasing.erase(actor.user_id, now=NOON + MONTHS)


async def bio_of(actor: Actor) -> str:
    async with transaction() as session:
        return (await profiles.profile_of(session, actor.user_id)).bio


async def titles_told(actor: Actor) -> list[str]:
    async with transaction() as session:
        found = await notifications.told(session, actor.user_id)
    return [str(one.params["title"]) for one in found.shown]


async def test_the_bell_calls_them_no_more_in_the_title_of_anothers_topic():
    maja, ola, lars = [await the_player(name) for name in ("Maja", "Ola", "Lars")]
    topic = await a_topic(ola, title="Thanks @Maja, and @majalena")
    await is_called(maja, "maja")
    async with transaction() as session:
        await replies.reply(session, lars, topic, "So do I.", language="en", now=NOON)
    await is_forgotten(maja)
    assert await titles_told(ola) == ["Thanks @deleted, and @majalena"]


async def test_a_moderators_note_on_anothers_topic_calls_them_no_more():
    """In the bell of its author, and in the ticket with their appeal."""
    maja, ola, linnea = await the_player("Maja"), await the_player("Ola"), await a_moderator()
    topic = await a_topic(ola)
    await is_called(maja, "maja")
    await decides(linnea, topic, Deed.HIDE, note="It hurt @Maja.")
    number = await appeals_it(ola, topic, words="I meant @maja no harm.")
    await decides(linnea, topic, Deed.TURN_DOWN, note="Ask @maja.")
    await is_forgotten(maja)
    assert [params["note"] for _, params in await told(ola)] == [
        "Ask @deleted.",
        "It hurt @deleted.",
    ]
    thread = await reads(ola, number)
    assert [said.text.splitlines()[-1] for said in thread.said] == [
        "I meant @deleted no harm.",
        "Ask @deleted.",
    ]


async def test_the_audit_log_keeps_no_title_of_theirs_with_a_reply_of_another():
    maja, ola, linnea = await the_player("Maja"), await the_player("Ola"), await a_moderator()
    topic = await a_topic(maja, title="Maja's birthday")
    reply = await a_reply(ola, topic)
    await decides(linnea, reply, Deed.HIDE, target=Target.REPLY)
    await decides(linnea, topic, Deed.LOCK)
    await is_forgotten(maja)
    async with transaction() as session:
        found = await audit_log.find(session, Search())
    labels = [line.label for line in found.shown]
    assert "Ola" in labels
    assert "birthday" not in str(labels)


class TestWhoeverTookOneThingAndNeedsAnother:
    """They wait for nobody who is being forgotten, and keep nobody from it."""

    @pytest.fixture
    async def maja(self) -> Actor:
        maja = await the_player("Maja")
        await is_called(maja, "maja")
        return maja

    @asynccontextmanager
    async def held(
        self, database: str, maja: Actor, target: Target, thing: UUID
    ) -> AsyncGenerator[AsyncSession]:
        """It is theirs first; meanwhile somebody is forgotten, who waits for it."""
        await closes(maja)
        async with transaction() as session:
            await desk_repository.lock(session, target, thing)
            going = asyncio.create_task(erasing.erase(maja.user_id, now=NOON + MONTHS))
            await are_waiting(database)
            yield session
        assert await going

    @asynccontextmanager
    async def meanwhile(
        self, monkeypatch: pytest.MonkeyPatch, database: str, maja: Actor, of: Any, name: str
    ) -> AsyncGenerator[None]:
        """Somebody is being forgotten from when that is called on."""
        await closes(maja)
        going: list[asyncio.Task[bool]] = []
        really = getattr(of, name)

        async def once_they_wait(*arguments: Any, **named: Any) -> Any:
            going.append(asyncio.create_task(erasing.erase(maja.user_id, now=NOON + MONTHS)))
            await are_waiting(database)
            return await really(*arguments, **named)

        monkeypatch.setattr(of, name, once_they_wait)
        yield
        [task] = going
        assert await task

    @pytest.mark.parametrize("handle", ["maja", "zara"])
    async def test_a_reply_is_changed_in_a_topic_that_calls_them_by_any_handle(
        self, database: str, maja: Actor, handle: str
    ):
        await is_called(maja, "zara", until=NOON)
        ola, lars = await the_player("Ola"), await the_player("Lars")
        topic = await a_topic(ola, f"Thanks @{handle}, that was it.")
        reply = await a_reply(lars, topic, f"As @{handle} says.")
        async with self.held(database, maja, Target.REPLY, reply) as session:
            await replies.edit(session, lars, reply, f"Yes, @{handle}!", language="en", now=NOON)
        assert (await row("forum_replies", reply))["content"] == "Yes, @deleted!"
        assert (await row("forum_posts", topic))["content"] == "Thanks @deleted, that was it."

    async def test_a_reply_whose_author_calls_them_in_an_appeal_is_restored_in_their_topic(
        self, database: str, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        lars, linnea = await the_player("Lars"), await a_moderator()
        reply = await a_reply(lars, await a_topic(maja))
        await decides(linnea, reply, Deed.HIDE, target=Target.REPLY)
        number = await appeals_it(lars, reply, Target.REPLY, words="@maja began.")
        looked_at, why = await seen(reply, Target.REPLY), Why.MISTAKE.value
        async with (
            self.meanwhile(monkeypatch, database, maja, casebook, "item_of"),
            transaction() as session,
        ):
            await decisions.decide(session, linnea, looked_at, Deed.RESTORE, why, "", now=NOON)
        assert (await row("forum_replies", reply))["state"] == "shown"
        assert (await reads(lars, number)).said[0].text == "@deleted began."

    async def test_a_hidden_bio_that_calls_them_is_written_anew(
        self, database: str, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        """Its appeal, which is taken back with it, calls them as well."""
        lars, linnea = await the_player("Lars"), await a_moderator()
        async with transaction() as session:
            await profile.describe(session, lars, BOASTS, now=NOON)
        await reports_it(await the_player("Ola"), lars.user_id, Target.PROFILE)
        await decides(linnea, lars.user_id, Deed.HIDE, target=Target.PROFILE)
        number = await appeals_it(lars, lars.user_id, Target.PROFILE, words="@maja laughed.")
        async with (
            self.meanwhile(monkeypatch, database, maja, rewording, "says_something_else"),
            transaction() as session,
        ):
            await profile.describe(session, lars, BOASTS | {"bio": "@maja wins"}, now=NOON)
        assert await bio_of(lars) == "@deleted wins"
        assert (await reads(lars, number)).said[0].text == "@deleted laughed."

    async def test_a_reply_of_theirs_is_hidden_in_a_topic_that_calls_them(
        self, database: str, maja: Actor
    ):
        linnea = await a_moderator()
        topic = await a_topic(await the_player("Ola"), "Who knows? Maybe @maja.")
        reply = await a_reply(maja, topic)
        looked_at, why = await seen(reply, Target.REPLY), Why.HARASSMENT.value
        async with self.held(database, maja, Target.REPLY, reply) as session:
            await decisions.decide(session, linnea, looked_at, Deed.HIDE, why, "", now=NOON)
        assert (await row("forum_posts", topic))["replies_count"] == 0
        assert (await row("forum_replies", reply))["content"] == ""

    async def test_the_second_of_their_topics_is_hidden(self, database: str, maja: Actor):
        """Both take the figures of the forum, and of who wrote it."""
        linnea = await a_moderator()
        _, second = await a_topic(maja), await a_topic(maja)
        looked_at, why = await seen(second), Why.HARASSMENT.value
        async with self.held(database, maja, Target.POST, second) as session:
            await decisions.decide(session, linnea, looked_at, Deed.HIDE, why, "", now=NOON)
        assert await figures() == {}
