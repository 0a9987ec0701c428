"""The age prompt's answers: what a refusal leaves, and what comes after an accepted age."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.core.gate import current_actor
from rewards_app.core.state import AppState
from rewards_app.features.accounts import age, sessions
from rewards_app.features.accounts.age_prompt import age_prompt
from rewards_app.features.accounts.age_state import AgeState
from tests.drawn import drawn
from tests.people import NOON, a_browser, an_account, signed_in
from tests.states import a_page

IS_ASKED_AGAIN = AgeState.asked_years > 0


@pytest.fixture(autouse=True)
def nobody_acts() -> Iterator[None]:
    before = current_actor.set(None)
    with time_machine.travel(NOON, tick=False):
        yield
    current_actor.reset(before)


@pytest.fixture
async def prompt() -> AgeState:
    return await a_page().get_state(AgeState)


@pytest.fixture
async def maja(database: str) -> Actor:
    account = await an_account(born=None)
    secret = await signed_in(account.id, a_browser())
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    return actor


async def tells(prompt: AgeState, actor: Actor | None, birth_date: str | None, **said: str) -> None:
    current_actor.set(actor)
    prompt.needs_age = bool(actor and actor.needs_age)
    form = said if birth_date is None else said | {"birth_date": birth_date}
    async for _ in AgeState.verify.fn(prompt, form=form):
        assert prompt.is_busy


def said(prompt: AgeState) -> tuple[str, str]:
    return prompt.notice["title"], prompt.notice["text"]


class TestVerify:
    async def test_closes_with_a_welcome_from_sixteen_on(self, prompt: AgeState, maja: Actor):
        await tells(prompt, maja, "2010-03-14", confirmed="16")
        assert (prompt.needs_age, prompt.needs_parents, prompt.is_busy) == (False, False, False)
        assert said(prompt) == ("age.welcome_title", "age.welcome_text")
        assert prompt.notice["style"] == "gaming"

    async def test_tells_the_young_about_their_parents_before_the_welcome(
        self, prompt: AgeState, maja: Actor
    ):
        await tells(prompt, maja, "2010-03-15", confirmed="15")
        assert (prompt.needs_age, prompt.needs_parents, prompt.notice) == (False, True, {})
        await AgeState.close_notice.fn(prompt)
        assert not prompt.needs_parents
        assert said(prompt) == ("age.welcome_title", "age.welcome_text")

    async def test_asks_whoever_is_not_grown_up_whether_that_is_right(
        self, prompt: AgeState, maja: Actor
    ):
        await tells(prompt, maja, "2012-05-17")
        assert (prompt.asked_years, prompt.needs_age, prompt.is_busy) == (13, True, False)
        assert (prompt.notice, prompt.refusal) == ({}, {})
        await tells(prompt, maja, "2012-05-17", confirmed="13")
        assert (prompt.asked_years, prompt.needs_age, prompt.needs_parents) == (0, False, True)

    async def test_goes_back_to_the_question_where_it_is_not(self, prompt: AgeState, maja: Actor):
        await tells(prompt, maja, "2012-05-17")
        await AgeState.reconsider.fn(prompt)
        assert (prompt.asked_years, prompt.has_reconsidered, prompt.needs_age) == (0, True, True)
        await tells(prompt, maja, "2002-05-17", confirmed="13")
        assert (prompt.needs_age, prompt.needs_parents, prompt.has_reconsidered) == (
            False,
            False,
            False,
        )

    async def test_asks_no_more_about_what_was_typed_before_a_refusal(
        self, prompt: AgeState, maja: Actor
    ):
        await tells(prompt, maja, "2012-05-17")
        await tells(prompt, maja, "", confirmed="13")
        assert (prompt.asked_years, prompt.refusal["code"]) == (0, "accounts.birth_date_missing")

    async def test_counts_the_day_that_the_browser_has(self, prompt: AgeState, maja: Actor):
        with time_machine.travel(datetime(2026, 3, 13, 10, 0, tzinfo=UTC), tick=False):
            await tells(prompt, maja, "2013-03-14", zone="Pacific/Kiritimati")
        assert prompt.asked_years == 13

    @pytest.mark.parametrize(
        ("typed", "code"),
        [
            (None, "accounts.birth_date_missing"),
            ("", "accounts.birth_date_missing"),
            ("2026-03-15", "accounts.birth_date_missing"),
            ("2013-03-15", "accounts.too_young"),
        ],
    )
    async def test_a_refusal_keeps_asking(
        self, prompt: AgeState, maja: Actor, typed: str | None, code: str
    ):
        await tells(prompt, maja, typed)
        assert said(prompt) == (f"errors.{code}_title", f"errors.{code}")
        assert prompt.refusal["code"] == code
        assert (prompt.needs_age, prompt.is_busy) == (True, False)

    async def test_somebody_without_a_session_signs_in_first(self, prompt: AgeState):
        await tells(prompt, None, "1998-05-17")
        assert said(prompt) == (
            "errors.accounts.sign_in_first_title",
            "errors.accounts.sign_in_first",
        )

    @pytest.mark.parametrize("failure", [StorageAway, StorageFull, RuntimeError])
    async def test_what_was_not_saved_is_asked_again(
        self, prompt: AgeState, maja: Actor, monkeypatch, failure: type[Exception]
    ):
        async def refuse(*_args: object, **_named: object) -> None:
            raise failure

        monkeypatch.setattr(age, "verify_age", refuse)
        await tells(prompt, maja, "1998-05-17")
        assert said(prompt) == (
            "errors.accounts.age_not_saved_title",
            "errors.accounts.age_not_saved",
        )
        assert prompt.needs_age
        assert prompt.notice["style"] == "destructive"

    async def test_an_admin_is_refused(self, prompt: AgeState, maja: Actor):
        async with transaction() as session:
            await run(session, text("update accounts set role = 'admin'"))
        admin = Actor(maja.user_id, maja.session_id, Role.ADMIN, maja.name, maja.email, NOON, False)
        await tells(prompt, admin, "1998-05-17")
        assert prompt.refusal["code"] == "not_allowed"


class TestCloseNotice:
    async def test_welcomes_nobody_who_was_told_nothing(self, prompt: AgeState):
        await AgeState.close_notice.fn(prompt)
        assert prompt.notice == {}


class TestTheSecondQuestion:
    def test_has_a_way_back_where_the_focus_is(self):
        answers = {IS_ASKED_AGAIN: True, AgeState.needs_parents: False, AppState.is_busy: False}
        prompt = drawn(age_prompt(), answers)
        [question] = [part for part in prompt if part.props.get("role") == "group"]
        assert question.words[0] == "So you are {{years}}. Is that right?"
        back, right = question.named("button")
        assert (back.words, right.words) == (["No, change the date"], ["Yes, I am {{years}}"])
        assert (back.props["type"], right.props["type"]) == ("button", "submit")


class TestTheButton:
    @pytest.mark.parametrize(
        ("is_busy", "words", "kind"),
        [(False, "Verify Age", "submit"), (True, "Verifying...", "button")],
    )
    def test_says_that_it_verifies_and_sends_nothing_twice(
        self, is_busy: bool, words: str, kind: str
    ):
        answers = {IS_ASKED_AGAIN: False, AgeState.needs_parents: False}
        prompt = drawn(age_prompt(), answers | {AppState.is_busy: is_busy})
        shown = [(one.words, one.props["type"]) for one in prompt.named("button")]
        assert ([words], kind) in shown
        assert len(shown) == 2, "beside it there is the way out alone"
