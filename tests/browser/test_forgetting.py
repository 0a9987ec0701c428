"""A life in the running app, by a browser; then it is forgotten, and looked for everywhere."""

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from rewards_app.core.database import transaction
from rewards_app.core.postgres import embedded
from rewards_app.core.sealed import fingerprint
from rewards_app.features.accounts import handles
from tests import ledger, traces
from tests.beside import beside
from tests.browser.chromium import Visitor, visitor
from tests.browser.pages import AgePrompt, Auth
from tests.browser.test_account_security import Security
from tests.browser.test_forum import Forum
from tests.browser.test_privacy import Data
from tests.browser.test_profile import Profile
from tests.browser.test_support import Support
from tests.features.privacy.rich import Words
from tests.serving import Redis, Served

EVERY_COOKIE = '{"essential":true,"analytics":true,"marketing":true,"ipLogging":true}'
PASSWORD = "Brave-Thistle42-sings"
A_WHILE = 20
"""Seconds within which what still runs is done, and caches are emptied."""


@dataclass
class Life:
    """Somebody in front of the app, with words that nobody else has."""

    words: Words
    served: Served
    visitor: Visitor

    @property
    def database(self) -> str:
        return embedded.url_of_running(self.served.data)

    @property
    def agent(self) -> str:
        return self.words.browser.user_agent


@pytest.fixture
async def zofia(a_chromium: Browser, two_workers: Served) -> AsyncIterator[Life]:
    words = Words("zofiaq", address="203.0.113.177", phone="+46701740633")
    cookies = {"cookie-consent": EVERY_COOKIE}
    async with visitor(
        a_chromium, two_workers.url, stored=cookies, user_agent=words.browser.user_agent
    ) as one:
        await one.context.set_extra_http_headers({"X-Forwarded-For": words.address})
        life = Life(words, two_workers, one)
        await lives(life)
        yield life
    assert not one.troubles


async def lives(life: Life) -> None:
    """Everything that leaves words behind, as far as a browser reaches."""
    await signs_up(life)
    await signs_in(life)
    await describes_themselves(life)
    await talks_in_the_forum(life)
    await asks_support(life)
    await fetches_a_copy(life)


async def signs_up(life: Life) -> None:
    screen = Auth(await life.visitor.open("/auth"))
    await screen.type_player_details(life.words.name)
    await screen.field("auth.phone").fill(life.words.phone.replace("+46", "0"))
    await screen.sign_up(life.words.email, PASSWORD)
    await screen.is_sent_to(life.words.email)
    link = await asyncio.to_thread(life.served.letters.link_to, life.words.email)
    await screen.follows(link)


async def signs_in(life: Life) -> None:
    """With a mistake first: failures are counted, logged and looked at."""
    screen = Auth(await life.visitor.open("/auth?mode=login"))
    await screen.sign_in(life.words.email, life.words.says("Passw0rd!"))
    await screen.sees_toast(screen.says["errors.accounts.invalid_credentials"])
    await screen.sign_in(life.words.email, PASSWORD)
    await AgePrompt(life.visitor.page).answer(life.words.born)


async def describes_themselves(life: Life) -> None:
    profile = Profile(life.visitor.page)
    await profile.opens()
    await profile.button("profile.edit").click()
    await profile.field("profile.display_name").fill(life.words.other_name)
    await profile.field("profile.your_bio").fill(life.words.says("bio"))
    await profile.button("profile.save").click()
    await expect(profile.name).to_have_text(life.words.other_name)


async def talks_in_the_forum(life: Life) -> None:
    forum = Forum(await life.visitor.open("/forum"))
    await expect(forum.main.get_by_role("heading").first).to_be_visible()
    title = life.words.says("title")
    await forum.posts(title, f"Hello, {life.words.says('content')} is my map")
    await expect(forum.main.get_by_role("heading", name=title)).to_be_visible()
    await life.visitor.open("/forum")
    await expect(forum.main.get_by_role("heading").first).to_be_visible()
    await forum.field("forum.search").fill(life.words.says("searched"))
    await forum.page.keyboard.press("Enter")
    await expect(forum.page).to_have_url(re.compile("searched"))
    await forum.begins(life.words.says("drafttitle"), life.words.says("draft"))
    await until_kept(life, "forum_drafts", life.words.said[-1])


