"""Two workers behind nginx: killed, replaced and renewed while people are there."""

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import datetime
from uuid import uuid4

import httpx
import psutil
import psycopg
import pytest
from playwright.async_api import expect

from rewards_app.core.page_states.held import HELD
from rewards_app.models import Ad
from tests import people, shop, steady
from tests.ads import an_ad
from tests.browser.buying import a_rich
from tests.browser.conftest import Come, Person
from tests.browser.pages import Shop, thanks_of
from tests.browser.test_lost_connection import is_the_same_page, marks
from tests.browser.watching import a_film, at_the_ads
from tests.hostile.client import AUTH, BAR, SESSION, WATCH, Browser, Tab
from tests.serving import Served
from tools.cluster.running import Cluster
from tools.cluster.workers import Worker

AWAY = ("ERR_CONNECTION_REFUSED", "WebSocket", "Failed to load", "502", "504")
BACK_WITHIN = 15.0
"""Five seconds is what the bench holds it to; here others may use the machine."""
pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("all_ready")]


def ask(served: Served, query: str, *values: object) -> list[tuple]:
    with psycopg.connect(served.database) as connection:
        return connection.execute(query, values).fetchall()


def entries_of(served: Served, person: Person) -> list[tuple]:
    """What was paid for ads."""
    query = "select amount from coin_entries where account_id = %s and cause like 'ad:%%'"
    return ask(served, query, person.account_id)


def at_worker(workers: Cluster, number: int, served: Served, session: str) -> Browser:
    """Past the proxy, to one worker."""
    url = f"http://127.0.0.1:{workers.workers[number - 1].port}"
    there = Served(url, served.data, served.letters, served.issuer, served.log, served.environment)
    return Browser(there, {"session": session})


@contextmanager
def standing_still(worker: Worker) -> Iterator[None]:
    """All of its processes, as those of a machine that is too busy."""
    owner = psutil.Process(worker.pid)
    all_of_it = [owner, *owner.children(recursive=True)]
    for one in all_of_it:
        one.suspend()
    try:
        yield
    finally:
        for one in all_of_it:
            one.resume()


async def begins(tab: Tab, ad: Ad) -> str:
    """The view that runs in this tab now."""
    await tab.call(f"{WATCH}.start", {"ad_id": str(ad.id), "fingerprint": "a browser"})
    return tab.says("running")["session_id"]


async def kill_and_replace(workers: Cluster, number: int) -> None:
    starts = workers.workers[number - 1].starts
    await asyncio.to_thread(workers.kill, number)
    await asyncio.to_thread(workers.wait_for, number, starts=starts + 1)


async def buys_as_told(screen: Shop, product: str) -> None:
    """Pressed in a cut it is done, or said not to be, or not for sure: it is pressed again."""
    says = screen.says
    words = [re.escape(says[f"frame.{key}"]) for key in ("not_sent", "unsent", "unsure")]
    said = screen.page.get_by_text(re.compile("|".join(words))).filter(visible=True).first
    thanks = thanks_of(screen, product)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not await thanks.is_visible():
        # What is said goes away by itself, perhaps before a press that met the cut has ended.
        told = expect(thanks.or_(said).first).to_be_visible(timeout=60_000)
        await asyncio.gather(told, screen.buy())
        await expect(said).to_be_hidden(timeout=60_000)
    await screen.thanks_for(product)


