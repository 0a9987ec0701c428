"""What somebody has under way who knew the password: a new one ends it, and so does closing."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from sqlalchemy import text

from rewards_app.core import hashing, limits
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.features.accounts import (
    addresses,
    closing,
    mailed_links,
    passwords,
    repository,
    rules,
    service,
    sessions,
    signing_in,
    steps,
)
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.queued import as_read

pytestmark = pytest.mark.usefixtures("database")
OWN, FOREIGN = a_browser("own"), a_browser("foreign")
EMAIL, ANOTHER, WHOSE = "maja@example.com", "Brave-Heron4-sings!", "evil@example.com"

Ending = Callable[[Actor], Awaitable[None]]


async def actor_in(browser) -> Actor:
    async with transaction() as session:
        account = await repository.account_by_email(session, EMAIL)
    assert account
    actor = await sessions.find_actor(digest(await signed_in(account.id, browser)), now=NOON)
    assert actor
    return actor


async def mailed_to(email: str) -> str:
    async with transaction() as session:
        rows = (await run(session, text("select args from procrastinate_jobs order by id"))).all()
    [*_, link] = [as_read(args)["link"] for (args,) in rows if args["recipient"] == email]
    return parse_qs(urlsplit(link).query)["token"][0]


async def resets(_actor: Actor) -> None:
    async with transaction() as session:
        await mailed_links.request_reset(session, EMAIL, OWN, now=NOON)
    token = await mailed_to(EMAIL)
    async with transaction() as session:
        await mailed_links.reset_password(session, token, ANOTHER, OWN, now=NOON)


async def changes(actor: Actor) -> None:
    async with transaction() as session:
        await passwords.change(session, actor, PASSWORD, ANOTHER, OWN, now=NOON)


async def closes(actor: Actor) -> None:
    async with transaction() as session:
        await closing.close(session, actor.user_id, now=NOON)


async def ends_all_sessions(actor: Actor) -> None:
    async with transaction() as session:
        await sessions.end_all(session, actor.user_id, now=NOON, keep=actor.session_id)


async def ends_everywhere(actor: Actor) -> None:
    async with transaction() as session:
        await sessions.end_all(session, actor.user_id, now=NOON)


async def has_no_password(account_id: UUID) -> None:
    async with transaction() as session:
        nulled = text("update accounts set password_hash = null where id = :id")
        await run(session, nulled, {"id": account_id})


async def signs_in(password: str = PASSWORD) -> steps.Outcome:
    async with transaction() as session:
        return await signing_in.sign_in(
            session, EMAIL, password, FOREIGN, may_log_address=False, now=NOON
        )


async def sessions_of(account_id: UUID) -> int:
    async with transaction() as session:
        return await service.open_sessions(session, now=NOON, account_id=account_id)


async def redeemed(ticket: str) -> str | None:
    async with transaction() as session:
        return await sessions.redeem_ticket(session, ticket, FOREIGN, now=NOON)


@dataclass(frozen=True, slots=True)
class Held:
    """A password was checked; what is to come of it waits."""

    is_done: asyncio.Event
    goes_on: asyncio.Event


@pytest.fixture
def held_check(monkeypatch: pytest.MonkeyPatch) -> Held:
    held, matches = Held(asyncio.Event(), asyncio.Event()), hashing.matches

    async def slowly(password: str, password_hash: str | None) -> bool:
        is_right = await matches(password, password_hash)
        held.is_done.set()
        await held.goes_on.wait()
        return is_right

    monkeypatch.setattr(hashing, "matches", slowly)
    return held


class TestASignIn:
    @pytest.mark.parametrize("ends", [resets, changes, closes, ends_all_sessions])
    async def test_that_was_believed_before_opens_nothing(self, ends: Ending):
        await an_account()
        owner = await actor_in(OWN)
        begun = await signs_in()
        assert isinstance(begun, steps.Ticket)
        await ends(owner)
        assert await redeemed(begun.secret) is None

    async def test_that_is_being_checked_knows_the_password_no_more(self, held_check: Held):
        await an_account()
        under_way = asyncio.create_task(signs_in())
        await held_check.is_done.wait()
        await resets(await actor_in(OWN))
        held_check.goes_on.set()
        with pytest.raises(rules.InvalidCredentials):
            await under_way

    async def test_does_not_keep_the_owner_from_another_password(self):
        """Many at once: who waits for the account keeps nobody from hashing."""
        await an_account()
        owner = await actor_in(OWN)
        under_way = [asyncio.create_task(signs_in()) for _ in range(8)]
        await asyncio.wait_for(changes(owner), timeout=20)
        await asyncio.gather(*under_way, return_exceptions=True)
        assert await signs_in(ANOTHER)


class TestAnotherPassword:
    async def test_that_is_being_chosen_does_not_undo_the_owners(self, held_check: Held):
        await an_account()
        foreign = await actor_in(FOREIGN)
        under_way = asyncio.create_task(changes(foreign))
        await held_check.is_done.wait()
        await resets(foreign)
        held_check.goes_on.set()
        with pytest.raises(rules.WrongPassword):
            await under_way


class TestAFirstPassword:
    @pytest.mark.parametrize("ends", [resets, ends_everywhere])
    async def test_that_is_being_chosen_does_not_undo_the_owners(
        self, held_check: Held, ends: Ending
    ):
        """A fresh sign-in with a provider is all that proves who has none."""
        account = await an_account()
        await has_no_password(account.id)
        foreign = await actor_in(FOREIGN)
        under_way = asyncio.create_task(changes(foreign))
        await held_check.is_done.wait()
        await ends(foreign)
        held_check.goes_on.set()
        with pytest.raises(rules.SignInAgain):
            await under_way


class TestAnotherAddress:
    @pytest.mark.parametrize("ends", [resets, changes, closes])
    async def test_that_was_asked_for_before_is_not_moved_to(self, ends: Ending):
        await an_account()
        async with transaction() as session:
            await addresses.ask(
                session, await actor_in(FOREIGN), WHOSE, PASSWORD, FOREIGN, now=NOON
            )
        token = await mailed_to(WHOSE)
        await ends(await actor_in(OWN))
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await addresses.use(session, token, FOREIGN, now=NOON)
        async with transaction() as session:
            assert await repository.account_by_email(session, EMAIL)
            assert await repository.account_by_email(session, WHOSE) is None


class TestManyAtOnce:
    async def test_wait_for_each_other_and_never_in_a_circle(self):
        """Whoever ends what is under way, and whoever goes on with it, both want both."""
        account = await an_account()
        for _ in range(6):
            limits.forget_everything()
            owner = await actor_in(OWN)
            begun = [await signs_in() for _ in range(5)]
            tickets = [one.secret for one in begun if isinstance(one, steps.Ticket)]
            assert len(tickets) == 5
            await asyncio.gather(*map(redeemed, tickets), closes(owner))
            assert not await sessions_of(account.id)
            async with transaction() as session:
                assert await closing.reopen(session, account.id, now=NOON)
