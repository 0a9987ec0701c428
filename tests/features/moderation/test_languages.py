"""What is harmless in one language stays so there, whatever the word means in another."""

import pytest

from rewards_app.features.moderation import lexicon
from rewards_app.features.moderation.rules import Moderated, has_bad_words, moderate
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

OF_HATE_AND_JUNK = ("hateful", "spam", "legal.terms.conduct_text")
"""Reasons of reports, and what is not allowed: they name what they mean."""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sv", "Nu är det slut, och jag fick en prick."),
        ("de", "Die Farbe ist so hell, und der dicke Mann hat vier Asse."),
        ("fr", "J'ai hâte, la lame est en retard sous la douche."),
        ("es", "El perro negro lame el cono una hora."),
        ("it", "Con chi mangi le penne? Le lame sono in cassa."),
        ("pl", "Ten kurs jest suchy, a kurczak to sukces."),
        ("ru", "Команда не оскорбляет никого, страховка стоит рубль."),
    ],
)
def test_words_of_a_language_are_its_own(language: str, text: str):
    assert moderate(text, "en") == Moderated(text)
    assert moderate(text, language) == Moderated(text)


def test_a_short_text_is_in_the_language_of_its_writer():
    assert moderate("slut", "sv").shown == "slut"
    assert moderate("slut", "en").shown == "****"


def test_each_sentence_has_its_own_language():
    text = "Matchen är slut för i dag. You are not a slut."
    assert moderate(text).shown == "Matchen är slut för i dag. You are not a ****."


def test_accents_are_part_of_a_word_only_where_the_language_has_them():
    assert moderate("Tu dois le dire, j'ai hâte", "fr").violations == ()
    assert moderate("This is so stûpïd", "en").shown == "This is so ******"


def test_people_may_leave_accents_out():
    assert moderate("callate", "es").shown == ""
    assert moderate("du ar vardelos", "sv").shown == ""
    assert moderate("eres muy estupido", "es").shown == ""


def test_every_language_of_the_product_has_its_lists():
    assert sorted(lexicon.lexicon().letters) == sorted(CODES)


@pytest.mark.parametrize("language", CODES)
def test_nothing_that_the_product_says_itself_is_bad(language: str):
    texts = {**catalogues.interface(language), **catalogues.mails(language)}
    bad = {
        key: text
        for key, text in texts.items()
        if not key.endswith(OF_HATE_AND_JUNK) and has_bad_words(text, language)
    }
    assert bad == {}
