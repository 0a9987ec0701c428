"""What the front page keeps of a visitor: whose link led here, and what came of the form."""

from typing import Any

import pytest
from reflex.istate.data import RouterData

from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.landing import doors
from rewards_app.features.landing import state as landing
from rewards_app.features.landing.figures import PublicFigures
from rewards_app.features.landing.state import LandingState
from rewards_app.features.waitlist import service
from tests.review import an_admin
from tests.states import a_page, calls, failing
from tests.waitlist import somebody_waits

pytestmark = pytest.mark.usefixtures("database")
MAJA = {"email": "maja@example.com"}
WAITED = "emil@example.com"


@pytest.fixture
def page() -> Any:
    limits.forget_everything()
    doors.shared.forget()
    return a_page()


@pytest.fixture
async def front(page: Any) -> LandingState:
    return await page.get_state(LandingState)


def at(page: Any, path: str) -> None:
    page.router = RouterData.from_router_data({"asPath": path, "pathname": path.split("?")[0]})


async def who_wait() -> list[str]:
    async with transaction() as session:
        return [row[0] for row in await rows(session, "select email from waitlist", {})]


class TestJoining:
    async def test_shows_that_they_are_on_the_list(self, front: LandingState):
        await calls(LandingState.join, front, form=MAJA)
        assert (front.has_joined, front.is_busy, front.refusal) == (True, False, {})
        assert await who_wait() == ["maja@example.com"]

    async def test_names_the_address_that_is_mailed_and_takes_another_one(
        self, front: LandingState
    ):
        await calls(LandingState.join, front, form={"email": " Maya@example.com "})
        assert (front.has_joined, front.mailed_to) == (True, "maya@example.com")
        await calls(LandingState.use_another, front)
        assert (front.has_joined, front.mailed_to) == (False, "maya@example.com")
        await calls(LandingState.join, front, form=MAJA)
        assert (front.has_joined, front.mailed_to) == (True, "maja@example.com")
        assert sorted(await who_wait()) == ["maja@example.com", "maya@example.com"]

    @pytest.mark.parametrize(
        ("email", "title", "text"),
        [
            ("maja", "errors.joining.invalid_email_title", "errors.joining.invalid_email"),
            ("", "errors.joining.invalid_email_title", "errors.joining.invalid_email"),
            (
                "maja@mailinator.com",
                "errors.joining.invalid_email_title",
                "errors.accounts.disposable_email",
            ),
        ],
    )
    async def test_says_what_is_wrong_with_an_address(
        self, front: LandingState, email: str, title: str, text: str
    ):
        await calls(LandingState.join, front, form={"email": email})
        assert (front.notice["title"], front.notice["text"]) == (title, text)
        assert front.refusal["text"] == text
        assert (front.has_joined, front.is_busy) == (False, False)

    async def test_twice_is_told_in_the_specifications_words(self, front: LandingState):
        await calls(LandingState.join, front, form=MAJA)
        front.has_joined = False
        await calls(LandingState.join, front, form=MAJA)
        assert (front.notice["title"], front.notice["text"]) == (
            "errors.joining.already_waiting_title",
            "errors.joining.already_waiting",
        )
        assert not front.has_joined

    @pytest.mark.parametrize("failure", [RuntimeError("x"), StorageAway()], ids=["bug", "away"])
    async def test_that_fails_is_told_in_the_specifications_words(
        self, front: LandingState, monkeypatch, failure: Exception
    ):
        async def breaks(*_: object, **__: object) -> None:
            raise failure

        monkeypatch.setattr(service, "join", breaks)
        await calls(LandingState.join, front, form=MAJA)
        assert (front.notice["title"], front.notice["text"]) == (
            "errors.joining.failed_title",
            "errors.joining.failed",
        )

    async def test_without_a_field_is_no_address(self, front: LandingState):
        await calls(LandingState.join, front, form={})
        assert front.notice["text"] == "errors.joining.invalid_email"


class TestOnceTheDoorsAreOpen:
    async def test_it_says_so_in_place_of_the_form(self, front: LandingState):
        await calls(LandingState.load, front)
        assert not front.are_open
        await they_open()
        await calls(LandingState.load, front)
        assert front.are_open

    async def test_a_page_that_was_opened_before_puts_nobody_on_the_list(self, front: LandingState):
        await calls(LandingState.load, front)
        await they_open()
        await calls(LandingState.join, front, form=MAJA)
        assert (front.are_open, front.has_joined, front.is_busy) == (True, False, False)
        assert (front.refusal, front.notice) == ({}, {})
        assert await who_wait() == [WAITED]

    async def test_it_stays_as_built_while_nobody_can_tell(self, front: LandingState, monkeypatch):
        await they_open()
        monkeypatch.setattr(service, "are_open", failing(StorageAway))
        await calls(LandingState.load, front)
        assert (front.are_open, front.are_counted, front.notice) == (False, True, {})

    async def test_they_are_never_shut_again(self, front: LandingState, monkeypatch):
        await they_open()
        await calls(LandingState.load, front)
        doors.shared.forget()
        monkeypatch.setattr(service, "are_open", failing(StorageAway))
        await calls(LandingState.load, front)
        assert front.are_open

    async def test_nobody_joins_while_nobody_can_tell(self, front: LandingState, monkeypatch):
        await calls(LandingState.load, front)
        await they_open()
        monkeypatch.setattr(service, "are_open", failing(StorageAway))
        await calls(LandingState.join, front, form=MAJA)
        assert (front.has_joined, front.is_busy) == (False, False)
        assert front.refusal["code"] == "joining.failed"
        assert await who_wait() == [WAITED]


async def they_open() -> None:
    await somebody_waits(WAITED)
    async with transaction() as session:
        await service.open_doors(session, await an_admin(), now=utc_now())
    doors.shared.forget()


class TestAFriendsLink:
    async def test_is_remembered_when_another_language_is_chosen(
        self, page: Any, front: LandingState
    ):
        at(page, "/?friend=abcdefgh23")
        await calls(LandingState.load, front)
        at(page, "/sv")
        await calls(LandingState.load, front)
        assert front._friend == "abcdefgh23"


class TestTheFigures:
    @pytest.mark.parametrize("known", [None, PublicFigures(0, 0, 0)], ids=["unknown", "none yet"])
    async def test_are_words_where_there_are_none(
        self, front: LandingState, monkeypatch, known: PublicFigures | None
    ):
        await self.counts(front, monkeypatch, known)
        assert (front.are_counted, front.figures) == (True, {})

    async def test_are_shown_from_the_first_player_on(self, front: LandingState, monkeypatch):
        await self.counts(front, monkeypatch, PublicFigures(1, 0, 0))
        assert front.figures == {"players": 1, "ads": 0, "rewards": 0}

    async def counts(self, front: LandingState, monkeypatch, known: PublicFigures | None) -> None:
        async def fresh() -> PublicFigures | None:
            return known

        monkeypatch.setattr(landing.counted, "fresh", fresh)
        await calls(LandingState.load, front)
