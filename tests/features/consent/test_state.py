"""What the server knows of a browser's consent."""

import pytest

from rewards_app.core.settings import Settings
from rewards_app.features.consent import state
from rewards_app.features.consent.state import ConsentState
from tests.states import a_page


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


async def test_where_nobody_counts_nobody_is_told_anything(consent: ConsentState):
    await ConsentState.remember.fn(consent, stored='{"analytics": true}')
    assert consent.get_delta() == {}
