"""Changing the password while signed in, on a real database."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.accounts import (
    contacts,
    mailed_links,
    passwords,
    repository,
    rules,
    sessions,
    signing_in,
)
from rewards_app.features.accounts.password_rules import (
    KnownPassword,
    PersonalPassword,
    SamePassword,
    WeakPassword,
)
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.queued import letters

pytestmark = pytest.mark.usefixtures("database")
HERE, ELSEWHERE = a_browser("here"), a_browser("elsewhere")
ANOTHER = "Brave-Heron4-sings!"


async def actor_of(secret: str) -> Actor | None:
    return await sessions.find_actor(digest(secret), now=NOON)


async def maja() -> Actor:
    account = await an_account()
    actor = await actor_of(await signed_in(account.id, HERE))
    assert actor
    return actor


async def change(actor: Actor, old: str = PASSWORD, new: str = ANOTHER, *, now=NOON) -> None:
    async with transaction() as session:
        await passwords.change(session, actor, old, new, HERE, now=now)


async def reset(token: str, password: str) -> None:
    async with transaction() as session:
        await mailed_links.reset_password(session, token, password, HERE, now=NOON)


async def sign_in(password: str) -> str | None:
    async with transaction() as session:
        return await signing_in.sign_in(
            session, "maja@example.com", password, HERE, may_log_address=False, now=NOON
        )


class TestChange:
    async def test_the_new_one_signs_in_and_the_old_one_does_not(self):
        await change(await maja())
        assert await sign_in(ANOTHER)
        with pytest.raises(rules.InvalidCredentials):
            await sign_in(PASSWORD)

    async def test_every_other_session_ends_and_this_one_stays(self):
        actor = await maja()
        other = await signed_in(actor.user_id, ELSEWHERE)
        await change(actor)
        assert await actor_of(other) is None
        async with transaction() as session:
            (alive,) = await sessions.alive(session, actor.user_id, now=NOON)
        assert alive.id == actor.session_id

    async def test_tells_the_owner(self):
        await change(await maja())
        (letter,) = await letters()
        assert (letter["recipient"], letter["name"]) == (
            "maja@example.com",
            "security_password_changed",
        )
        assert letter["link"].endswith("/mailed?mode=renew")
        assert PASSWORD not in str(letter)
        assert ANOTHER not in str(letter)

    async def test_a_reset_link_that_was_mailed_before_opens_nothing_any_more(self):
        actor = await maja()
        async with transaction() as session:
            await mailed_links.request_reset(session, actor.email, HERE, now=NOON)
        token = (await letters())[0]["link"].rpartition("=")[2]
        await change(actor)
        with pytest.raises(rules.LinkUsed):
            await reset(token, "Third-Lynx9-waits!")

    async def test_the_age_of_the_password_begins_anew(self):
        actor, later = await maja(), NOON + timedelta(minutes=20)
        await change(actor, now=later)
        assert await repository.password_changed_at(actor.user_id) == later

    async def test_is_refused_without_the_present_one(self):
        actor = await maja()
        with pytest.raises(rules.WrongPassword):
            await change(actor, "wrong")
        assert await sign_in(PASSWORD)
        assert not await letters()

    @pytest.mark.parametrize(
        ("new", "refusal"),
        [
            (PASSWORD, SamePassword),
            ("Sh0rt!", WeakPassword),
            ("Password123!", WeakPassword),
            ("Maja-Maja-7-Maja!", PersonalPassword),
        ],
        ids=["the same", "short", "common", "their own name"],
    )
    async def test_is_refused_with_a_bad_new_one(self, new: str, refusal: type[Exception]):
        with pytest.raises(refusal):
            await change(await maja(), new=new)

    async def test_holds_up_nobody_with_the_same_one_again_and_again(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        """To estimate one holds up everybody, and each right old one clears its own limit."""
        estimated: list[str] = []
        monkeypatch.setattr(
            contacts, "refuse_guessable", lambda password, about: estimated.append(password)
        )
        actor = await maja()
        with pytest.raises(SamePassword):
            await change(actor, new=PASSWORD)
        assert estimated == []
        old, new = PASSWORD, ANOTHER
        for _ in range(passwords.NEW_ONES.amount):
            await change(actor, old, new)
            old, new = new, old
        with pytest.raises(TooManyAttempts):
            await change(actor, old, new)
        assert len(estimated) == passwords.NEW_ONES.amount
        assert await sign_in(old)

    async def test_that_are_guessable_are_not_tried_for_ever_by_one_mailed_link(self):
        actor = await maja()
        async with transaction() as session:
            await mailed_links.request_reset(session, actor.email, HERE, now=NOON)
        token = (await letters())[0]["link"].rpartition("=")[2]
        for _ in range(passwords.NEW_ONES.amount):
            with pytest.raises(KnownPassword):
                await reset(token, "Aa1!Aa1!Aa1!")
        with pytest.raises(TooManyAttempts):
            await reset(token, "Aa1!Aa1!Aa1!")
        limits.forget_everything()
        await reset(token, ANOTHER)
        assert await sign_in(ANOTHER)

    async def test_who_has_none_sets_a_first_one_by_a_fresh_sign_in(self):
        actor = await maja()
        async with transaction() as session:
            await run(session, text("update accounts set password_hash = null"))
        await change(actor, old="")
        assert await sign_in(ANOTHER)
        assert [letter["name"] for letter in await letters()] == ["security_password_set"]
