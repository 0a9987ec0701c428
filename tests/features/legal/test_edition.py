"""Whoever changes the words makes a new edition: people are then told what is different."""

import hashlib
import json

import pytest

from rewards_app.features.accounts.age_rules import YOUNGEST_WITHOUT_PARENTS
from rewards_app.features.accounts.rules import YOUNGEST
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.guardians.rules import UNANSWERED_ARE_KEPT
from rewards_app.features.legal.rules import EDITIONS, SECTIONS, Document, newest
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

WORDS = {
    (Document.TERMS, 1): "b2d479d62a48b87e1cb270f4e0c4b4700249e797021c9f48ce28afcf1e842ec1",
    (Document.PRIVACY, 1): "bffaf9c2dfd2c4f25c65e4cbb1ad40eb448c6c5b7d5a31c8f677eebb5efd99b5",
    (Document.PRIVACY, 2): "6b8b4e1b27f8c96379c5b95414b5873a06e1412a4c5d08b9624f2ee724f2d1f4",
}
"""Of the English texts of each edition. docs/legal.md says what to do when they change."""


def texts(language: str = "en") -> dict[str, str]:
    return json.loads(catalogues.file_of(catalogues.LEGAL, language).read_text("utf-8"))


def words_of(document: Document) -> str:
    said = {
        key: text for key, text in texts().items() if key.startswith(f"legal.{document.value}.")
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@pytest.mark.parametrize("document", Document)
class TestWords:
    def test_have_a_new_edition_with_each_change(self, document: Document):
        assert WORDS.get((document, newest(document).number)) == words_of(document)

    def test_of_an_edition_say_what_changed_in_every_language(self, document: Document):
        changed = [one.changed for one in EDITIONS if one.document is document]
        for language in CODES:
            assert [key for key in changed if key not in catalogues.interface(language)] == []

    @pytest.mark.parametrize("language", CODES)
    def test_are_there_for_every_section_and_nothing_else(self, document: Document, language: str):
        prefix = f"legal.{document.value}."
        found = {key for key in texts(language) if key.startswith(prefix)}
        sections = SECTIONS[document]
        assert found == {
            *(f"{prefix}{name}" for name in ("page_title", "title", "intro", *sections)),
            *(f"{prefix}{name}_text" for name in sections),
        }

    @pytest.mark.parametrize("language", [code for code in CODES if code != "en"])
    def test_have_the_same_paragraphs_and_lists(self, document: Document, language: str):
        def shape(text: str) -> list[int]:
            return [block.count("\n- ") for block in text.split("\n\n")]

        translated = texts(language)
        differ = [
            key
            for key, text in texts().items()
            if key.startswith(f"legal.{document.value}.") and shape(translated[key]) != shape(text)
        ]
        assert differ == []


@pytest.mark.parametrize("language", CODES)
class TestFigures:
    """What the texts promise is what the rules do."""

    def test_of_eligibility_are_those_of_the_rules(self, language: str):
        text = texts(language)["legal.terms.eligibility_text"]
        assert str(YOUNGEST) in text
        assert str(YOUNGEST_WITHOUT_PARENTS - 1) in text

    def test_of_the_services_are_those_of_the_rules(self, language: str):
        assert str(DAILY_LIMIT) in texts(language)["legal.terms.services_text"]

    def test_of_retention_are_those_of_the_rules(self, language: str):
        text = texts(language)["legal.privacy.retention_text"]
        assert str(UNANSWERED_ARE_KEPT.days) in text