class TestKilledWorkers:
    async def test_a_player_watches_and_buys_while_each_of_them_is_killed(
        self, workers: Cluster, served: Served, come: Come, maja: Person
    ):
        film = await a_film(seconds=10)
        await shop.stock(1, shop.THE_PACKAGE)
        buyer = await a_rich(maja, 200)
        visitor = await come()
        visitor.bears(*AWAY)
        watch = await at_the_ads(visitor, maja)
        await watch.start(film.title)
        await marks(watch.page)
        await kill_and_replace(workers, 1)
        await expect(watch.outcomes.first).to_contain_text(film.title, timeout=60_000)
        await expect(watch.outcomes.first).to_contain_text("+15")
        assert await is_the_same_page(watch.page)
        assert entries_of(served, maja) == [(15,)]

        screen = Shop(visitor.page)
        await screen.open()
        await screen.pays("0 kr")
        await asyncio.to_thread(workers.kill, 2)
        await buys_as_told(screen, "1,000 V-Bucks")
        [order] = await shop.orders_of(buyer)
        assert order.coins == shop.PRICE

    async def test_a_tab_goes_on_with_what_it_showed_and_is_paid_once(
        self, workers: Cluster, served: Served, maja: Person
    ):
        """On the other worker, under its own token: it is no copy of the tab that was cut."""
        ad = await an_ad(seconds=5, reward=15)
        token = str(uuid4())
        one = at_worker(workers, 2, served, maja.session)
        async with one.tab("/watch", token=token, origin=served.url) as tab:
            view = await begins(tab, ad)
            await asyncio.sleep(5.1)
            finished = {"session_id": view, "watch_time": 5}
            await tab.tell(f"{WATCH}.finish", finished)
            await asyncio.to_thread(workers.kill, 2)
            await tab.until(lambda: not tab.is_open, BACK_WITHIN)
        cut_at = steady.seconds()
        async with Browser(served, {"session": maja.session}).tab("/watch", token=token) as again:
            assert steady.seconds() - cut_at < BACK_WITHIN
            assert again.says("role") == "player"
            assert [name for name, _ in again.heard if name == "new_token"] == []
            await again.call(f"{WATCH}.ask_again", finished)
            await again.until(lambda: again.says("stage") == "rewarded", BACK_WITHIN)
        assert entries_of(served, maja) == [(15,)]

    async def test_a_page_that_is_back_keeps_its_token_while_its_worker_stands_still(
        self, workers: Cluster, served: Served, maja: Person
    ):
        token, door = str(uuid4()), {"door": "d" * 40}
        one, two = (at_worker(workers, number, served, maja.session) for number in (1, 2))
        one.cookies |= door
        two.cookies |= door
        async with one.tab("/", token=token, origin=served.url):
            with standing_still(workers.workers[0]):
                back = Tab(two, "/", token=token, origin=served.url)
                coming = asyncio.create_task(back.open())
                await asyncio.sleep(2)
                assert not coming.done()
            await coming
            assert back.says("role") == "player"
            assert not back.has_new_token
            await back.close()

    async def test_an_ad_begun_in_its_last_moment_goes_on(
        self, workers: Cluster, served: Served, maja: Person
    ):
        """What the tab showed before had been kept; that an ad was begun had not."""
        ad = await an_ad(seconds=5, reward=15)
        token = str(uuid4())
        one = at_worker(workers, 1, served, maja.session)
        async with one.tab("/watch", token=token, origin=served.url) as tab:
            await asyncio.sleep(2 * HELD.total_seconds())
            view = await begins(tab, ad)
            await asyncio.to_thread(workers.kill, 1)
            await tab.until(lambda: not tab.is_open, BACK_WITHIN)
        async with Browser(served, {"session": maja.session}).tab("/watch", token=token) as again:
            assert (again.says("stage"), again.says("elsewhere")) == ("watching", {})
            assert again.says("running")["session_id"] == view

    async def test_a_copied_tab_gets_a_token_of_its_own(
        self, workers: Cluster, served: Served, maja: Person
    ):
        """While the first one is open, on whichever worker."""
        token = str(uuid4())
        first, second = (at_worker(workers, n, served, maja.session) for n in (1, 2))
        async with (
            first.tab("/", token=token, origin=served.url) as original,
            second.tab("/", token=token, origin=served.url, is_silent=True) as copy,
        ):
            await copy.until(lambda: any(name == "new_token" for name, _ in copy.heard))
            assert original.is_open


class TestANewVersion:
    async def test_signs_nobody_out_and_somebody_answers_all_the_while(
        self, workers: Cluster, served: Served, come: Come, maja: Person
    ):
        visitor = await come()
        visitor.bears(*AWAY)
        watch = await at_the_ads(visitor, maja)
        await marks(watch.page)
        before = [worker.starts for worker in workers.workers]
        async with always_answered(served):
            await asyncio.to_thread(workers.restart_all)
        assert [worker.starts for worker in workers.workers] == [n + 1 for n in before]

        film = await a_film()
        await expect(watch.page.locator(".connection-layer")).to_be_hidden(timeout=30_000)
        assert await is_the_same_page(watch.page)
        await watch.page.reload()
        await watch.is_ready()
        await watch.start(film.title)
        await watch.is_rewarded()


@contextlib.asynccontextmanager
async def always_answered(served: Served) -> AsyncIterator[None]:
    """Ten times a second somebody asks for a page, and gets it."""
    failed: list[int] = []
    is_over = asyncio.Event()

    async def keep_asking() -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            while not is_over.is_set():
                answer = await http.get(f"{served.url}/landing/")
                failed.extend([answer.status_code] if answer.status_code != 200 else [])
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(is_over.wait(), 0.1)

    asking = asyncio.create_task(keep_asking())
    try:
        yield
    finally:
        is_over.set()
        await asking
    assert failed == []


