"""Moving an account to another email address, on a real database."""

import asyncio
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    addresses,
    links,
    mailed_links,
    provider_service,
    repository,
    rules,
    sessions,
    signing_in,
    signing_up,
)
from rewards_app.features.accounts.addresses import Does, Done, Meant
from rewards_app.features.accounts.jobs import JOBS
from rewards_app.features.accounts.letters import RESETTING
from rewards_app.features.accounts.provider_service import Vouched, Wishes
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.queued import done, letters
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()
OLD, NEW = "maja@example.com", "maja.new@example.com"
A_DAY = timedelta(hours=24)


async def maja() -> Actor:
    return await here((await an_account(OLD)).id)


async def here(account_id: UUID) -> Actor:
    actor = await sessions.find_actor(digest(await signed_in(account_id, BROWSER)), now=NOON)
    assert actor
    return actor


async def comes_by_provider(subject: str, email: str, *, after: timedelta = timedelta(0)) -> None:
    async with transaction() as session:
        person = Vouched("google", subject, email, "Maja")
        await provider_service.sign_in(session, person, Wishes(), BROWSER, now=NOON + after)


async def whose(subject: str) -> UUID:
    async with transaction() as session:
        account = await repository.account_by_identity(session, "google", subject)
    assert account
    return account.id


async def ask(
    actor: Actor, email: str = NEW, password: str = PASSWORD, *, after: timedelta = timedelta(0)
) -> None:
    async with transaction() as session:
        await addresses.ask(session, actor, email, password, BROWSER, now=NOON + after)


async def use(token: str, *, after: timedelta = timedelta(0)) -> str:
    async with transaction() as session:
        return await addresses.use(session, token, BROWSER, now=NOON + after)


async def stop(token: str, *, after: timedelta = timedelta(0)) -> str:
    async with transaction() as session:
        return await addresses.stop(session, token, BROWSER, now=NOON + after)


async def look(token: str, purpose: str, *, after: timedelta = timedelta(0)) -> Meant:
    async with transaction() as session:
        return await addresses.meant(session, token, purpose, BROWSER, now=NOON + after)


async def bring_back(email: str, to: str) -> bool:
    async with transaction() as session:
        return await addresses.bring_back(session, email, to, "Showed an invoice", now=NOON)


async def moved(actor: Actor) -> str:
    """The account is at NEW; the token of the link that brings it back, as it was asked for."""
    await ask(actor)
    token = await token_to(OLD)
    await use(await token_to(NEW))
    return token


async def signs_in(email: str, password: str = PASSWORD) -> None:
    async with transaction() as session:
        await signing_in.sign_in(session, email, password, BROWSER, may_log_address=False, now=NOON)


async def signs_up(email: str, *, after: timedelta = timedelta(0)) -> None:
    wanted = rules.SignUp(rules.AccountKind.COMPANY, email, PASSWORD, None)
    async with transaction() as session:
        await signing_up.sign_up(session, wanted, BROWSER, language="en", now=NOON + after)


async def forgot(email: str) -> None:
    async with transaction() as session:
        await mailed_links.request_reset(session, email, a_browser("forgot"), now=NOON)