async def until_kept(life: Life, table: str, word: str) -> None:
    for _ in range(A_WHILE):
        if word in str(traces.rows_of(life.database, table)):
            return
        await asyncio.sleep(1)
    raise AssertionError(f"{word} did not come to {table}")


async def asks_support(life: Life) -> None:
    support = Support(life.visitor.page)
    await support.open()
    subject = life.words.says("subject")
    await support.asks(subject, f"{life.words.says('question')} and a few more words of it")
    await expect(support.ticket(subject)).to_be_visible()


async def fetches_a_copy(life: Life) -> None:
    """A second one lies there still when the account ends."""
    screen = Data(await life.visitor.open("/gdpr"))
    await screen.asks(PASSWORD)
    await screen.is_ready()
    archive = zipfile.ZipFile(io.BytesIO(await screen.downloads()))
    assert life.words.email in archive.read("account/account.json").decode()
    await screen.field("gdpr.password").fill(PASSWORD)
    await screen.button("gdpr.ask_again").click()
    await screen.is_ready()


async def deletes_the_account(life: Life) -> None:
    screen = Security(life.visitor.page)
    await screen.opens("danger")
    await screen.button("security.delete_account").click()
    await screen.field("security.your_password").fill(PASSWORD)
    dialog = screen.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Delete Account", exact=True).click()
    await screen.is_at("/landing")


async def is_forgotten(life: Life) -> None:
    """The queue may be sending them a letter: then the command says so, and is given again."""
    for _ in range(A_WHILE):
        done = life.served.command("erase", life.words.email, "--now")
        if done.returncode == 0:
            return
        await asyncio.sleep(1)
    raise AssertionError(done.stderr)


async def what_runs(life: Life, redis: Redis, values: list[str]) -> dict[str, list[str]]:
    """With the app's own key: what is sealed is looked into."""
    async with beside(life.served):
        return {
            "tables": traces.traces_in_tables(life.database, values),
            "redis": traces.traces_in_redis(redis.url, values),
        }


def what_lies_there(life: Life, values: list[str]) -> dict[str, list[str]]:
    """The log of the server is among its files."""
    pages = Path(life.served.environment["REFLEX_WEB_WORKDIR"]) / "build" / "client"
    return {
        "files": traces.traces_in_files(life.served.data, values),
        "pages": traces.traces_in_files(pages, values),
    }


async def values_of(life: Life) -> list[str]:
    """What they typed and brought along, and every mark that the app made of it."""
    async with beside(life.served), transaction() as session:
        accounts = traces.rows_of(life.database, "accounts")
        [account] = [row for row in accounts if row["email"] == life.words.email]
        handle = await handles.handle_of(session, account["id"])
        marks = [fingerprint(life.words.address), handle]
    sessions = traces.rows_of(life.database, "account_sessions")
    own = [one for one in sessions if one["account_id"] == account["id"]]
    cookies = [
        cookie["value"]
        for cookie in await life.visitor.context.cookies()
        if cookie["name"] in ("session", "door")
    ]
    hashes = {one[name] for one in own for name in ("token_hash", "door_hash")}
    return [
        *(life.words.seed, life.words.email, life.words.name, life.words.other_name),
        *(life.words.phone, life.words.phone[3:], life.words.born, life.words.address),
        *(life.agent, PASSWORD, *life.words.said, *marks, *cookies, *hashes),
    ]


class TestForgotten:
    # A whole life takes its time where others use the machine, too.
    @pytest.mark.timeout(600)
    async def test_leaves_no_trace_in_tables_files_logs_and_caches(
        self, zofia: Life, two_workers: Served, redis: Redis
    ):
        values = await values_of(zofia)
        before = await what_runs(zofia, redis, values)
        assert before["tables"]
        assert before["redis"], "else nothing was looked at"
        await deletes_the_account(zofia)
        await zofia.visitor.page.goto("about:blank")

        await is_forgotten(zofia)

        left = await what_runs(zofia, redis, values)
        for _ in range(A_WHILE):
            if not any(left.values()):
                break
            await asyncio.sleep(1)
            left = await what_runs(zofia, redis, values)
        assert not any(left.values()), left
        assert what_lies_there(zofia, values) == {"files": [], "pages": []}
        assert not ledger.what_is_wrong(zofia.database)
        assert two_workers.command("audit", "check").returncode == 0
