"""The database has done it, and goes away before it says so: what was begun goes on."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack
from typing import Any, LiteralString, TypeVar

import psycopg
import pytest
from procrastinate import jobs as queued
from psycopg.rows import TupleRow

from rewards_app.core import jobs
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import billing_rules, top_ups
from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.payments.sandbox import SandboxGateway
from rewards_app.features.payments.service import GATEWAYS
from rewards_app.features.shop.rules import NoAnswer, Status
from tests.companies import a_company, asks, payment_of
from tests.servers import OwnServer, soon_given_up
from tests.shop import PRICE, a_buyer, balance_of, buys, orders_of, stock

COINS = 26
WHO_WAITS = "select pid from pg_stat_activity where wait_event = 'SyncRep'"
"""Its transaction is committed here, and waits for a second server to say so, too."""
SOMETHING_TO_COMMIT = "select pg_logical_emit_message(true, 'silence', '')"
GONE_WITHIN_MS = 10_000
"""Else it might hear that it need not wait any longer before it hears that it shall end."""

Came = TypeVar("Came")


class Silence:
    """No commit is answered: each waits for a server that does not exist."""

    def __init__(self, server: OwnServer) -> None:
        self.server = server

    async def swallows(self, answer: Coroutine[Any, Any, Came]) -> Came:
        """What comes of it, though its first commit is cut off before it is answered."""
        asked = await self._commits(answer)
        self._cuts_off_who_waits()
        self.ends()
        return await asked

    async def outlasts(self, answer: Coroutine[Any, Any, Came]) -> Came:
        """The same, and nobody answers any more until it has given up."""
        asked = await self._commits(answer)
        with self.server.away(), soon_given_up():
            came = (await asyncio.gather(asked, return_exceptions=True))[0]
        self.ends()
        if isinstance(came, BaseException):
            raise came
        return came

    def ends(self) -> None:
        self._set("alter system reset synchronous_standby_names")

    def _set(self, what: LiteralString) -> None:
        self._ask(what)
        self._ask("select pg_reload_conf()")

    async def _commits(self, answer: Coroutine[Any, Any, Came]) -> asyncio.Task[Came]:
        """It runs until its first commit waits to be answered."""
        self._set("alter system set synchronous_standby_names = 'nobody'")
        await self._begins()
        asked = asyncio.create_task(answer)
        while not self._ask(WHO_WAITS):
            await asyncio.sleep(0.02)
        return asked

    async def _begins(self) -> None:
        """The server takes a new setting when it comes to it: until a commit is not answered."""
        while True:
            committing = asyncio.create_task(asyncio.to_thread(self._ask, SOMETHING_TO_COMMIT))
            while not committing.done():
                if self._ask(WHO_WAITS):
                    self._cuts_off_who_waits()
                    await asyncio.gather(committing, return_exceptions=True)
                    return
                await asyncio.sleep(0.02)

    def _cuts_off_who_waits(self) -> None:
        for (pid,) in self._ask(WHO_WAITS):
            end = "select pg_terminate_backend(%s, %s)"
            assert self._ask(end, pid, GONE_WITHIN_MS) == [(True,)]

    def _ask(self, query: LiteralString, *values: object) -> list[TupleRow]:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            came = connection.execute(query, values or None)
            return came.fetchall() if came.description else []


@pytest.fixture
def silence(own_server: OwnServer) -> Iterator[Silence]:
    made = Silence(own_server)
    yield made
    made.ends()


@pytest.mark.timeout(60)
class TestAPurchase:
    async def test_by_card_opens_its_checkout(self, silence: Silence):
        await stock(1)
        maja = await a_buyer(coins_owned=COINS)
        bought = await silence.swallows(buys(maja, COINS))
        assert (bought.status, bool(bought.checkout_url)) == (Status.WAITING, True)
        [order] = await orders_of(maja)
        assert order.checkout_url == bought.checkout_url
        assert await balance_of(maja) == (0, COINS)

    async def test_with_coins_alone_is_made_once(self, silence: Silence):
        await stock(1)
        maja = await a_buyer(coins_owned=PRICE)
        bought = await silence.swallows(buys(maja, PRICE))
        assert bought.status is Status.COMPLETED
        assert len(await orders_of(maja)) == 1
        assert await balance_of(maja) == (0, 0)

    @pytest.mark.timeout(120)
    @pytest.mark.parametrize("coins", [PRICE, COINS], ids=["coins alone", "by card"])
    async def test_that_nobody_can_be_asked_about_is_not_told_as_failed(
        self, silence: Silence, coins: int
    ):
        await stock(2)
        maja = await a_buyer(coins_owned=coins)
        attempt = new_id()
        with pytest.raises(NoAnswer):
            await silence.outlasts(buys(maja, coins, attempt=attempt))
        [order] = await orders_of(maja)
        assert (await buys(maja, coins, attempt=attempt)).purchase_id == order.id
        assert len(await orders_of(maja)) == 1


@pytest.mark.timeout(60)
class TestATopUp:
    async def test_opens_its_checkout(self, silence: Silence):
        company = await a_company()
        begun = await silence.swallows(asks(company))
        assert (begun.status, bool(begun.checkout_url)) == (billing_rules.Status.WAITING, True)
        assert (await payment_of(begun)).checkout_url == begun.checkout_url

    async def test_that_may_be_open_is_not_told_as_failed(
        self, own_server: OwnServer, monkeypatch: pytest.MonkeyPatch
    ):
        """The database goes away once the checkout is open, and before it is kept."""

        class Interrupted(SandboxGateway):
            async def open(self, asked: Asked) -> Opened:
                opened = await super().open(asked)
                own_server.stop()
                meanwhile.enter_context(soon_given_up())
                return opened

        company, attempt = await a_company(), new_id()
        monkeypatch.setitem(GATEWAYS, SandboxGateway.name, Interrupted())
        with ExitStack() as meanwhile, pytest.raises(StorageAway):
            await asks(company, attempt=attempt)
        own_server.start()
        monkeypatch.undo()
        again = await asks(company, attempt=attempt)
        assert again.status is billing_rules.Status.WAITING
        async with transaction() as session:
            found = await top_ups.listed(session, company.owner)
        assert [one.id for one in found.shown] == [again.top_up_id]


@pytest.mark.timeout(60)
class TestHowAJobEnded:
    async def test_is_not_said_again_of_what_may_be_somebody_elses(self, silence: Silence):
        queue, name = jobs.queue(), "of this test"
        async with queue.open_async():
            told = queue.job_manager
            await queue.configure_task(name, queue=name).defer_async()
            worker = await told.register_worker()
            job = await told.fetch_job([name], worker)
            assert job
            await silence.swallows(told.retry_job(job))
            again = await told.fetch_job([name], worker)
            assert again
            assert (again.id, again.attempts) == (job.id, 1)
            await silence.swallows(told.finish_job(again, queued.Status.SUCCEEDED, True))
            assert await told.fetch_job([name], worker) is None
            await told.unregister_worker(worker)
