"""What was refused, what broke, and what was done but cannot be shown: each is told as that."""

from typing import ClassVar

import pytest

from rewards_app.core.errors import (
    DomainError,
    DoneNotShown,
    StorageAway,
    StorageFull,
    Unexpected,
)
from rewards_app.core.told import then_show, then_shown, told_as


class NoSuchThing(DomainError):
    code: ClassVar[str] = "test.no_such_thing"


class Titled(NoSuchThing):
    title = "its.own"


class Page:
    """It has shown what is true now so often."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.shown = 0
        self._failure = failure

    async def load(self) -> None:
        if self._failure:
            raise self._failure
        self.shown += 1


async def told_of(page: Page) -> DoneNotShown:
    with pytest.raises(DoneNotShown) as told:
        await then_show(page.load)
    return told.value


class TestTold:
    def test_a_refusal_gets_the_title_of_its_place(self):
        with pytest.raises(NoSuchThing) as told, told_as("here.title"):
            raise NoSuchThing
        assert (told.value.title, told.value.is_defect) == ("here.title", False)

    def test_a_title_of_its_own_gives_way_only_where_its_place_says_so(self):
        for even, title in (((), Titled.title), ((Titled,), "here.title")):
            with pytest.raises(Titled) as told, told_as("here.title", even=even):
                raise Titled
            assert told.value.title == title

    @pytest.mark.parametrize("outage", [StorageAway, StorageFull])
    def test_that_what_we_keep_is_out_of_reach_is_told_in_the_words_of_the_place(self, outage):
        with pytest.raises(Titled) as told, told_as("here.title", away=Titled):
            raise outage
        assert (told.value.title, told.value.is_defect) == ("here.title", False)
        with pytest.raises(outage), told_as("here.title", broken=Titled):
            raise outage

    def test_a_defect_is_still_one_in_other_words(self):
        with pytest.raises(Unexpected) as told, told_as("here.title", broken=Unexpected):
            raise RuntimeError
        assert (told.value.title, told.value.is_defect) == ("here.title", True)


class TestWhatWasDone:
    async def test_is_shown(self):
        await then_show((page := Page()).load)
        assert page.shown == 1

    async def test_is_not_told_as_failed_where_it_cannot_be_shown(self):
        assert not (await told_of(Page(StorageAway()))).is_defect

    async def test_and_cannot_be_shown_by_a_defect_is_one_of_ours(self):
        assert (await told_of(Page(RuntimeError()))).is_defect


class TestWhatIsTried:
    async def test_is_shown_where_it_was_done(self):
        page = Page()
        async with then_shown(page.load):
            assert page.shown == 0
        assert page.shown == 1

    async def test_is_refused_in_its_own_words_and_what_is_true_is_shown(self):
        page = Page()
        with pytest.raises(NoSuchThing):
            async with then_shown(page.load):
                raise NoSuchThing
        assert page.shown == 1

    @pytest.mark.parametrize("failure", [StorageAway(), RuntimeError()], ids=["away", "bug"])
    async def test_is_refused_in_its_own_words_where_nothing_can_be_shown(self, failure: Exception):
        with pytest.raises(NoSuchThing):
            async with then_shown(Page(failure).load):
                raise NoSuchThing
