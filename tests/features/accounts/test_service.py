"""Signing up and in on a real database."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
import time_machine
from argon2 import PasswordHasher
from psycopg import sql
from sqlalchemy import Engine, event, text

from rewards_app.core import live, mail
from rewards_app.core.actor import Role
from rewards_app.core.caller import Caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, run, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.accounts import (
    handles,
    links,
    mailed_links,
    repository,
    retention,
    rules,
    service,
    sessions,
    signing_in,
    signing_up,
    steps,
    token_repository,
)
from rewards_app.features.accounts.jobs import JOBS as ALL_JOBS
from rewards_app.features.accounts.jobs import finish_sign_up
from rewards_app.features.accounts.password_rules import (
    KnownPassword,
    PersonalPassword,
    WeakPassword,
)
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.legal import service as legal
from tests import listeners
from tests.paying import ask
from tests.people import NOON, PASSWORD, a_browser, a_sign_up, an_account, signed_in
from tests.queued import done, letters
from tests.states import calls
from tests.waiting import hears_the_others

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()
ANOTHER = a_browser("b")
NO_BROWSER = a_browser(door_hash="")
MAJA = "maja@example.com"
NEW_PASSWORD = "New-Heron8-sings?"
Asking = Callable[..., Awaitable[None]]
JOBS = [job for job in ALL_JOBS if job.cron is None]


async def sign_up(wanted: rules.SignUp | None = None, *, language: str = "sv") -> None:
    async with transaction() as session:
        await signing_up.sign_up(
            session, wanted or a_sign_up(), BROWSER, language=language, now=NOON
        )
    await done(*JOBS)


async def sign_in(email: str = "maja@example.com", password: str = PASSWORD, now=NOON):
    async with transaction() as session:
        return await signing_in.sign_in(
            session, email, password, BROWSER, may_log_address=False, now=now
        )


async def mailed_token(number: int = -1) -> str:
    link = (await letters())[number]["link"]
    return parse_qs(urlsplit(link).query)["token"][0]


async def opens(token: str, browser: Caller = BROWSER, now=NOON) -> bool:
    async with transaction() as session:
        return await mailed_links.open_verification(session, token, browser, now=now)


async def resets(browser: Caller, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await mailed_links.request_reset(session, MAJA, browser, now=now)
    async with transaction() as session:
        await mailed_links.reset_password(
            session, await mailed_token(), NEW_PASSWORD, browser, now=now
        )


async def the_account(email: str = "maja@example.com"):
    async with transaction() as session:
        return await repository.account_by_email(session, email)


async def mails_left_after_sign_up(email: str) -> int:
    """How often a fresh link can still be asked for."""
    await sign_up(a_sign_up(email))
    return [await asks_for_another_link(email) for _ in range(6)].count(True)


async def asks_for_another_link(email: str) -> bool:
    try:
        async with transaction() as session:
            await mailed_links.send_verification_again(session, email, BROWSER, now=NOON)
    except TooManyAttempts:
        return False
    return True


class TestSignUp:
    async def test_makes_an_account_that_waits_for_its_email(self):
        await sign_up()
        maja = await the_account()
        assert (maja.role, maja.username, maja.email_verified_at) == ("player", "Maja", None)
        assert (maja.gender, maja.sign_up_age, maja.country) == ("kvinna", 21, "SE")
        assert maja.phone == "+46701740605"

    async def test_mails_a_link_in_the_language_of_the_page(self):
        await sign_up(language="de")
        (letter,) = await letters()
        assert (letter["recipient"], letter["language"]) == ("maja@example.com", "de")
        assert letter["name"] == "verify"

    async def test_keeps_the_phone_number_unreadable_at_rest(self):
        await sign_up()
        async with transaction() as session:
            (stored,) = (await run(session, text("select phone from accounts"))).one()
        assert "701740605" not in stored

    async def test_keeps_no_password(self):
        await sign_up()
        async with transaction() as session:
            row = (await run(session, text("select * from accounts"))).one()
        assert PASSWORD not in str(row)
        assert (await the_account()).password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")

    async def test_tells_that_an_email_has_an_account(self):
        await sign_up()
        with pytest.raises(rules.EmailTaken):
            await sign_up(a_sign_up("MAJA@example.com "))

    async def test_mails_instead_when_known_accounts_are_hidden(self, monkeypatch):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await sign_up()
        await sign_up()
        assert [letter["name"] for letter in await letters()] == [
            "verify",
            "already_registered",
        ]

    async def test_whoever_has_the_address_reads_that_in_their_own_language(self, monkeypatch):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await sign_up(language="de")
        await sign_up(language="sv")
        assert [letter["language"] for letter in await letters()] == ["de", "de"]

    async def test_floods_no_mailbox_when_known_accounts_are_hidden(self, monkeypatch):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await an_account()
        for _ in range(7):
            await sign_up()
        assert len(await letters()) == 5

    async def test_leaves_as_many_mails_to_ask_for_whether_there_was_an_account_or_not(
        self, monkeypatch
    ):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await an_account()
        left = [await mails_left_after_sign_up(email) for email in (MAJA, "nobody@example.com")]
        assert left == [4, 4]

    async def test_a_hundred_sign_ups_with_one_email_at_once_make_one_account(self):
        async def attempt(number: int) -> bool:
            browser = a_browser(str(number), address=f"10.0.0.{number}")
            try:
                async with transaction() as session:
                    await signing_up.sign_up(session, a_sign_up(), browser, language="en", now=NOON)
            except rules.EmailTaken:
                return False
            return True

        outcomes = await asyncio.gather(*(attempt(number) for number in range(100)))
        assert sum(outcomes) == 1
        assert len(await letters()) == 1

    async def test_a_company_gives_only_email_and_password(self):
        await sign_up(a_sign_up("ads@fjord.example", kind="company", name="", phone="", age=""))
        company = await the_account("ads@fjord.example")
        assert (company.role, company.phone, company.sign_up_age) == ("company", None, None)

    async def test_asking_for_an_admin_account_grants_nothing(self):
        await sign_up(a_sign_up("eve@example.com", kind="admin"))
        eve = await the_account("eve@example.com")
        assert (eve.role, eve.asked_for_admin) == ("player", True)

    @pytest.mark.parametrize(("kind", "called"), [("admin", "player"), ("company", "company")])
    async def test_a_mailbox_makes_nobody_one_of_the_house(self, kind: str, called: str):
        email = "watchcoins.support@example.com"
        await sign_up(a_sign_up(email, kind=kind, name=""))
        account = await the_account(email)
        assert (account.display_name, account.username) == (called, called)
        async with transaction() as session:
            assert await handles.handle_of(session, account.id) == called

    @pytest.mark.parametrize(
        ("email", "refusal"),
        [
            ("no-at-sign.example", rules.BadEmail),
            ("maja@localhost", rules.BadEmail),
            ("mаja@example.com", rules.BadEmail),
            ("maja@mailinator.com", rules.DisposableEmail),
            ("maja@example.com\r\nBcc: all@example.com", rules.BadEmail),
        ],
    )
    async def test_refuses_addresses_that_are_none(self, email: str, refusal: type[Exception]):
        with pytest.raises(refusal):
            await sign_up(a_sign_up(email))

    async def test_refuses_a_phone_number_of_another_country(self):
        with pytest.raises(rules.BadPhone):
            await sign_up(a_sign_up(phone="123", phone_country="US"))

    async def test_refuses_a_password_that_is_quickly_guessed(self):
        with pytest.raises((KnownPassword, WeakPassword)):
            await sign_up(a_sign_up(password="Maja2004!!"))

    async def test_refuses_a_password_that_is_the_own_name_read_backwards(self):
        await sign_up(a_sign_up(password="Nosslrak-7!"))
        wanted = a_sign_up("anna@example.com", name="Karlsson", password="Nosslrak-7!")
        with pytest.raises(PersonalPassword):
            await sign_up(wanted)

    async def test_an_address_signs_up_only_so_often(self):
        for number in range(20):
            await sign_up(a_sign_up(f"maja{number}@example.com"))
        with pytest.raises(TooManyAttempts):
            await sign_up(a_sign_up("one-too-many@example.com"))


class TestVerification:
    async def test_the_link_verifies_the_email(self):
        await sign_up()
        async with transaction() as session:
            await mailed_links.verify_email(session, await mailed_token(), BROWSER, now=NOON)
        assert (await the_account()).email_verified_at == NOON

    async def test_the_link_works_once(self):
        await sign_up()
        token = await mailed_token()
        async with transaction() as session:
            await mailed_links.verify_email(session, token, BROWSER, now=NOON)
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await mailed_links.verify_email(session, token, BROWSER, now=NOON)

    async def test_the_link_ends_after_a_day(self):
        await sign_up()
        late = NOON + rules.VERIFICATION_LIFETIME
        with pytest.raises(rules.LinkExpired):
            async with transaction() as session:
                await mailed_links.verify_email(session, await mailed_token(), BROWSER, now=late)

    async def test_opening_the_link_verifies_at_once_in_the_browser_that_signed_up(self):
        await sign_up()
        assert await opens(await mailed_token())
        assert (await the_account()).email_verified_at == NOON

    @pytest.mark.parametrize("browser", [ANOTHER, NO_BROWSER], ids=["another", "none"])
    async def test_opening_the_link_anywhere_else_only_looks_at_it(self, browser: Caller):
        await sign_up()
        token = await mailed_token()
        assert not await opens(token, browser)
        assert (await the_account()).email_verified_at is None
        async with transaction() as session:
            await mailed_links.verify_email(session, token, browser, now=NOON)
        assert (await the_account()).email_verified_at == NOON

    @pytest.mark.parametrize("browser", [BROWSER, ANOTHER, NO_BROWSER])
    async def test_opening_a_used_or_late_link_says_so_at_once(self, browser: Caller):
        await sign_up()
        token = await mailed_token()
        with pytest.raises(rules.LinkExpired):
            await opens(token, browser, NOON + rules.VERIFICATION_LIFETIME)
        await opens(token)
        with pytest.raises(rules.LinkUsed):
            await opens(token, browser)

    async def test_looking_at_a_link_of_ours_is_no_guess(self):
        """A whole school may share one address."""
        await sign_up()
        token = await mailed_token()
        for _ in range(links.PER_ADDRESS.amount + 1):
            assert not await opens(token, ANOTHER)
        for number in range(links.PER_ADDRESS.amount):
            with pytest.raises(rules.LinkExpired):
                await opens(f"made-up-{number}", ANOTHER)
        with pytest.raises(TooManyAttempts):
            await opens(token, ANOTHER)

    async def test_another_link_is_still_for_the_browser_that_signed_up(self):
        """Whoever asks for it: they may own the mailbox, and not know of that password."""
        await sign_up()
        async with transaction() as session:
            await mailed_links.send_verification_again(session, MAJA, ANOTHER, now=NOON)
        token = await mailed_token()
        assert not await opens(token, ANOTHER)
        assert await opens(token)

    @pytest.mark.parametrize("browser", [BROWSER, NO_BROWSER])
    async def test_where_it_is_not_known_who_signed_up_opening_the_link_only_looks(
        self, browser: Caller
    ):
        await an_account(is_verified=False)
        async with transaction() as session:
            await mailed_links.send_verification_again(session, MAJA, browser, now=NOON)
        assert not await opens(await mailed_token(), browser)

    async def test_a_reset_link_does_not_verify(self):
        await an_account()
        async with transaction() as session:
            await mailed_links.request_reset(session, "maja@example.com", BROWSER, now=NOON)
        with pytest.raises(rules.LinkExpired):
            async with transaction() as session:
                await mailed_links.verify_email(session, await mailed_token(), BROWSER, now=NOON)

    async def test_a_new_link_ends_the_older_one(self):
        await sign_up()
        first = await mailed_token()
        async with transaction() as session:
            await mailed_links.send_verification_again(
                session, "maja@example.com", BROWSER, now=NOON
            )
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await mailed_links.verify_email(session, first, BROWSER, now=NOON)

    @pytest.mark.parametrize("email", ["nobody@example.com", "verified@example.com"])
    async def test_sending_again_says_nothing_about_who_exists(self, email: str):
        await an_account("verified@example.com")
        async with transaction() as session:
            await mailed_links.send_verification_again(session, email, BROWSER, now=NOON)
        assert await letters() == []

    async def test_five_mails_in_five_minutes_are_enough(self):
        async def again() -> None:
            async with transaction() as session:
                await mailed_links.send_verification_again(session, "a@b.se", BROWSER, now=NOON)

        for _ in range(5):
            await again()
        with pytest.raises(TooManyAttempts) as refusal:
            await again()
        assert refusal.value.params["count"] == 5

    async def test_whoever_asks_for_it_keeps_nobody_from_a_new_password(self):
        await an_account()
        for _ in range(5):
            assert await asks_for_another_link(MAJA)
        async with transaction() as session:
            await mailed_links.request_reset(session, MAJA, BROWSER, now=NOON)
        assert [letter["name"] for letter in await letters()] == ["reset"]


def rows_of(database: str) -> Counter[str]:
    """How many there are in each table."""
    with psycopg.connect(database) as connection:
        query = "select tablename from pg_tables where schemaname = 'public'"
        names = [name for [name] in connection.execute(query).fetchall()]
        counting = sql.SQL(" union all ").join(
            sql.SQL("select {}, count(*) from {}").format(one, sql.Identifier(one)) for one in names
        )
        return Counter(dict(connection.execute(counting).fetchall()))


async def signs_up(email: str) -> None:
    async with transaction() as session:
        await signing_up.sign_up(session, a_sign_up(email), BROWSER, language="sv", now=NOON)


async def forgets(email: str) -> None:
    async with transaction() as session:
        await mailed_links.request_reset(session, email, BROWSER, now=NOON)


async def asks_again(email: str) -> None:
    async with transaction() as session:
        await mailed_links.send_verification_again(session, email, BROWSER, now=NOON)


class TestWhereKnownAccountsAreHidden:
    """What is done before there is an answer tells nothing: time would."""

    @pytest.fixture(autouse=True)
    def hidden(self, database: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)

    @pytest.fixture
    def said(self):
        """Each statement that reaches the database through a session."""
        found: list[str] = []

        def hear(_connection, _cursor, statement: str, *_) -> None:
            found.append(statement)

        event.listen(Engine, "before_cursor_execute", hear)
        yield found
        event.remove(Engine, "before_cursor_execute", hear)

    @pytest.mark.parametrize("asks", [signs_up, forgets, asks_again])
    @pytest.mark.parametrize("is_verified", [True, False])
    async def test_the_work_is_the_same_whether_there_is_an_account_or_not(
        self, said: list[str], database: str, asks: Asking, is_verified: bool
    ):
        await an_account(is_verified=is_verified)
        work: list[tuple[list[str], Counter[str]]] = []
        for email in (MAJA, "anna@example.com"):
            before = rows_of(database)
            said.clear()
            await asks(email)
            work.append(([*said], rows_of(database) - before))
        assert work[0] == work[1]
        assert work[0][1] == {"procrastinate_jobs": 1, "procrastinate_events": 1}

    async def test_a_job_mails_whoever_has_an_account_a_link(self):
        await an_account()
        for email in (MAJA, "anna@example.com"):
            await forgets(email)
        await done(*JOBS)
        assert [(one["recipient"], one["name"]) for one in await letters()] == [(MAJA, "reset")]
        async with transaction() as session:
            await mailed_links.reset_password(
                session, await mailed_token(), "Third-Lynx9-waits!", BROWSER, now=NOON
            )

    async def test_a_job_makes_the_account_as_it_was_typed(self):
        await sign_up()
        maja = await the_account()
        assert (maja.phone, maja.sign_up_age, maja.language) == ("+46701740605", 21, "sv")
        assert maja.created_at == NOON
        assert await opens(await mailed_token())
        assert await sign_in()

    async def test_a_job_that_is_done_again_makes_and_mails_nothing_more(self):
        await signs_up(MAJA)
        [args] = await letters()
        await done(*JOBS)
        await finish_sign_up(**args)
        assert [one["name"] for one in await letters()] == ["verify"]

    async def test_what_somebody_typed_is_sealed_while_it_waits(self):
        await signs_up(MAJA)
        [args] = await letters()
        kept = str({name: told for name, told in args.items() if name != "email"})
        assert not any(word in kept for word in ("Maja", "0701740605", "argon2"))


class TestMailsOfADay:
    """Whoever asks, from wherever: five in five minutes would be 1440 a day."""

    @pytest.fixture
    def clock(self):
        with time_machine.travel(NOON, tick=False) as clock:
            yield clock

    async def asks(self, clock, asks: Asking, count: int, email: str = MAJA) -> None:
        """As often as five in five minutes allow."""
        for number in range(count):
            if number % 5 == 4:
                clock.shift(timedelta(minutes=5, seconds=1))
            async with transaction() as session:
                await asks(session, email, BROWSER, now=utc_now())

    async def test_for_a_new_password_are_twenty_while_one_of_them_is_good(self, clock):
        await an_account()
        await self.asks(clock, mailed_links.request_reset, 30)
        assert len(await letters()) == 20

    async def test_keep_no_owner_from_a_new_password(self, clock):
        await an_account()
        await self.asks(clock, mailed_links.request_reset, 30)
        clock.shift(rules.RESET_LIFETIME)
        await self.asks(clock, mailed_links.request_reset, 2)
        assert len(await letters()) == 21
        async with transaction() as session:
            await mailed_links.reset_password(
                session, await mailed_token(), "Third-Lynx9-waits!", BROWSER, now=utc_now()
            )

    async def test_are_of_one_day_alone(self, clock):
        await an_account()
        await self.asks(clock, mailed_links.request_reset, 25)
        clock.shift(timedelta(days=1))
        await self.asks(clock, mailed_links.request_reset, 3)
        assert len(await letters()) == 23

    async def test_say_nothing_of_who_has_an_account(self, clock):
        await self.asks(clock, mailed_links.request_reset, 30, "nobody@example.com")
        assert await letters() == []

    async def test_to_verify_are_twenty_and_the_last_of_them_is_good(self, clock):
        await sign_up()
        await self.asks(clock, mailed_links.send_verification_again, 30)
        assert len(await letters()) == 20
        async with transaction() as session:
            await mailed_links.verify_email(session, await mailed_token(), BROWSER, now=utc_now())

    async def test_that_one_has_an_account_are_twenty(self, clock, monkeypatch):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await an_account()

        async def signs_up(session: AsyncSession, email: str, caller: Caller, *, now: datetime):
            await signing_up.sign_up(session, a_sign_up(email), caller, language="sv", now=now)

        await self.asks(clock, signs_up, 30)
        await done(*JOBS)
        assert len(await letters()) == 20


class TestSignIn:
    async def test_gives_a_ticket_to_who_knows_the_password(self):
        await an_account()
        assert await sign_in(" Maja@Example.com ")

    async def test_gives_none_before_the_email_is_verified(self):
        await an_account(is_verified=False)
        assert await sign_in() == steps.Unverified()

    async def test_tells_of_a_company_that_it_will_not_play(self):
        await an_account(role=Role.COMPANY, is_verified=False)
        assert await sign_in() == steps.Unverified(is_player=False)

    async def test_tells_nobody_of_an_unverified_account_when_known_accounts_are_hidden(
        self, monkeypatch
    ):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await an_account(is_verified=False)
        for _ in range(5):
            assert await sign_in() == steps.Withheld()
        with pytest.raises(rules.AccountLocked):
            await sign_in()
        assert [letter["name"] for letter in await letters()] == ["verify"]

    @pytest.mark.parametrize("is_known", [True, False])
    async def test_says_the_same_of_who_signed_up_just_now_and_of_who_has_an_account(
        self, page, monkeypatch, is_known: bool
    ):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        if is_known:
            await an_account()
        await sign_up(a_sign_up(password="Quick-Heron7-drinks!"))
        shown = await page.get_state(AuthState)
        shown.mode = "login"
        form = {"email": MAJA, "password": "Quick-Heron7-drinks!"}
        await calls(AuthState.sign_in, shown, form=form)
        assert shown.notice["text"] == rules.InvalidCredentials().text_key
        assert (shown.mode, shown.mailed_to, shown.is_busy) == ("login", "", False)

    @pytest.mark.parametrize(
        ("email", "password"),
        [("maja@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("", "")],
    )
    async def test_refuses_unknown_and_wrong_alike(self, email: str, password: str):
        await an_account()
        with pytest.raises(rules.InvalidCredentials):
            await sign_in(email, password)

    async def test_an_account_without_a_password_opens_for_none(self):
        account = await an_account()
        async with transaction() as session:
            stored = await repository.account_by_id(session, account.id)
            stored.password_hash = None
            session.add(stored)
        with pytest.raises(rules.InvalidCredentials):
            await sign_in(password="")

    async def test_renews_a_hash_that_was_made_with_weaker_settings(self):
        maja = await an_account()
        async with transaction() as session:
            stored = await repository.account_by_id(session, maja.id)
            stored.password_hash = PasswordHasher(time_cost=1, memory_cost=64).hash(PASSWORD)
            session.add(stored)
        assert await sign_in()
        assert "m=19456,t=2,p=1" in (await the_account()).password_hash

    async def test_five_failures_lock_the_account_and_say_for_how_long(self):
        await an_account()
        for _ in range(5):
            with pytest.raises(rules.InvalidCredentials):
                await sign_in(password="wrong")
        with pytest.raises(rules.AccountLocked) as refusal:
            await sign_in()
        assert refusal.value.params == {"count": 5}

    async def test_the_lock_ends_by_itself(self):
        await an_account()
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(5):
                with pytest.raises(rules.InvalidCredentials):
                    await sign_in(password="wrong")
            clock.shift(timedelta(minutes=5, seconds=1))
            assert await sign_in()

    async def test_a_success_forgets_the_failures_before_it(self):
        await an_account()
        for _ in range(4):
            with pytest.raises(rules.InvalidCredentials):
                await sign_in(password="wrong")
        assert await sign_in()
        with pytest.raises(rules.InvalidCredentials):
            await sign_in(password="wrong")

    async def test_ten_failures_a_minute_stop_an_address(self):
        for number in range(10):
            with pytest.raises(rules.InvalidCredentials):
                await sign_in(f"victim{number}@example.com", "guess")
        with pytest.raises(TooManyAttempts):
            await sign_in("victim11@example.com", "guess")


class TestReset:
    async def test_sets_the_password_and_signs_out_everywhere(self):
        maja = await an_account()
        await signed_in(maja.id, BROWSER)
        await signed_in(maja.id, a_browser("b"))
        async with transaction() as session:
            await mailed_links.request_reset(session, "maja@example.com", BROWSER, now=NOON)
        async with transaction() as session:
            await mailed_links.reset_password(
                session, await mailed_token(), "New-Heron8-sings?", BROWSER, now=NOON
            )
        async with transaction() as session:
            assert await service.open_sessions(session, now=NOON, account_id=maja.id) == 0
        assert await sign_in(password="New-Heron8-sings?")
        with pytest.raises(rules.InvalidCredentials):
            await sign_in(password=PASSWORD)

    async def test_leaves_nothing_of_who_typed_an_address_that_is_not_theirs(self, database: str):
        await sign_up()
        await resets(ANOTHER)
        maja = await the_account()
        assert (maja.display_name, maja.username, maja.language) == ("maja", "maja", "sv")
        assert (maja.phone, maja.sign_up_age, maja.gender, maja.country) == (None, None, None, "SE")
        assert maja.email_verified_at == NOON
        assert ask(database, "select handle from account_handles") == [("maja",)]
        assert await legal.untold(maja.id)
        with pytest.raises(rules.InvalidCredentials):
            await sign_in()
        assert await sign_in(password=NEW_PASSWORD)

    @pytest.mark.parametrize("kind", ["company", "admin"])
    async def test_leaves_no_role_that_they_wished_for(self, kind: str):
        await sign_up(a_sign_up(kind=kind))
        await resets(ANOTHER)
        maja = await the_account()
        assert (maja.role, maja.asked_for_admin) == ("player", False)

    async def test_keeps_what_was_typed_in_the_browser_that_signed_up(self):
        await sign_up()
        await resets(BROWSER)
        maja = await the_account()
        assert (maja.display_name, maja.phone, maja.sign_up_age) == ("Maja", "+46701740605", 21)
        assert await legal.untold(maja.id) == []

    async def test_knows_the_browser_that_signed_up_as_long_as_the_address_is_not_proved(self):
        await sign_up()
        later = NOON + timedelta(days=29)
        await retention.forget_expired(now=later)
        await resets(BROWSER, now=later)
        assert (await the_account()).phone == "+46701740605"
        await retention.forget_expired(now=later)
        async with transaction() as session:
            assert (
                await token_repository.door_of_last_link(
                    session, (await the_account()).id, links.VERIFY
                )
                == ""
            )

    async def test_keeps_no_older_link_for_that(self, database: str):
        await sign_up()
        async with transaction() as session:
            await mailed_links.mail_verification(
                session, await the_account(), now=NOON + timedelta(days=1)
            )
        await retention.forget_expired(now=NOON + timedelta(days=29))
        assert ask(database, "select count(*), min(created_at) from email_links") == [
            (1, NOON + timedelta(days=1))
        ]

    async def test_keeps_what_belongs_to_whoever_proved_the_address(self):
        await sign_up()
        assert await opens(await mailed_token())
        await resets(ANOTHER)
        assert (await the_account()).phone == "+46701740605"

    async def test_an_older_link_opens_too_until_a_password_was_chosen(self):
        await an_account()
        for _ in range(2):
            async with transaction() as session:
                await mailed_links.request_reset(session, "maja@example.com", BROWSER, now=NOON)
        first, second = await mailed_token(0), await mailed_token(1)
        async with transaction() as session:
            await mailed_links.reset_password(
                session, first, "New-Heron8-sings?", BROWSER, now=NOON
            )
        with pytest.raises(rules.LinkUsed):
            async with transaction() as session:
                await mailed_links.reset_password(
                    session, second, "Third-Lynx9-waits!", BROWSER, now=NOON
                )
        assert await sign_in(password="New-Heron8-sings?")

    async def test_a_weak_password_leaves_the_link_unused(self):
        await an_account()
        async with transaction() as session:
            await mailed_links.request_reset(session, "maja@example.com", BROWSER, now=NOON)
        token = await mailed_token()
        with pytest.raises(WeakPassword):
            async with transaction() as session:
                await mailed_links.reset_password(session, token, "weak", BROWSER, now=NOON)
        async with transaction() as session:
            await mailed_links.reset_password(
                session, token, "New-Heron8-sings?", BROWSER, now=NOON
            )

    async def test_asks_an_unknown_email_as_calmly_as_a_known_one(self):
        async with transaction() as session:
            await mailed_links.request_reset(session, "nobody@example.com", BROWSER, now=NOON)
        assert await letters() == []

    async def test_the_link_ends_after_an_hour(self):
        await an_account()
        async with transaction() as session:
            await mailed_links.request_reset(session, "maja@example.com", BROWSER, now=NOON)
        with pytest.raises(rules.LinkExpired):
            async with transaction() as session:
                await mailed_links.reset_password(
                    session,
                    await mailed_token(),
                    "New-Heron8-sings?",
                    BROWSER,
                    now=NOON + rules.RESET_LIFETIME,
                )


class TestPromotion:
    async def test_gives_the_role_and_tells_every_worker(self):
        maja = await an_account()
        told: asyncio.Queue[str] = asyncio.Queue()
        with listeners.put_back():
            live.on(sessions.ACCOUNT_CHANGED, told.put)
            listening = asyncio.create_task(live.listen())
            await hears_the_others()
            async with transaction() as session:
                assert await service.promote(session, "Maja@example.com", Role.ADMIN, now=NOON)
            assert await told.get() == str(maja.id)
            listening.cancel()
        assert (await the_account()).role == "admin"
        assert told.empty()

    async def test_knows_when_there_is_no_such_account(self):
        async with transaction() as session:
            assert not await service.promote(session, "nobody@example.com", Role.ADMIN, now=NOON)


class TestMail:
    async def test_nothing_is_mailed_when_the_transaction_fails(self):
        with pytest.raises(ZeroDivisionError):
            await self.mail_and_fail()
        assert await letters() == []

    @staticmethod
    async def mail_and_fail() -> None:
        async with transaction() as session:
            await mail.send(session, mail.Letter("a@b.se", "en", "verify", "http://x"))
            1 / 0  # noqa: B018
