"""Moving an account to another email address, on a real database."""

import json
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from sqlalchemy import text

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.accounts import (
    addresses,
    provider_service,
    repository,
    rules,
    service,
    sessions,
)
from rewards_app.features.accounts.provider_service import Vouched
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()
OLD, NEW = "maja@example.com", "maja.new@example.com"


async def maja() -> Actor:
    return await here((await an_account(OLD)).id)


async def here(account_id: UUID) -> Actor:
    actor = await sessions.find_actor(digest(await signed_in(account_id, BROWSER)), now=NOON)
    assert actor
    return actor


async def comes_by_provider(subject: str, email: str) -> None:
    async with transaction() as session:
        person = Vouched("google", subject, email, "Maja")
        await provider_service.sign_in(session, person, BROWSER, now=NOON)


async def whose(subject: str) -> UUID:
    async with transaction() as session:
        account = await repository.account_by_identity(session, "google", subject)
    assert account
    return account.id


async def ask(actor: Actor, email: str = NEW, password: str = PASSWORD) -> None:
    async with transaction() as session:
        await addresses.ask(session, actor, email, password, BROWSER, now=NOON)


async def use(token: str, *, after: timedelta = timedelta(0)) -> str:
    async with transaction() as session:
        return await addresses.use(session, token, BROWSER, now=NOON + after)


async def stop(token: str) -> None:
    async with transaction() as session:
        await addresses.stop(session, token, BROWSER, now=NOON)


async def letters() -> list[dict]:
    async with transaction() as session:
        rows = await run(session, text("select args from procrastinate_jobs order by id"))
        return [row[0] if isinstance(row[0], dict) else json.loads(row[0]) for row in rows]


async def token_to(recipient: str) -> str:
    found = [letter for letter in await letters() if letter["recipient"] == recipient]
    return parse_qs(urlsplit(found[-1]["link"]).query)["token"][0]


async def exists(email: str) -> bool:
    async with transaction() as session:
        return await repository.account_by_email(session, email) is not None


class TestAsk:
    async def test_mails_the_new_address_a_link_and_tells_the_old_one_at_once(self):
        await ask(await maja(), f" {NEW.upper()} ")
        assert [(letter["recipient"], letter["name"]) for letter in await letters()] == [
            (NEW, "security_email_confirm"),
            (OLD, "security_email_asked"),
        ]
        assert await exists(OLD)
        assert not await exists(NEW)

    async def test_keeps_no_token_that_could_be_used(self):
        await ask(await maja())
        token = await token_to(NEW)
        async with transaction() as session:
            kept = str((await run(session, text("select * from email_links"))).all())
        assert token not in kept

    async def test_is_refused_without_the_password(self):
        with pytest.raises(rules.WrongPassword):
            await ask(await maja(), password="wrong")
        assert not await letters()

    @pytest.mark.parametrize(
        "typed",
        ["", "maja", "maja@", "a@b.c\nBcc: x@y.z", "maja@localhost", "maja@mailinator.com"],
        ids=["empty", "no host", "no domain", "a header", "a local host", "thrown away"],
    )
    async def test_refuses_what_no_mail_should_go_to(self, typed: str):
        with pytest.raises((rules.BadEmail, rules.DisposableEmail)):
            await ask(await maja(), typed)

    async def test_refuses_the_present_address(self):
        with pytest.raises(rules.SameAddress):
            await ask(await maja(), OLD.upper())

    async def test_does_not_tell_that_the_address_has_an_account(self):
        await an_account("noor@example.com", name="Noor")
        await ask(await maja(), "noor@example.com")
        assert [(letter["recipient"], letter["name"]) for letter in await letters()] == [
            ("noor@example.com", "already_registered"),
            (OLD, "security_email_asked"),
        ]

    async def test_a_second_wish_ends_the_first(self):
        actor = await maja()
        await ask(actor)
        first = await token_to(NEW)
        await ask(actor, "maja.third@example.com")
        with pytest.raises(rules.LinkUsed):
            await use(first)

    async def test_nobody_is_flooded_with_mails(self):
        actor = await maja()
        for number in range(5):
            await ask(actor, f"stranger{number}@example.com")
        with pytest.raises(TooManyAttempts):
            await ask(actor, "stranger5@example.com")
        assert len(await letters()) == 10


class TestUse:
    async def test_moves_the_account_and_tells_the_old_address(self):
        await ask(await maja())
        assert await use(await token_to(NEW)) == NEW
        assert await exists(NEW)
        assert not await exists(OLD)
        last = (await letters())[-1]
        assert (last["recipient"], last["name"]) == (OLD, "security_email_changed")

    async def test_the_new_address_signs_in(self):
        await ask(await maja())
        await use(await token_to(NEW))
        async with transaction() as session:
            assert await service.sign_in(
                session, NEW, PASSWORD, BROWSER, may_log_address=False, now=NOON
            )

    async def test_works_once(self):
        await ask(await maja())
        token = await token_to(NEW)
        await use(token)
        with pytest.raises(rules.LinkUsed):
            await use(token)

    async def test_works_for_an_hour(self):
        await ask(await maja())
        with pytest.raises(rules.LinkExpired):
            await use(await token_to(NEW), after=timedelta(hours=1))

    async def test_is_refused_where_somebody_took_the_address_meanwhile(self):
        await ask(await maja())
        await an_account(NEW, name="Noor")
        with pytest.raises(rules.AddressTakenMeanwhile):
            await use(await token_to(NEW))
        assert await exists(OLD)

    async def test_a_reset_link_to_the_old_address_opens_nothing_any_more(self):
        actor = await maja()
        async with transaction() as session:
            await service.request_reset(session, OLD, BROWSER, now=NOON)
        reset = await token_to(OLD)
        await ask(actor)
        await use(await token_to(NEW))
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await service.reset_password(
                    session, reset, "Third-Lynx9-waits!", BROWSER, now=NOON
                )

    async def test_a_provider_of_the_old_address_opens_it_no_more(self):
        account_id = (await maja()).user_id
        await comes_by_provider("work", OLD)
        assert await whose("work") == account_id
        await ask(await here(account_id))
        await use(await token_to(NEW))
        await comes_by_provider("work", OLD)
        assert await whose("work") != account_id

    async def test_a_provider_of_the_new_address_opens_it(self):
        account_id = (await maja()).user_id
        await ask(await here(account_id))
        await use(await token_to(NEW))
        await comes_by_provider("home", NEW)
        assert await whose("home") == account_id

    async def test_a_link_for_something_else_moves_nothing(self):
        await ask(await maja())
        with pytest.raises(rules.LinkExpired):
            await use(await token_to(OLD))


class TestStop:
    async def test_the_link_to_the_new_address_opens_nothing(self):
        await ask(await maja())
        await stop(await token_to(OLD))
        with pytest.raises(rules.LinkUsed):
            await use(await token_to(NEW))
        assert await exists(OLD)

    async def test_comes_too_late_once_the_account_has_moved(self):
        await ask(await maja())
        late = await token_to(OLD)
        await use(await token_to(NEW))
        with pytest.raises(rules.LinkUsed):
            await stop(late)
