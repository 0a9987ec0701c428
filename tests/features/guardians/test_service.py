"""Asking a guardian and what they answer, on a real database."""

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.settings import settings
from rewards_app.features.accounts import rules as account_rules
from rewards_app.features.ads import standings
from rewards_app.features.guardians import rules, service
from rewards_app.features.legal.rules import Document, newest
from tests.guardians import has_told, is_born
from tests.people import NOON, a_browser, an_account
from tests.queued import as_read

MUM = "mum@example.com"
HERE = a_browser()
BORN = "2011-05-17"
AN_HOUR = timedelta(hours=1)


async def a_young_player(email: str = "maja@example.com", born: str | None = BORN) -> Actor:
    account = await an_account(email, born=born)
    return Actor(account.id, account.id, Role.PLAYER, "Maja", email, NOON, born is not None)


async def a_player_of(sign_up_age: int | None) -> Actor:
    """Who has not said when they were born."""
    maja = await a_young_player(born=None)
    await has_told(maja, sign_up_age=sign_up_age)
    return maja


async def ask(actor: Actor, email: str = MUM, *, now=NOON) -> None:
    async with transaction() as session:
        await service.ask(session, actor, email, now=now)


async def give(token: str, name: str = "Anna Berg", *, is_guardian: bool = True, now=NOON) -> None:
    async with transaction() as session:
        await service.give(session, token, name, HERE, is_guardian=is_guardian, now=now)


async def refuse(token: str, *, now=NOON) -> None:
    async with transaction() as session:
        await service.refuse(session, token, HERE, now=now)


async def withdraw(token: str, *, now=NOON) -> bool:
    async with transaction() as session:
        return await service.withdraw(session, token, HERE, now=now)


async def opened(token: str, *, now=NOON) -> service.Request:
    async with transaction() as session:
        return await service.request_of(session, token, HERE, now=now)


async def standing(actor: Actor, *, now=NOON) -> service.Standing:
    async with transaction() as session:
        return await service.standing(session, actor, now=now)


async def is_missing(actor: Actor, *, now=NOON) -> bool:
    async with transaction() as session:
        return await service.is_missing(session, actor.user_id, now=now)


def letters(database: str) -> list[dict]:
    """Queued, oldest first."""
    query = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"
    with psycopg.connect(database) as connection:
        return [as_read(row[0]) for row in connection.execute(query).fetchall()]


def newest_token(database: str) -> str:
    return letters(database)[-1]["link"].partition("token=")[2]


def kept(database: str, column: str) -> list:
    query = f"select {column} from guardian_consents order by id"
    with psycopg.connect(database) as connection:
        return [row[0] for row in connection.execute(query).fetchall()]  # pyright: ignore


def told(database: str, account_id: UUID) -> list[str]:
    query = "select kind from notifications where account_id = %s order by id"
    with psycopg.connect(database) as connection:
        return [row[0] for row in connection.execute(query, (account_id,)).fetchall()]