class TestTwoWorkers:
    async def test_a_session_that_ends_on_one_is_out_on_the_other(
        self, workers: Cluster, served: Served, maja: Person
    ):
        one, other = (at_worker(workers, n, served, maja.session) for n in (1, 2))
        async with (
            one.tab("/", origin=served.url) as here,
            other.tab("/", origin=served.url) as there,
        ):
            assert there.says("role") == "player"
            await here.tell(f"{SESSION}.sign_out", {})
            await there.until(lambda: there.says("role") == "visitor", BACK_WITHIN)

    async def test_coins_earned_on_one_show_on_the_other(
        self, workers: Cluster, served: Served, maja: Person
    ):
        one, other = (at_worker(workers, n, served, maja.session) for n in (1, 2))
        ad = await an_ad(seconds=5, reward=15)
        async with (
            one.tab("/watch", origin=served.url) as here,
            other.tab("/", origin=served.url) as there,
        ):
            await here.call(f"{WATCH}.start", {"ad_id": str(ad.id), "fingerprint": "a browser"})
            await asyncio.sleep(5.1)
            view = here.says("running")["session_id"]
            await here.call(f"{WATCH}.finish", {"session_id": view, "watch_time": 5})
            await there.until(lambda: there.says(f"{BAR}.balance") == 15, BACK_WITHIN)

    async def test_run_each_periodic_job_once(self, workers: Cluster, served: Served):
        """Where a worker begins, what was due before it came may run beside what is due then."""
        [(begun,)] = ask(served, "select date_trunc('minute', now()) + interval '1 minute'")
        await self._jobs_ran_since(served, begun)
        twice = ask(
            served,
            "select job, date_trunc('minute', started_at), count(*) from job_runs"
            " where started_at >= %s group by 1, 2 having count(*) > 1",
            begun,
        )
        assert twice == []

    async def _jobs_ran_since(self, served: Served, begun: datetime) -> None:
        swept = "select 1 from job_runs where job = 'ads.sweep' and started_at >= %s"
        for _ in range(240):
            if ask(served, f"{swept} and ended_at < now()", begun):
                return
            await asyncio.sleep(0.5)
        raise AssertionError("no job ran")


class TestTheProxy:
    async def test_passes_sockets_and_needs_no_polling(self, served: Served):
        async with Browser(served).tab("/landing") as tab:
            assert tab.says("role") == "visitor"
        async with httpx.AsyncClient() as http:
            polled = await http.get(f"{served.url}/_event/?EIO=4&transport=polling")
        assert polled.status_code == 400

    async def test_leaves_the_headers_as_the_app_has_them(self, served: Served):
        async with httpx.AsyncClient() as http:
            answer = await http.get(f"{served.url}/landing/")
        for name in ("content-security-policy", "x-content-type-options", "referrer-policy"):
            assert len(answer.headers.get_list(name)) == 1
        assert answer.headers["server"] == "nginx", "and not which one"

    async def test_takes_nothing_large(self, served: Served):
        async with httpx.AsyncClient() as http:
            answer = await http.post(f"{served.url}/webhooks/stripe", content=b"x" * 1_100_000)
        assert answer.status_code == 413

    async def test_shows_no_figures(self, served: Served):
        async with httpx.AsyncClient() as http:
            assert (await http.get(f"{served.url}/metrics")).status_code == 404

    async def test_does_not_believe_a_forged_address(self, served: Served):
        """Who is to be counted as somebody else each time is counted as one all the same."""
        said: list[str] = []
        async with AsyncExitStack() as opened:
            strangers = [
                Browser(served, {"door": "d" * 40}, f"203.0.113.{number}") for number in range(11)
            ]
            # Within the minute that counts they do nothing but sign in.
            tabs = [
                await opened.enter_async_context(stranger.tab("/auth?mode=login"))
                for stranger in strangers
            ]
            for number, tab in enumerate(tabs):
                form = {"email": f"nobody{number}@example.com", "password": people.PASSWORD}
                answer = await tab.call(f"{AUTH}.sign_in", {"form": form})
                said.append(str(answer.changed))
        assert "too_many" in said[-1], said[-1]
        assert "too_many" not in said[0]


class TestTheDoctor:
    def test_finds_nothing_wrong_here(self, workers: Cluster):
        found = workers.command("doctor")
        assert found.returncode == 0, found.stdout
        assert re.search(r"fine .+ PostgreSQL 15\.", found.stdout), found.stdout

    def test_misses_https_alone_from_outside(self, workers: Cluster):
        found = workers.command("doctor", "--from-outside", workers.url)
        wrong = [line for line in found.stdout.splitlines() if line.startswith("WRONG")]
        assert wrong == [
            f"WRONG  {workers.url} is not https: passwords and sessions travel in clear."
        ]
