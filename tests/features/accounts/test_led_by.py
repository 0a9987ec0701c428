"""A sign-up is one more of the campaign that led to it, where its browser allows that."""

import pytest

from rewards_app.core import gate
from rewards_app.core.database import transaction
from rewards_app.features.accounts import provider_service, rules, service, signing_up
from rewards_app.features.accounts.provider_service import Wishes, vouched_from, wishes_from
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.arrivals.rules import LED_BY
from rewards_app.features.consent.state import ConsentState
from tests.paying import ask
from tests.people import NOON, PASSWORD, a_browser, a_sign_up, an_account
from tests.states import a_page, calls

pytestmark = pytest.mark.usefixtures("database")
SPRING = "news/email/spring"
MARKETING = '{"essential": true, "marketing": true}'
WITHOUT = '{"essential": true, "analytics": true, "ipLogging": true}'
COUNTED = [("news", "email", "spring", 0, 1)]
CLAIMS = {"sub": "42", "email": "maja@example.com", "email_verified": True, "name": "Maja"}


def counted(database: str) -> list[tuple]:
    return ask(database, "select source, medium, campaign, visits, sign_ups from arrival_days")


def accounts(database: str) -> int:
    return ask(database, "select count(*) from accounts")[0][0]


async def signs_up(*consents: str, led_by: str = SPRING) -> None:
    """By the form, from a browser with these answers, the last one of them in force."""
    page = a_page()
    consent, form = await page.get_state(ConsentState), await page.get_state(AuthState)
    for stored in consents:
        await calls(ConsentState.remember, consent, stored=stored)
    form.kind = "company"
    sent = {"email": "maja@example.com", "password": PASSWORD, LED_BY: led_by}
    before = gate.current_caller.set(a_browser())
    try:
        await calls(AuthState.sign_up, form, form=sent)
    finally:
        gate.current_caller.reset(before)


class TestTheForm:
    async def test_is_counted_where_marketing_is_allowed(self, database: str):
        await signs_up(MARKETING)
        assert counted(database) == COUNTED

    @pytest.mark.parametrize("consents", [(), ("",), (WITHOUT,), (MARKETING, WITHOUT)])
    async def test_is_not_counted_otherwise_or_any_more(
        self, database: str, consents: tuple[str, ...]
    ):
        await signs_up(*consents)
        assert (accounts(database), counted(database)) == (1, [])

    @pytest.mark.parametrize("led_by", ["", "//", "<script>//", "a" * 300, "spring"])
    async def test_of_no_campaign_is_a_sign_up_all_the_same(self, database: str, led_by: str):
        await signs_up(MARKETING, led_by=led_by)
        assert (accounts(database), counted(database)) == (1, [])


class TestAnAddressThatHasAnAccount:
    async def test_is_not_counted(self, database: str):
        await an_account()
        with pytest.raises(rules.EmailTaken):
            async with transaction() as session:
                await signing_up.sign_up(
                    session, a_sign_up(), a_browser(), language="en", led_by=SPRING, now=NOON
                )
        assert counted(database) == []

    async def test_is_counted_like_any_other_where_that_is_hidden(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(service.settings(), "hide_known_accounts", True)
        await an_account()
        async with transaction() as session:
            await signing_up.sign_up(
                session, a_sign_up(), a_browser(), language="en", led_by=SPRING, now=NOON
            )
        assert counted(database) == COUNTED
        queued = ask(database, "select args::text from procrastinate_jobs")
        assert not [args for (args,) in queued if "spring" in args]


class TestAProvider:
    async def signs_in(self) -> None:
        wishes = wishes_from({"language": "en", LED_BY: SPRING})
        person = vouched_from("google", CLAIMS)
        async with transaction() as session:
            await provider_service.sign_in(session, person, wishes, a_browser(), now=NOON)

    async def test_is_counted_with_the_account_that_it_makes(self, database: str):
        await self.signs_in()
        await self.signs_in()
        assert counted(database) == COUNTED

    async def test_is_not_counted_for_an_account_that_is_there(self, database: str):
        await an_account()
        await self.signs_in()
        assert counted(database) == []

    def test_is_told_of_none_where_our_page_knows_none(self):
        assert wishes_from({"language": "en"}) == Wishes(has_read=True)
