"""What the server knows of a browser's consent."""

import pytest
from reflex.state import State

from rewards_app.features.consent.state import ConsentState


@pytest.fixture
async def consent() -> ConsentState:
    return await State(_reflex_internal_init=True).get_state(ConsentState)


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
