"""The page of the link in a mail, and the one click of a mail program: a letter really sent."""

import re
from collections.abc import AsyncIterator
from html import unescape

import httpx2 as httpx
import pytest
from starlette.applications import Starlette

from rewards_app.api import unsubscribe
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.notifications import letters, service, unsubscribing
from rewards_app.features.notifications.rules import ABOUT, Kind, Topic
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests.ads import the_player
from tests.core.test_mail import a_worker, until
from tests.people import NOON
from tests.serving import smtp_server
from tests.serving import text_of as said_in

pytestmark = pytest.mark.usefixtures("database")
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
KIND_OF = {topic: next(k for k in Kind if ABOUT[k].topic is topic) for topic in Topic}


@pytest.fixture
async def browser(database: str) -> AsyncIterator[httpx.AsyncClient]:
    app = httpx.ASGITransport(Starlette(routes=unsubscribe.ROUTES))
    async with httpx.AsyncClient(transport=app, base_url="http://localhost") as client:
        yield client


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


async def wants(actor: Actor, topic: Topic = Topic.MODERATION) -> bool:
    async with transaction() as session:
        return (await service.choices(session, actor))[topic]


async def speaks(actor: Actor, language: str) -> None:
    async with transaction() as session:
        connection = await session.connection()
        await connection.exec_driver_sql(
            "update accounts set language = %s where id = %s", (language, actor.user_id)
        )


def link_of(actor: Actor, topic: Topic = Topic.MODERATION) -> str:
    return f"/unsubscribe?token={unsubscribing.token_for(actor.user_id, topic)}"


def where_the_button_leads(page: str) -> str:
    found = re.search(r'<form method="post" action="([^"]+)"', page)
    assert found
    return unescape(found[1])


class TestThePage:
    @pytest.mark.parametrize("language", CODES)
    async def test_asks_in_the_language_of_the_recipient(
        self, browser: httpx.AsyncClient, maja: Actor, language: str
    ):
        await speaks(maja, language)
        answer = await browser.get(link_of(maja))
        says = catalogues.interface(language)
        page = unescape(answer.text)
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in page
        assert says["unsubscribe.ask_title"] in page
        assert says["notifications.topics.moderation"] in page
        assert "{{" not in page

    async def test_changes_nothing_by_being_opened(self, browser: httpx.AsyncClient, maja: Actor):
        await browser.get(link_of(maja))
        await browser.head(link_of(maja))
        assert await wants(maja)

    async def test_has_a_button_that_switches_off_and_one_that_undoes_it(
        self, browser: httpx.AsyncClient, maja: Actor
    ):
        asked = await browser.get(link_of(maja))
        done = await browser.post(where_the_button_leads(asked.text))
        assert "You are unsubscribed" in done.text
        assert not await wants(maja)
        undone = await browser.post(where_the_button_leads(done.text))
        assert "You are subscribed again" in undone.text
        assert await wants(maja)

    async def test_says_it_when_it_is_done_already(self, browser: httpx.AsyncClient, maja: Actor):
        for _ in range(2):
            assert (await browser.post(link_of(maja))).status_code == 200
        assert "You are unsubscribed" in (await browser.get(link_of(maja))).text

    async def test_is_kept_by_nobody_and_names_nobody(
        self, browser: httpx.AsyncClient, maja: Actor
    ):
        answer = await browser.get(link_of(maja))
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-robots-tag"] == "noindex"
        assert "Maja" not in answer.text
        assert maja.email not in answer.text

    @pytest.mark.parametrize(
        "query", ["?", "?token=", "?token=abc", "?token=%00", "?token=%22%3E%3Cscript%3E1", "?x=1"]
    )
    async def test_of_a_bad_link_is_always_the_same(self, browser: httpx.AsyncClient, query: str):
        answers = [
            await browser.get(f"/unsubscribe{query}"),
            await browser.post(f"/unsubscribe{query}", data=ONE_CLICK),
            await browser.post(f"/unsubscribe{query}&undo=1"),
            await browser.get(f"/unsubscribe?token={unsubscribing.token_for(new_id(), 'x')}"),
        ]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.text for answer in answers}) == 1
        assert "<script" not in answers[0].text

    async def test_waits_for_whoever_asks_too_often(self, browser: httpx.AsyncClient, maja: Actor):
        answers = [await browser.get("/unsubscribe?token=x") for _ in range(121)]
        assert [answer.status_code for answer in answers] == [404] * 120 + [503]
        assert await wants(maja)


class TestALetter:
    @pytest.mark.parametrize("topic", list(Topic))
    async def test_is_stopped_by_one_click_of_a_mail_program(
        self, browser: httpx.AsyncClient, maja: Actor, topic: Topic, monkeypatch
    ):
        with smtp_server() as (received, port):
            monkeypatch.setattr(settings(), "smtp_host", "127.0.0.1")
            monkeypatch.setattr(settings(), "smtp_port", port)
            monkeypatch.setattr(settings(), "smtp_starttls", False)
            async with transaction() as session:
                await service.choose(session, maja, topic, True)
            async with a_worker():
                await self.happens(maja, topic)
                await until(lambda: received.all)
        [letter] = received.all
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        link = letter["List-Unsubscribe"].strip("<>")
        assert link in said_in(letter)
        clicked = await browser.post(link.removeprefix(settings().origin), data=ONE_CLICK)
        assert clicked.status_code == 200
        assert not await wants(maja, topic)

    async def happens(self, actor: Actor, topic: Topic) -> None:
        said = {"who": "Sven", "title": "Loadout", "note": ""}
        keys = {"reason": ["settings.title"], "name": ["settings.title"]}
        async with transaction() as session:
            await service.tell(
                session,
                actor.user_id,
                KIND_OF[topic],
                link="/forum",
                cause=str(new_id()),
                now=NOON,
                **said | keys,
            )
            await letters.tell_gathered(session, now=NOON)
