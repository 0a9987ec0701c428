"""What stands beside the form of support, and what its questions answer."""

from collections.abc import Iterator

import pytest

from rewards_app.core.settings import settings
from rewards_app.features.shop.catalogue import CATALOGUE
from rewards_app.features.support import state
from rewards_app.features.support.contact import contact_card, quick_tips
from rewards_app.features.support.faq_panel import faq_panel
from rewards_app.features.support.state import SupportState
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from rewards_app.rewards_app import ASKED_MOST
from tests.drawn import Part, drawn


class Way:
    """A line of the card, by what it says and where it leads."""

    def __init__(self, part: Part) -> None:
        self.label, self.held, *self.more = part.words
        self.leads_to = "".join(one.props["href"] for one in part if "href" in one.props)


class TestTheContactCard:
    @pytest.fixture
    def of_an_office(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("SUPPORT_EMAIL", "help@example.com")
        monkeypatch.setenv("SUPPORT_PHONE", "+46 8 123 456 78")
        monkeypatch.setenv("OFFICE_ADDRESS", "Storgatan 1, 111 22 Stockholm")
        settings.cache_clear()
        yield
        settings.cache_clear()

    @pytest.mark.usefixtures("of_an_office")
    def test_has_what_the_settings_name(self):
        told = state._contact()
        assert told["email"] == "help@example.com"
        assert (told["phone"], told["phone_link"]) == ("+46 8 123 456 78", "tel:+46812345678")
        assert told["address"] == "Storgatan 1, 111 22 Stockholm"

    def test_says_each_of_it_and_begins_a_mail_or_a_call(self):
        mail, phone, office = [Way(one) for one in drawn(contact_card()).named("li")]
        assert (mail.label, phone.label) == ("Email", "Phone, Stockholm")
        assert office.label == "Head office"
        assert '["email"]' in mail.held
        assert "mailto:" in mail.leads_to
        assert '["email"]' in mail.leads_to
        assert '["phone"]' in phone.held
        assert '["phone_link"]' in phone.leads_to
        assert "Weekdays 9:00-17:00 CET" in phone.more
        assert '["address"]' in office.held
        assert not office.leads_to


def test_the_quick_tips_are_four():
    assert [tip.words for tip in drawn(quick_tips()).named("li")] == [
        ["Check your email, the spam folder too, if a code does not arrive."],
        ["Reload the page if ads do not load."],
        ["Keep a stable connection while an ad runs."],
        ["Report problems through the form: it reaches a person."],
    ]


def answer(name: str, language: str = "en") -> str:
    return catalogues.interface(language)[f"support.faq.{name}_answer"]


class TestTheAnswers:
    @pytest.mark.parametrize(
        ("name", "begins"),
        [
            ("credited", "Immediately,"),
            ("codes", "Within minutes, by email."),
            ("accounts", "No: one account per person."),
        ],
    )
    def test_promise_what_the_specification_does(self, name: str, begins: str):
        assert answer(name).startswith(begins)

    @pytest.mark.parametrize("takes_cards", [True, False])
    def test_speak_of_cards_only_where_they_are_taken(self, takes_cards: bool):
        shown = drawn(faq_panel(ASKED_MOST), {SupportState.takes_cards: takes_cards}).words
        assert (answer("prices") in shown) is takes_cards
        assert (answer("prices_coins") in shown) is not takes_cards

    def test_name_everything_that_coins_buy(self):
        names = [currency.name for currency in CATALOGUE]
        assert names == ["V-Bucks", "Robux", "COD Points", "Valorant Points"]
        assert list(ASKED_MOST.currencies) == names
        assert ", ".join(names) in str(faq_panel(ASKED_MOST).render())

    @pytest.mark.parametrize("language", CODES)
    def test_name_it_in_every_language(self, language: str):
        for name in ("prices", "prices_coins"):
            assert "{{currencies}}" in answer(name, language)