async def somebody_has(email: str) -> None:
    """However they came to it: nobody gives it to them."""
    noor = await an_account("noor@example.com", name="Noor")
    async with transaction() as session:
        changed = text("update accounts set email = :email where id = :id")
        await run(session, changed, {"email": email, "id": noor.id})


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
            ("noor@example.com", "security_email_taken"),
            (OLD, "security_email_asked"),
        ]

    async def test_whoever_has_the_address_reads_that_in_their_own_language(self):
        await an_account("noor@example.com", name="Noor")
        actor = await maja()
        async with transaction() as session:
            spoken = text("update accounts set language = 'sv' where id = :id")
            await run(session, spoken, {"id": actor.user_id})
        await ask(actor, "noor@example.com")
        assert [letter["language"] for letter in await letters()] == ["en", "sv"]

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

    async def test_nobody_is_kept_from_a_new_password(self):
        noor = await an_account("noor@example.com", name="Noor")
        actor = await maja()
        for _ in range(5):
            await ask(actor, noor.email)
        async with transaction() as session:
            await mailed_links.request_reset(session, noor.email, BROWSER, now=NOON)
        assert (await letters())[-1]["name"] == "reset"

    async def test_nor_in_the_course_of_a_day(self):
        actor = await maja()
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(20):
                clock.shift(timedelta(minutes=10))
                await ask(actor, f"stranger{number}@example.com")
            clock.shift(timedelta(minutes=10))
            with pytest.raises(TooManyAttempts):
                await ask(actor, "stranger20@example.com")
            assert len(await letters()) == 40
            clock.shift(timedelta(days=1))
            await ask(actor)

    @pytest.mark.parametrize("is_known", [True, False])
    async def test_nor_is_a_mailbox_from_many_accounts(self, is_known: bool):
        if is_known:
            await an_account(NEW, name="Noor")
        actors = [await here((await an_account(f"maja{n}@example.com")).id) for n in range(5)]
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(20):
                clock.shift(timedelta(minutes=10))
                await ask(actors[number % 5])
            clock.shift(timedelta(minutes=10))
            with pytest.raises(TooManyAttempts):
                await ask(actors[0])
        assert len([one for one in await letters() if one["recipient"] == NEW]) == 20


