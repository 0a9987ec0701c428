"""Guessing is slow: failures are counted per account and per address, and nobody is locked out."""

from datetime import timedelta

import pytest
import time_machine

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import rules, signing_in, steps
from tests.hostile.client import AUTH, Answer, Browser, a_fresh_address
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import (
    PASSWORD,
    Person,
    a_mailed_link,
    a_new_email,
    a_visitor,
    signs_in,
)
from tests.people import NOON, a_browser, an_account
from tests.serving import Served


async def tries(browser: Browser, email: str, password: str = "Wrong-Guess-of-9") -> Answer:
    async with browser.tab("/auth?mode=login") as tab:
        form = {"email": email, "password": password}
        return await tab.call(f"{AUTH}.sign_in", {"form": form})


async def test_five_failures_lock_the_account_for_minutes_that_are_named(
    beside: Served, vault: Vault, diary: Diary
):
    email = a_new_email("locked")
    await an_account(email, now=utc_now())
    for _ in range(5):
        assert (await tries(await a_visitor(beside), email)).refused_as.endswith("credentials")
    locked = await tries(await a_visitor(beside), email, PASSWORD)
    assert locked.is_refusal
    assert locked.refused_as == "accounts.locked"
    assert locked.after["refusal"]["params"]["count"] in range(1, 6)
    assert not vault.ask(
        "select 1 from sign_in_tickets t join accounts a on a.id = t.account_id where email = %s",
        email,
    )
    assert not diary.gives_away(email, PASSWORD, "Wrong-Guess-of-9")


async def test_the_owner_gets_in_while_somebody_goes_on_guessing(
    maja_signed_in: Person, beside: Served, vault: Vault
):
    """In the browser that the account knows at once, in a new one by a mailed link."""
    email = maja_signed_in.email
    hers, new = maja_signed_in.browser.without("session"), await a_visitor(beside)
    await is_guessed_at(beside, email)
    assert (await tries(new, email, PASSWORD)).refused_as == "accounts.locked"
    await signs_in(hers, email)
    async with new.tab(f"/auth?mode=reset&token={a_mailed_link(vault, email, 'reset')}") as tab:
        await tab.call(f"{AUTH}.reset_password", {"form": {"password": "Quick-Badger5-hums!"}})
        assert tab.says("mode") == "login"
    await is_guessed_at(beside, email)
    await signs_in(new, email, "Quick-Badger5-hums!")


async def is_guessed_at(served: Served, email: str) -> None:
    for _ in range(6):
        answer = await tries(await a_visitor(served), email)
    assert answer.refused_as == "accounts.locked"


@pytest.mark.parametrize("written", [str.upper, " {} ".format, "{}\n".format])
async def test_another_spelling_does_not_dodge_the_lock(beside: Served, written: type[str]):
    email = a_new_email("spelt")
    await an_account(email, now=utc_now())
    for _ in range(5):
        await tries(await a_visitor(beside), written(email))
    locked = await tries(await a_visitor(beside), email, PASSWORD)
    assert locked.refused_as == "accounts.locked"


async def test_an_unknown_address_is_locked_alike(served: Served):
    email = a_new_email("nobody")
    for _ in range(5):
        assert (await tries(await a_visitor(served), email)).refused_as.endswith("credentials")
    assert (await tries(await a_visitor(served), email)).refused_as == "accounts.locked"


@pytest.mark.usefixtures("database")
async def test_the_lock_does_not_last():
    await an_account("maja@example.com")
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(5):
            with pytest.raises(rules.InvalidCredentials):
                await _signs_in("wrong")
        with pytest.raises(rules.AccountLocked) as refusal:
            await _signs_in()
        assert refusal.value.params == {"count": 5}
        clock.shift(timedelta(minutes=5, seconds=1))
        assert await _signs_in()


async def _signs_in(password: str = PASSWORD) -> steps.Outcome:
    async with transaction() as session:
        return await signing_in.sign_in(
            session, "maja@example.com", password, a_browser(), may_log_address=False, now=NOON
        )


async def test_ten_failures_a_minute_close_an_address_and_no_other(served: Served):
    guesser = await a_visitor(served)
    for _ in range(10):
        assert (await tries(guesser, a_new_email())).refused_as.endswith("credentials")
    assert (await tries(guesser, a_new_email())).refused_as == "too_many_attempts"
    other = await a_visitor(served)
    assert (await tries(other, a_new_email())).refused_as.endswith("credentials")


async def test_an_address_of_ipv6_is_closed_with_its_network(served: Served):
    for number in range(11):
        guesser = await a_visitor(served)
        guesser.address = f"2001:db8:7:7::{number + 1:x}"
        answer = await tries(guesser, a_new_email())
    assert answer.refused_as == "too_many_attempts"
    neighbour = await a_visitor(served)
    neighbour.address = "2001:db8:7:8::1"
    assert (await tries(neighbour, a_new_email())).refused_as.endswith("credentials")


@pytest.mark.parametrize("dodge", ["a header of their own", "a connection within the connection"])
async def test_nobody_chooses_their_own_address(served: Served, dodge: str):
    guesser, last_hop = await a_visitor(served), a_fresh_address()
    answers = []
    for number in range(11):
        claimed = f"198.51.100.{number}"
        is_header = dodge == "a header of their own"
        guesser.address = f"{claimed}, {last_hop}" if is_header else last_hop
        async with guesser.tab("/auth?mode=login") as tab:
            if not is_header:
                await tab.send_text(f'["connect",{{"REMOTE_ADDR":"{claimed}"}}]')
            form = {"email": a_new_email(), "password": "Wrong-Guess-of-9"}
            answers.append((await tab.call(f"{AUTH}.sign_in", {"form": form})).refused_as)
    assert answers[-1] == "too_many_attempts"


async def test_mails_to_one_address_are_counted_from_everywhere(beside: Served, vault: Vault):
    email = a_new_email("mailed")
    await an_account(email, now=utc_now())
    for _ in range(5):
        async with (await a_visitor(beside)).tab() as tab:
            assert (await tab.call(f"{AUTH}.forgot", {"form": {"email": email}})).changed
            assert tab.says("mode") == "reset_sent"
    async with (await a_visitor(beside)).tab() as tab:
        answer = await tab.call(f"{AUTH}.forgot", {"form": {"email": email.upper()}})
    assert answer.refused_as == "too_many_attempts"
    query = "select count(*) from email_links l join accounts a on a.id = l.account_id"
    assert vault.one(query + " where email = %s", email) == 5
