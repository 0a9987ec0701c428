"""People as admins find them; their sessions and verification mails."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing, directory, restrictions, role_rules, sessions
from rewards_app.features.accounts.directory import Search, Which
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.audit import log
from rewards_app.features.privacy import erasing
from rewards_app.models import Account
from tests.ads import SECOND, change
from tests.paying import ask
from tests.people import NOON, a_browser, an_account, signed_in
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")

REASON = "The phone was stolen"
LETTERS = (
    "select args->>'name', args->>'recipient', args->'params' from procrastinate_jobs"
    " where task_name = 'send_mail' and args->>'name' <> 'security_new_device' order by id"
)
LATER = NOON + 60 * SECOND


async def found(
    text: str = "", which: Which = Which.EVERYBODY, before: UUID | None = None
) -> directory.People:
    async with transaction() as session:
        return await directory.find(session, Search(text, which), before=before)


async def names(text: str = "", which: Which = Which.EVERYBODY) -> list[str]:
    return [person.name for person in (await found(text, which)).shown]


async def story(admin: Actor, account: Account) -> directory.Story:
    async with transaction() as session:
        return await directory.look_into(session, admin, account.id, now=LATER)


async def lines():
    async with transaction() as session:
        return (await log.find(session, log.Search())).shown


async def restricted(account: Account, kind: Kind = Kind.SUSPENDED) -> None:
    async with transaction() as session:
        await restrictions.begin(session, account.id, kind, "A robot", by=None, now=NOON)


class TestSearching:
    async def test_everybody_is_there_the_newest_first(self):
        for name in ("Maja", "Emil", "Åsa"):
            await an_account(f"{name.lower()}@example.com".replace("å", "a"), name=name)
        assert await names() == ["Åsa", "Emil", "Maja"]

    async def test_the_beginning_of_an_email_or_name_is_enough_in_any_case(self):
        await an_account("maja@example.com", name="Åsa")
        await an_account("emil@example.com", name="Emil")
        for typed in ("Ås", "åsa", "MAJA", "maja@ex"):
            assert await names(typed) == ["Åsa"], typed

    async def test_a_whole_id_finds_its_account(self):
        maja = await an_account()
        await an_account("emil@example.com", name="Emil")
        assert await names(str(maja.id)) == ["Maja"]
        assert await names(str(maja.id).upper()) == ["Maja"]
        assert await names(str(new_id())) == []

    async def test_who_leaves_and_who_is_forgotten_are_told_apart(self):
        for name in ("Maja", "Emil", "Otto"):
            await an_account(f"{name.lower()}@example.com", name=name)
        maja, emil = (await found("maja")).shown[0], (await found("emil")).shown[0]
        async with transaction() as session:
            await closing.close(session, maja.id, now=NOON)
            await closing.close(session, emil.id, now=NOON)
        await erasing.erase(emil.id, now=NOON + timedelta(days=31))
        told = {person.id: (person.is_closed, person.is_erased) for person in (await found()).shown}
        assert told.pop(maja.id) == (True, False)
        assert told.pop(emil.id) == (True, True)
        assert list(told.values()) == [(False, False)]

    @pytest.mark.parametrize("typed", ["%", "_", "_aja", "M%a", "\\", "' or true --", "aja"])
    async def test_signs_of_patterns_and_middles_of_names_find_nothing(self, typed: str):
        await an_account()
        assert await names(typed) == []

    async def test_lists_show_those_who_are_wanted(self):
        linnea = await an_admin()
        await an_account("p@example.com", name="Pat")
        await an_account("c@example.com", Role.COMPANY, name="Carl")
        await an_account("m@example.com", Role.MODERATOR, name="Mo")
        await an_account("u@example.com", name="Una", is_verified=False)
        asks = await an_account("a@example.com", name="Asker")
        async with transaction() as session:
            asks.asked_for_admin = True
            await session.merge(asks)
        held = await an_account("r@example.com", name="Rob")
        await restricted(held)
        await restricted(held, Kind.EARNING_PAUSED)
        assert await names(which=Which.ADMINS) == [linnea.name]
        assert await names(which=Which.COMPANIES) == ["Carl"]
        assert await names(which=Which.MODERATORS) == ["Mo"]
        assert await names(which=Which.UNVERIFIED) == ["Una"]
        assert await names(which=Which.ASKED_FOR_ADMIN) == ["Asker"]
        assert await names(which=Which.RESTRICTED) == ["Rob"]
        assert await names(which=Which.PLAYERS) == ["Rob", "Asker", "Una", "Pat"]
        assert await names("r", Which.RESTRICTED) == ["Rob"]
        assert await names("p", Which.RESTRICTED) == []
        [rob] = (await found(which=Which.RESTRICTED)).shown
        assert list(rob.restrictions) == ["earning_paused", "suspended"]

    @pytest.mark.parametrize("which", [Which.EVERYBODY, Which.RESTRICTED, Which.PLAYERS])
    async def test_pages_have_no_gap_and_no_repetition(self, which: Which, monkeypatch):
        monkeypatch.setattr(directory, "A_PAGE", 3)
        made = [await an_account(f"p{n}@example.com", name=f"P{n}") for n in range(8)]
        for account in made:
            await restricted(account)
        seen, before = [], None
        while True:
            page = await found("", which, before)
            seen += [person.id for person in page.shown]
            before = page.next_before
            if before is None:
                break
        assert seen == [account.id for account in reversed(made)]


class TestAStory:
    async def test_tells_where_somebody_is_signed_in(self):
        linnea, maja = await an_admin(), await an_account()
        await signed_in(maja.id, a_browser("b", user_agent="Firefox/127.0 Linux"))
        told = await story(linnea, maja)
        assert [one.user_agent for one in told.sessions] == ["Firefox/127.0 Linux"]
        assert told.facts.last_active_at == NOON
        assert (told.facts.has_password, list(told.facts.providers)) == (True, [])

    async def test_has_no_session_that_is_over(self):
        linnea, maja = await an_admin(), await an_account()
        secret = await signed_in(maja.id, a_browser())
        async with transaction() as session:
            await sessions.end(session, digest(secret), now=NOON)
        assert list((await story(linnea, maja)).sessions) == []

    async def test_of_nobody_is_refused(self):
        linnea = await an_admin()
        with pytest.raises(role_rules.UnknownAccount):
            async with transaction() as session:
                await directory.look_into(session, linnea, new_id(), now=NOON)

    async def test_holds_no_secret_and_no_birth_date(self):
        linnea, maja = await an_admin(), await an_account(born="1998-05-17")
        told = repr(await story(linnea, maja))
        assert "1998" not in told
        assert "argon2" not in told


async def ends(admin: Actor, account: Account, only: UUID | None = None, reason: str = REASON):
    async with transaction() as session:
        return await directory.end_sessions(
            session, admin, account.id, reason, only=only, now=LATER
        )


class TestEndingSessions:
    async def test_is_mailed_to_their_owner_without_the_reason(self, database: str):
        linnea, maja = await an_admin(), await an_account()
        await signed_in(maja.id, a_browser())
        await ends(linnea, maja)
        [(name, to, params)] = ask(database, LETTERS)
        assert (name, to) == ("security_sessions_ended", maja.email)
        assert REASON not in str(params)

    @pytest.mark.parametrize("changes", [{"closed_at": NOON}, {"email_verified_at": None}])
    async def test_is_mailed_to_nobody_who_has_left_or_never_proved_the_address(
        self, database: str, changes: dict[str, datetime | None]
    ):
        linnea, maja = await an_admin(), await an_account()
        await signed_in(maja.id, a_browser())
        await change(maja, **changes)
        await ends(linnea, maja)
        assert ask(database, LETTERS) == []

    async def test_ends_one_and_leaves_the_others(self):
        linnea, maja = await an_admin(), await an_account()
        for name in "ab":
            await signed_in(maja.id, a_browser(name))
        first = (await story(linnea, maja)).sessions[0]
        assert await ends(linnea, maja, first.id) == 1
        assert first.id not in [one.id for one in (await story(linnea, maja)).sessions]
        [line] = await lines()
        assert (line.action, line.label, line.reason) == ("sessions_ended", "Maja", REASON)
        assert (line.before, line.after) == ({"sessions": 2}, {"sessions": 1})

    async def test_is_seen_by_its_owner_in_an_open_list_of_them(self):
        linnea, maja = await an_admin(), await an_account()
        await signed_in(maja.id, a_browser())
        [only] = (await story(linnea, maja)).sessions
        live._waiting.clear()
        await ends(linnea, maja, only.id)
        assert (sessions.SESSIONS_CHANGED, str(maja.id)) in live._waiting

    async def test_ends_all(self):
        linnea, maja = await an_admin(), await an_account()
        for name in "abc":
            await signed_in(maja.id, a_browser(name))
        assert await ends(linnea, maja) == 3
        assert list((await story(linnea, maja)).sessions) == []

    async def test_that_are_over_already_says_so_and_leaves_no_line(self):
        linnea, maja = await an_admin(), await an_account()
        for only in (None, new_id()):
            with pytest.raises(directory.SessionIsOver):
                await ends(linnea, maja, only)
        assert list(await lines()) == []

    async def test_of_somebody_else_by_this_account_ends_nothing(self):
        linnea, maja = await an_admin(), await an_account()
        emil = await an_account("emil@example.com", name="Emil")
        await signed_in(emil.id, a_browser())
        [his] = (await story(linnea, emil)).sessions
        with pytest.raises(directory.SessionIsOver):
            await ends(linnea, maja, his.id)
        assert len((await story(linnea, emil)).sessions) == 1

    async def test_needs_a_reason(self):
        linnea, maja = await an_admin(), await an_account()
        await signed_in(maja.id, a_browser())
        with pytest.raises(role_rules.ReasonTooShort):
            await ends(linnea, maja, reason=" ")
        assert len((await story(linnea, maja)).sessions) == 1

    async def test_never_ends_the_one_that_is_acted_in(self, database: str):
        account = await an_account("linnea@example.com", Role.ADMIN, name="Linnea")
        await signed_in(account.id, a_browser())
        async with transaction() as session:
            [own] = await directory.directory_repository.open_sessions(
                session, account.id, active_since=NOON - SECOND, created_since=NOON - SECOND
            )
        linnea = Actor(
            account.id, own.id, Role.ADMIN, "Linnea", account.email, NOON, is_age_verified=True
        )
        await signed_in(account.id, a_browser("b"))
        assert await ends(linnea, account) == 1
        assert ask(database, LETTERS) == []
        with pytest.raises(directory.SessionIsOver):
            await ends(linnea, account, own.id)
        assert [one.id for one in (await story(linnea, account)).sessions] == [own.id]


async def sends(admin: Actor, account: Account) -> None:
    async with transaction() as session:
        await directory.send_verification(session, admin, account.id, now=NOON)


class TestVerificationMails:
    async def test_go_out_and_are_written_down(self):
        linnea, una = await an_admin(), await an_account(is_verified=False)
        await sends(linnea, una)
        [line] = await lines()
        assert (line.action, line.about) == ("verification_sent", f"account:{una.id}")

    async def test_are_not_for_who_is_verified(self):
        linnea, maja = await an_admin(), await an_account()
        with pytest.raises(directory.IsVerified):
            await sends(linnea, maja)

    async def test_are_no_more_than_their_owner_could_ask_for(self):
        linnea, una = await an_admin(), await an_account(is_verified=False)
        for _ in range(5):
            await sends(linnea, una)
        with pytest.raises(TooManyAttempts):
            await sends(linnea, una)
        assert len(await lines()) == 5
