"""What the bell and the settings keep of their owner, and who may ask them."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.ids import new_id
from rewards_app.features.notifications.choices_state import ChoicesState
from rewards_app.features.notifications.state import BellState
from tests.ads import the_player
from tests.features.notifications.test_service import tells
from tests.review import a_company, a_member
from tests.states import a_page, acting, calls


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    with acting(await the_player()) as actor:
        yield actor


@pytest.fixture
async def bell() -> Any:
    return await a_page().get_state(BellState)


@pytest.fixture
async def choices() -> Any:
    return await a_page().get_state(ChoicesState)


class TestTheBell:
    async def test_counts_with_every_page_and_lists_when_it_is_opened(self, maja: Actor, bell):
        await tells(maja)
        await calls(BellState.load, bell)
        assert (bell.unread, bell.told) == (1, [])
        await calls(BellState.open, bell)
        [one] = bell.told
        assert one["says"]["text"] == "notifications.kinds.reply"
        assert not one["is_read"]

    async def test_hears_what_comes_while_it_is_open(self, maja: Actor, bell):
        await calls(BellState.open, bell)
        await tells(maja)
        await calls(BellState.load, bell)
        assert (bell.unread, len(bell.told)) == (1, 1)

    async def test_reads_one_and_all(self, maja: Actor, bell):
        for _ in range(3):
            await tells(maja)
        await calls(BellState.open, bell)
        await calls(BellState.read, bell, notification_id=_id(bell.told[0]))
        assert (bell.unread, [one["is_read"] for one in bell.told]) == (2, [True, False, False])
        await calls(BellState.read_all, bell)
        assert bell.unread == 0

    async def test_loads_older_ones_once(self, maja: Actor, bell):
        for _ in range(25):
            await tells(maja)
        await calls(BellState.open, bell)
        before = bell.next_before
        await calls(BellState.load_more, bell, before=before)
        await calls(BellState.load_more, bell, before=before)
        assert (len(bell.told), bell.next_before) == (25, "")

    async def test_older_ones_that_are_read_are_marked_as_read(self, maja: Actor, bell):
        for _ in range(25):
            await tells(maja)
        await calls(BellState.open, bell)
        await calls(BellState.load_more, bell, before=bell.next_before)
        await calls(BellState.read, bell, notification_id=_id(bell.told[24]))
        assert [one["is_read"] for one in bell.told] == [False] * 24 + [True]
        # One more has come, which this tab has not heard of yet.
        await tells(maja)
        await calls(BellState.read_all, bell)
        assert [one["is_read"] for one in bell.told] == [True] * 26
        assert (bell.unread, bell.next_before) == (0, "")

    async def test_first_ones_are_no_more_after_they_were_read(self, maja: Actor, bell):
        for _ in range(25):
            await tells(maja)
        await calls(BellState.open, bell)
        before = bell.next_before
        await calls(BellState.read_all, bell)
        assert (len(bell.told), bell.next_before) == (20, before)

    async def test_of_another_tells_nothing(self, bell):
        await tells(await the_player("Sven"))
        await calls(BellState.open, bell)
        await calls(BellState.read, bell, notification_id=new_id())
        assert bell.told == []


class TestTheSettings:
    async def test_show_and_keep_each_switch(self, choices):
        await calls(ChoicesState.load, choices)
        assert choices.by_mail["moderation"]
        assert not choices.by_mail["replies"]
        await calls(ChoicesState.flip, choices, topic="replies", is_on=True)
        assert choices.by_mail["replies"]
        assert choices.notice["text"] == "settings.mails_on"

    async def test_of_reports_promise_no_bell(self, choices):
        with acting(await a_member(await a_company())):
            await calls(ChoicesState.flip, choices, topic="reviews", is_on=False)
            assert choices.notice["text"] == "settings.mails_off"
            await calls(ChoicesState.flip, choices, topic="reports", is_on=False)
            assert choices.notice["text"] == "settings.reports_off"

    async def test_show_what_is_true_when_a_switch_is_refused(self, choices):
        await calls(ChoicesState.load, choices)
        before = dict(choices.by_mail)
        await calls(ChoicesState.flip, choices, topic="<script>", is_on=True)
        assert choices.by_mail == before
        assert choices.notice["style"] == "destructive"


@pytest.mark.parametrize(
    "handler",
    [
        *(BellState.load, BellState.open, BellState.load_more, BellState.read, BellState.read_all),
        *(ChoicesState.load, ChoicesState.flip),
    ],
    ids=lambda handler: handler.fn.__qualname__,
)
def test_admins_and_visitors_have_neither(handler: Any):
    access = access_of(handler.fn)
    assert access
    assert not access.visitors
    assert access.roles == {Role.PLAYER, Role.MODERATOR, Role.COMPANY}


def _id(row: dict[str, Any]) -> Any:

    return UUID(row["id"])