class TestAsking:
    async def test_mails_the_guardian_a_link(self, database: str):
        await ask(await a_young_player())
        [letter] = letters(database)
        assert (letter["recipient"], letter["name"]) == (MUM, "guardian_request")
        assert letter["params"]["name"] == "Maja"
        assert "/guardian?token=" in letter["link"]

    async def test_leads_to_the_privacy_policy_in_its_own_language(self, database: str):
        maja = await a_young_player()
        with psycopg.connect(database) as connection:
            connection.execute("update accounts set language = 'sv'")
        await ask(maja)
        await give(newest_token(database))
        await withdraw(newest_token(database))
        led = [letter["params"]["privacy"] for letter in letters(database)]
        assert led == 3 * [f"{settings().origin}/privacy?language=sv"]

    async def test_keeps_neither_the_link_nor_the_address_readable(self, database: str):
        await ask(await a_young_player())
        assert newest_token(database) not in json.dumps(kept(database, "token_hash"))
        assert MUM not in kept(database, "email")[0]

    async def test_is_not_for_whoever_is_sixteen(self, database: str):
        with pytest.raises(rules.NoGuardianNeeded):
            await ask(await a_young_player(born="2010-03-14"))

    async def test_refuses_ones_own_address(self, database: str):
        with pytest.raises(rules.OwnAddress):
            await ask(await a_young_player(), "maja+dad@example.com")

    async def test_refuses_an_address_made_to_be_thrown_away(self, database: str):
        with pytest.raises(account_rules.DisposableEmail):
            await ask(await a_young_player(), "mum@mailinator.com")

    async def test_refuses_what_is_no_address(self, database: str):
        with pytest.raises(account_rules.BadEmail):
            await ask(await a_young_player(), "mum@example.com\nBcc: all@example.com")

    async def test_works_three_times_a_day(self, database: str):
        maja = await a_young_player()
        for name in ("mum", "dad", "gran"):
            await ask(maja, f"{name}@example.com")
        with pytest.raises(rules.AskedTooOften):
            await ask(maja, "aunt@example.com")
        await ask(maja, "aunt@example.com", now=NOON + timedelta(days=1, seconds=1))

    async def test_fills_nobodys_letter_box_from_many_accounts(self, database: str):
        for number in range(5):
            await ask(await a_young_player(f"young-{number}@example.com"))
        with pytest.raises(TooManyAttempts):
            await ask(await a_young_player("young-5@example.com"))

    async def test_another_guardian_ends_the_link_of_the_first(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        first = newest_token(database)
        await ask(maja, "dad@example.com")
        with pytest.raises(rules.LinkOver):
            await opened(first)
        assert kept(database, "status") == ["replaced", "asked"]

    async def test_is_over_once_consent_is_there(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await give(newest_token(database))
        with pytest.raises(rules.ConsentIsThere):
            await ask(maja, "dad@example.com")


class TestWhoHasNotSaidWhenTheyWereBorn:
    @pytest.mark.parametrize(("age", "is_needed"), [(13, True), (15, True), (16, False)])
    async def test_is_as_old_as_they_said_when_they_signed_up(
        self, database: str, age: int, is_needed: bool
    ):
        maja = await a_player_of(age)
        assert (await standing(maja)).is_needed is is_needed
        assert await is_missing(maja) is is_needed

    async def test_grows_older_from_that_day_on(self, database: str):
        maja = await a_player_of(15)
        assert await is_missing(maja, now=NOON + timedelta(days=364))
        assert not await is_missing(maja, now=NOON + timedelta(days=365))

    async def test_can_ask_a_guardian(self, database: str):
        maja = await a_player_of(15)
        await ask(maja)
        await give(newest_token(database))
        assert not await is_missing(maja)

    async def test_is_believed_about_their_birth_date_first(self, database: str):
        maja = await a_player_of(30)
        await is_born(maja, BORN)
        assert await is_missing(maja)


class TestOpeningALink:
    async def test_shows_whose_guardian_is_asked_and_changes_nothing(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        assert (await opened(newest_token(database))).name == "Maja"
        assert kept(database, "status") == ["asked"]
        assert await is_missing(maja)

    @pytest.mark.parametrize("token", ["", "x" * 43, "' or 1=1 --"])
    async def test_that_was_made_up_says_that_it_is_over(self, database: str, token: str):
        with pytest.raises(rules.LinkOver):
            await opened(token)

    async def test_after_seven_days_says_the_same(self, database: str):
        await ask(await a_young_player())
        with pytest.raises(rules.LinkOver):
            await opened(newest_token(database), now=NOON + rules.ANSWER_WITHIN)

    async def test_of_a_closed_account_says_the_same(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        with psycopg.connect(database) as connection:
            connection.execute("update accounts set closed_at = now()")
        with pytest.raises(rules.LinkOver):
            await opened(newest_token(database))

    async def test_is_tried_thirty_times_in_ten_minutes(self, database: str):
        for _ in range(30):
            with pytest.raises(rules.LinkOver):
                await opened("guess")
        with pytest.raises(TooManyAttempts):
            await opened("guess")


class TestGiving:
    async def test_ends_the_waiting_and_tells_the_player(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await give(newest_token(database))
        assert not await is_missing(maja)
        assert told(database, maja.user_id) == ["guardian_gave"]
        assert (await standing(maja)).status == "given"

    async def test_is_kept_with_its_time_its_sealed_name_and_the_edition(self, database: str):
        await ask(await a_young_player())
        await give(newest_token(database), now=NOON + AN_HOUR)
        assert kept(database, "answered_at") == [NOON + AN_HOUR]
        assert kept(database, "edition") == [newest(Document.PRIVACY).number]
        assert "Anna" not in kept(database, "name")[0]

    async def test_mails_the_guardian_how_to_take_it_back(self, database: str):
        await ask(await a_young_player())
        await give(newest_token(database))
        assert (letters(database)[-1]["recipient"], letters(database)[-1]["name"]) == (
            MUM,
            "guardian_given",
        )
        assert (await opened(newest_token(database))).is_given

    async def test_works_once_with_one_link(self, database: str):
        await ask(await a_young_player())
        token = newest_token(database)
        await give(token)
        with pytest.raises(rules.LinkOver):
            await give(token)
        with pytest.raises(rules.LinkOver):
            await refuse(token)

    async def test_needs_a_name_and_the_box(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        with pytest.raises(rules.NameMissing):
            await give(newest_token(database), "")
        with pytest.raises(rules.NotConfirmed):
            await give(newest_token(database), is_guardian=False)
        assert await is_missing(maja)

    async def test_stays_when_the_link_is_old(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await give(newest_token(database))
        assert not await is_missing(maja, now=NOON + timedelta(days=200))


class TestRefusing:
    async def test_leaves_things_waiting_and_tells_the_player(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await refuse(newest_token(database))
        assert await is_missing(maja)
        assert told(database, maja.user_id) == ["guardian_refused"]

    async def test_is_no_end_another_guardian_can_be_asked(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await refuse(newest_token(database))
        await ask(maja, "dad@example.com")
        await give(newest_token(database), "Olle Berg")
        assert not await is_missing(maja)


class TestWithdrawing:
    async def test_works_any_time_and_tells_both(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await give(newest_token(database))
        assert await withdraw(newest_token(database), now=NOON + timedelta(days=100))
        assert await is_missing(maja)
        assert told(database, maja.user_id) == ["guardian_gave", "guardian_withdrew"]
        assert letters(database)[-1]["name"] == "guardian_withdrawn"

    async def test_after_the_sixteenth_birthday_tells_nobody_that_things_wait(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        await give(newest_token(database))
        at_16 = NOON.replace(2027, 5, 17)
        assert not await withdraw(newest_token(database), now=at_16)
        assert not await is_missing(maja, now=at_16)
        assert told(database, maja.user_id) == ["guardian_gave", "guardian_withdrew_grown"]
        assert letters(database)[-1]["name"] == "guardian_withdrawn_grown"

    async def test_needs_the_link_of_the_confirmation(self, database: str):
        maja = await a_young_player()
        await ask(maja)
        token = newest_token(database)
        with pytest.raises(rules.LinkOver):
            await withdraw(token)
        await give(token)
        with pytest.raises(rules.LinkOver):
            await withdraw(token)
        assert not await is_missing(maja)

    async def test_works_once(self, database: str):
        await ask(await a_young_player())
        await give(newest_token(database))
        token = newest_token(database)
        await withdraw(token)
        with pytest.raises(rules.LinkOver):
            await withdraw(token)


class TestForgetting:
    async def test_a_month_after_the_link_the_address_of_who_said_nothing_goes(self, database: str):
        await ask(await a_young_player())
        async with transaction() as session:
            assert await service.forget(session, now=NOON + timedelta(days=37)) == 0
        async with transaction() as session:
            assert await service.forget(session, now=NOON + timedelta(days=37, seconds=1)) == 1

    async def test_a_consent_is_kept(self, database: str):
        await ask(await a_young_player())
        await give(newest_token(database))
        async with transaction() as session:
            assert await service.forget(session, now=NOON + timedelta(days=900)) == 0


@pytest.mark.parametrize(
    ("zone", "sixteen_at"),
    [
        ("Pacific/Kiritimati", datetime(2026, 3, 13, 10, 0, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 3, 14, 7, 0, tzinfo=UTC)),
    ],
)
async def test_sixteen_is_somebody_from_the_midnight_of_their_own_day_on(
    database: str, zone: str, sixteen_at: datetime
):
    maja = await a_young_player(born="2010-03-14")
    async with transaction() as session:
        await standings.tell_time_zone(session, maja, zone, now=NOON)
    assert await is_missing(maja, now=sixteen_at - timedelta(seconds=1))
    assert not await is_missing(maja, now=sixteen_at)
    for moment, is_seen in ((sixteen_at - timedelta(seconds=1), False), (sixteen_at, True)):
        async with transaction() as session:
            seen = await service.seen_among(session, [maja.user_id], now=moment)
        assert bool(seen) is is_seen


async def test_at_sixteen_nothing_waits_any_more(database: str):
    maja = await a_young_player(born="2010-03-20")
    assert await is_missing(maja)
    assert not await is_missing(maja, now=NOON + timedelta(days=6))
