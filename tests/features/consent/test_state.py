"""What the server knows of a browser's consent."""

import pytest

import rewards_app.rewards_app  # noqa: F401  (says what follows from a consent)
from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.core.settings import Settings
from rewards_app.features.accounts import sessions
from rewards_app.features.consent import state
from rewards_app.features.consent.state import ConsentState
from tests.people import NOON, a_browser, an_account, signed_in
from tests.states import a_page, acting


@pytest.fixture
async def consent() -> ConsentState:
    return await a_page().get_state(ConsentState)


async def test_nothing_told_means_no(consent: ConsentState):
    assert not consent._may_log_address


async def test_the_newest_word_counts_without_a_reload(consent: ConsentState):
    await ConsentState.remember.fn(consent, stored='{"ipLogging": true}')
    assert consent._may_log_address
    await ConsentState.remember.fn(consent, stored='{"ipLogging": false}')
    assert not consent._may_log_address


async def test_nothing_of_it_is_sent_back(consent: ConsentState):
    await ConsentState.remember.fn(consent, stored='{"ipLogging": true}')
    assert "ipLogging" not in str(consent.get_delta())


async def test_saving_is_confirmed_in_the_specifications_words(consent: ConsentState):
    await ConsentState.saved.fn(consent)
    assert (consent.notice["title"], consent.notice["text"]) == (
        "consent.saved_title",
        "consent.saved_text",
    )


async def test_a_browser_that_stores_nothing_is_told_so(consent: ConsentState):
    await ConsentState.not_saved.fn(consent)
    assert consent.notice["title"] == "consent.not_saved_title"
    assert consent.notice["style"] == "destructive"


async def maja_is_here(*, may_log_address: bool = True) -> Actor:
    secret = await signed_in((await an_account()).id, a_browser(), may_log_address=may_log_address)
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    return actor


async def addresses_of(actor: Actor) -> list[str | None]:
    async with transaction() as session:
        alive = await sessions.alive(session, actor.user_id, now=NOON)
    return [known.ip_address for known in alive]


@pytest.mark.usefixtures("database")
class TestTheAddressOfASession:
    async def test_stays_while_its_owner_allows_it(self, consent: ConsentState):
        with acting(await maja_is_here()) as maja:
            await ConsentState.remember.fn(consent, stored='{"ipLogging": true}')
            assert await addresses_of(maja) == ["127.0.0.1"]

    async def test_is_gone_once_its_owner_does_not(self, consent: ConsentState):
        with acting(await maja_is_here()) as maja:
            await ConsentState.remember.fn(consent, stored='{"ipLogging": true}')
            live._waiting.clear()
            await ConsentState.remember.fn(consent, stored='{"ipLogging": false}')
            assert await addresses_of(maja) == [None]
            assert (sessions.SESSIONS_CHANGED, str(maja.user_id)) in live._waiting

    async def test_that_was_never_noted_is_no_news(self, consent: ConsentState):
        with acting(await maja_is_here(may_log_address=False)):
            live._waiting.clear()
            await ConsentState.remember.fn(consent, stored="")
            assert not live._waiting

    async def test_of_another_browser_is_another_choice(self, consent: ConsentState):
        maja = await maja_is_here()
        await signed_in(maja.user_id, a_browser("phone"), may_log_address=True)
        with acting(maja):
            await ConsentState.remember.fn(consent, stored="")
        assert sorted(await addresses_of(maja), key=str) == ["127.0.0.1", None]


COUNTING = {"kind": "umami", "url": "https://count.example.com", "site": "one"}


class TestCounter:
    @pytest.fixture(autouse=True)
    def counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        chosen = Settings(
            analytics_kind="umami", analytics_url="https://count.example.com", analytics_site="one"
        )
        monkeypatch.setattr(state, "settings", lambda: chosen)

    async def test_is_told_to_those_alone_who_allow_it(self, consent: ConsentState):
        await ConsentState.remember.fn(consent, stored='{"marketing": true}')
        assert consent.counter == {}
        await ConsentState.remember.fn(consent, stored='{"analytics": true}')
        assert consent.counter == COUNTING

    async def test_is_taken_back_with_the_consent(self, consent: ConsentState):
        await ConsentState.remember.fn(consent, stored='{"analytics": true}')
        await ConsentState.remember.fn(consent, stored='{"analytics": false}')
        assert consent.counter == {}


async def test_campaigns_are_counted_for_those_alone_who_allow_it(consent: ConsentState):
    await ConsentState.remember.fn(consent, stored='{"analytics": true}')
    assert not consent.counts_campaigns
    await ConsentState.remember.fn(consent, stored='{"marketing": true}')
    assert consent.counts_campaigns
    await ConsentState.remember.fn(consent, stored="")
    assert not consent.counts_campaigns


async def test_where_nobody_counts_nobody_is_told_anything(consent: ConsentState):
    await ConsentState.remember.fn(consent, stored='{"analytics": true}')
    assert consent.get_delta() == {}