class TestMeant:
    """Looking at a link does nothing: mail scanners open what is mailed."""

    async def test_the_link_to_the_new_address_would_move_the_account(self):
        await ask(await maja())
        token = await token_to(NEW)
        assert await look(token, links.USE) == Meant(Does.USE, NEW)
        assert await exists(OLD)
        assert await use(token) == NEW

    async def test_the_link_to_the_old_one_would_stop_that(self):
        await ask(await maja())
        assert await look(await token_to(OLD), links.STOP) == Meant(Does.STOP, OLD)
        assert await use(await token_to(NEW)) == NEW

    async def test_or_bring_the_account_back_once_it_has_moved(self):
        actor = await maja()
        secret = digest(await signed_in(actor.user_id, BROWSER))
        token = await moved(actor)
        assert await look(token, links.STOP) == Meant(Does.BRING_BACK, OLD)
        assert await exists(NEW)
        assert await sessions.find_actor(secret, now=NOON)
        assert await stop(token) == OLD

    async def test_a_used_link_says_so_at_once(self):
        await ask(await maja())
        token = await token_to(OLD)
        await stop(token)
        for mailed, purpose in ((await token_to(NEW), links.USE), (token, links.STOP)):
            with pytest.raises(rules.LinkUsed):
                await look(mailed, purpose)

    @pytest.mark.parametrize("after", [timedelta(0), A_DAY])
    async def test_one_that_moved_the_account_says_that(self, after: timedelta):
        await moved(await maja())
        assert await look(await token_to(NEW), links.USE, after=after) == Meant(Done.USED, NEW)

    async def test_one_that_brought_it_back_says_that_until_there_is_a_password(self):
        asked = await moved(await maja())
        told = await token_to(OLD)
        await stop(asked)
        for token in (asked, told):
            assert await look(token, links.STOP) == Meant(Done.BACK, OLD)
        async with transaction() as session:
            await mailed_links.request_reset(session, OLD, BROWSER, now=NOON)
        async with transaction() as session:
            await mailed_links.reset_password(
                session, await token_to(OLD), "Third-Lynx9-waits!", BROWSER, now=NOON
            )
        with pytest.raises(rules.LinkUsed):
            await look(asked, links.STOP)

    async def test_one_that_stopped_the_change_of_who_has_no_password_brought_nothing_back(self):
        await comes_by_provider("maja", OLD)
        await ask(await here(await whose("maja")), password="")
        token = await token_to(OLD)
        await stop(token)
        with pytest.raises(rules.LinkUsed):
            await look(token, links.STOP)

    async def test_so_does_a_late_one_and_one_for_something_else(self):
        await ask(await maja())
        token = await token_to(NEW)
        with pytest.raises(rules.LinkExpired):
            await look(token, links.USE, after=timedelta(hours=1))
        with pytest.raises(rules.LinkExpired):
            await look(token, links.STOP)

    async def test_of_one_that_comes_too_late_nobody_reads_that_nothing_was_changed(self):
        token = await moved(await maja())
        with pytest.raises(rules.AddressMoved):
            await look(token, links.STOP, after=A_DAY)


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
            assert await signing_in.sign_in(
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
            await mailed_links.request_reset(session, OLD, BROWSER, now=NOON)
        reset = await token_to(OLD)
        await ask(actor)
        await use(await token_to(NEW))
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await mailed_links.reset_password(
                    session, reset, "Third-Lynx9-waits!", BROWSER, now=NOON
                )

    async def test_a_provider_of_the_old_address_opens_it_no_more(self):
        account_id = (await maja()).user_id
        await comes_by_provider("work", OLD)
        assert await whose("work") == account_id
        await ask(await here(account_id))
        await use(await token_to(NEW))
        with pytest.raises(rules.ProviderRefused):
            await comes_by_provider("work", OLD)
        await comes_by_provider("work", OLD, after=A_DAY)
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

    async def test_works_once(self):
        await ask(await maja())
        token = await token_to(OLD)
        assert not await stop(token)
        with pytest.raises(rules.LinkUsed):
            await stop(token)


class TestStopOnceItHasMoved:
    @pytest.mark.parametrize("is_of_second_letter", [False, True])
    async def test_brings_the_account_back(self, is_of_second_letter: bool):
        asked = await moved(await maja())
        told = await token_to(OLD)
        assert told != asked
        assert await stop(told if is_of_second_letter else asked) == OLD
        assert await exists(OLD)
        assert not await exists(NEW)

    async def test_tells_both_addresses_and_leads_to_a_new_password(self):
        await stop(await moved(await maja()))
        last = (await letters())[-2:]
        assert [(letter["recipient"], letter["name"]) for letter in last] == [
            (OLD, "security_email_back"),
            (NEW, "security_email_back"),
        ]
        assert all(letter["link"].endswith(RESETTING) for letter in last)

    async def test_ends_what_the_thief_has(self):
        actor = await maja()
        secret = digest(await signed_in(actor.user_id, BROWSER))
        token = await moved(actor)
        await comes_by_provider("thief", NEW)
        await stop(token)
        assert await sessions.find_actor(secret, now=NOON) is None
        for email in (OLD, NEW):
            with pytest.raises(rules.InvalidCredentials):
                await signs_in(email)
        await comes_by_provider("thief", NEW)
        assert await whose("thief") != actor.user_id

    async def test_leaves_no_link_that_was_mailed_to_the_thief(self):
        actor = await maja()
        token = await moved(actor)
        async with transaction() as session:
            await mailed_links.request_reset(session, NEW, BROWSER, now=NOON)
        reset = await token_to(NEW)
        await stop(token)
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await mailed_links.reset_password(
                    session, reset, "Third-Lynx9-waits!", BROWSER, now=NOON
                )

    async def test_hears_the_earlier_owner_though_the_later_one_says_no_first(self):
        actor = await maja()
        first = await moved(actor)
        soon = timedelta(minutes=1)
        await ask(await here(actor.user_id), "maja.third@example.com", after=soon)
        thiefs = await token_to(NEW)
        await use(await token_to("maja.third@example.com"), after=soon)
        assert await stop(thiefs, after=soon) == NEW
        assert await stop(first, after=soon) == OLD

    async def test_leaves_the_later_one_no_way_to_take_it_again(self):
        actor = await maja()
        first = await moved(actor)
        soon = timedelta(minutes=1)
        await ask(await here(actor.user_id), "maja.third@example.com", after=soon)
        thiefs = await token_to(NEW)
        await stop(first, after=soon)
        with pytest.raises(rules.AddressMoved):
            await stop(thiefs, after=soon)
        assert await exists(OLD)

    async def test_is_too_late_after_a_day_and_does_not_say_that_nothing_was_changed(self):
        token = await moved(await maja())
        with pytest.raises(rules.AddressMoved):
            await stop(token, after=timedelta(hours=24))
        assert await exists(NEW)

    async def test_is_refused_where_somebody_has_the_address_by_now(self):
        token = await moved(await maja())
        await somebody_has(OLD)
        with pytest.raises(rules.AddressMoved):
            await stop(token)
        assert await exists(NEW)


class TestTheAddressThatWasLeft:
    """A thief who takes it, too, would leave its owner no way back."""

    async def test_is_kept_for_a_day_from_whoever_signs_up(self):
        token = await moved(await maja())
        with pytest.raises(rules.EmailTaken):
            await signs_up(OLD)
        with pytest.raises(rules.EmailTaken):
            await signs_up(OLD, after=A_DAY - timedelta(seconds=1))
        assert await stop(token, after=A_DAY - timedelta(seconds=1)) == OLD

    async def test_is_kept_where_known_accounts_are_hidden(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(settings(), "hide_known_accounts", True)
        await moved(await maja())
        await signs_up(OLD)
        await done(*JOBS)
        assert (await letters())[-1]["name"] == "already_registered"
        assert not await exists(OLD)

    async def test_is_kept_from_accounts_that_would_move_there(self):
        noor = await here((await an_account("noor@example.com", name="Noor")).id)
        await ask(noor, OLD + ".se")
        token = await token_to(OLD + ".se")
        actor = await here((await an_account(OLD + ".se")).id)
        await ask(actor, NEW)
        await use(await token_to(NEW))
        with pytest.raises(rules.AddressTakenMeanwhile):
            await use(token)
        await ask(noor, OLD + ".se")
        found = [one["name"] for one in await letters() if one["recipient"] == OLD + ".se"]
        assert found[-1] == "security_email_taken"

    async def test_is_kept_from_who_signs_up_while_it_moves(self, database: str):
        await ask(await maja())
        token = await token_to(NEW)
        async with transaction() as session:
            await addresses.use(session, token, BROWSER, now=NOON)
            await session.flush()
            coming = asyncio.create_task(signs_up(OLD))
            await are_waiting(database)
        with pytest.raises(rules.EmailTaken):
            await coming
        assert not await exists(OLD)

    async def test_gets_no_link_that_was_asked_for_while_it_moved(self, database: str):
        await ask(await maja())
        token = await token_to(NEW)
        async with transaction() as session:
            await addresses.use(session, token, BROWSER, now=NOON)
            await session.flush()
            asking = asyncio.create_task(forgot(OLD))
            await are_waiting(database)
        await asking
        assert "reset" not in [one["name"] for one in await letters()]

    async def test_is_free_once_the_owner_has_moved_for_good(self):
        await moved(await maja())
        await signs_up(OLD, after=A_DAY)
        assert await exists(OLD)

    async def test_is_nobody_elses_business_where_nothing_moved(self):
        noor = await here((await an_account("noor@example.com", name="Noor")).id)
        await ask(noor, NEW)
        await signs_up(NEW)
        assert await exists(NEW)


class TestBringBack:
    async def test_does_what_support_promises_and_writes_it_down(self):
        actor = await maja()
        token = await moved(actor)
        assert await bring_back(NEW, OLD)
        assert await exists(OLD)
        with pytest.raises(rules.InvalidCredentials):
            await signs_in(OLD)
        with pytest.raises(rules.LinkUsed):
            await stop(token)
        async with transaction() as session:
            query = text("select action, about, origin from audit_entries")
            written = [tuple(row) for row in await run(session, query)]
        assert written == [("address_brought_back", f"account:{actor.user_id}", "command_line")]

    async def test_changes_nothing_where_another_account_has_the_address(self):
        await moved(await maja())
        await somebody_has(OLD)
        with pytest.raises(rules.AddressTakenMeanwhile):
            await bring_back(NEW, OLD)
        assert await exists(NEW)

    async def test_knows_no_account_of_another_address(self):
        assert not await bring_back("nobody@example.com", OLD)
