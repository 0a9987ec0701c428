"""Who is told of editions in a tab: once of each, also where the tab outlives an update."""

from typing import Any

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.features.legal import rules, service
from rewards_app.features.legal.rules import Document, Edition, newest
from rewards_app.features.legal.state import LegalState, look_for_news
from tests.ads import the_actor
from tests.people import an_account
from tests.states import acting, calls, failing


@pytest.fixture
async def legal(page: Any, database: str) -> LegalState:
    return await page.get_state(LegalState)


def a_newer(document: Document) -> Edition:
    number = newest(document).number + 1
    return Edition(document, number, utc_now().date(), f"editions.{document}_{number}")


async def test_whoever_knows_everything_is_not_asked_for_again(
    page: Any, legal: LegalState, monkeypatch: pytest.MonkeyPatch
):
    with acting(the_actor(await an_account())):
        await look_for_news(page)
        assert legal.news == []
        monkeypatch.setattr(service, "untold", failing(AssertionError))
        await look_for_news(page)


@pytest.mark.parametrize("document", Document)
async def test_an_edition_that_comes_with_an_update_is_told_in_tabs_that_were_open(
    page: Any, legal: LegalState, document: Document, monkeypatch: pytest.MonkeyPatch
):
    with acting(the_actor(await an_account())):
        await look_for_news(page)
        newer = a_newer(document)
        monkeypatch.setattr(rules, "EDITIONS", (*rules.EDITIONS, newer))
        await look_for_news(page)
        assert [row["changed"] for row in legal.news] == [newer.changed]
        await calls(LegalState.understood, legal)
        await look_for_news(page)
        assert legal.news == []


async def test_who_signs_in_after_somebody_else_is_told_too(page: Any, legal: LegalState):
    with acting(the_actor(await an_account())):
        await look_for_news(page)
        assert legal.news == []
    with acting(the_actor(await an_account("sven@example.com", knows_the_rules=False))):
        await look_for_news(page)
        assert {row["document"] for row in legal.news} == {*Document}
