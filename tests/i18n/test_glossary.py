"""One term, one word: what docs/glossary says of each language is true of all of its texts."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES, DEFAULT

GLOSSARIES = Path(__file__).parents[2] / "docs" / "glossary"
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")
PLACEHOLDER = re.compile(r"\{\{?\w+\}?\}")
STYLE = "style"
TRANSLATED = [code for code in CODES if code != DEFAULT]
SWEDISH_EVERYWHERE = "admin.waitlist."
PARTED_SIGN = re.compile(r"[^\u00a0][;!?»]|«[^\u00a0]|[^\u00a0]:(?=\s|$)")


@cache
def texts(language: str) -> dict[str, str]:
    """Of pages and of mails, what is filled in taken out; a mail's key is marked as one."""
    mails = {f"mail:{key}": text for key, text in catalogues.mails(language).items()}
    everything = catalogues.interface(language) | mails
    return {key: PLACEHOLDER.sub("", text) for key, text in everything.items()}


@cache
def glossary(language: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((GLOSSARIES / f"{language}.toml").read_text("utf-8"))


def terms(language: str) -> dict[str, dict[str, Any]]:
    return {name: term for name, term in glossary(language).items() if name != STYLE}


@cache
def english() -> dict[str, str]:
    """Under each stem all of its plural forms: a language may have more forms than English."""
    found: dict[str, str] = {}
    for key, text in texts(DEFAULT).items():
        for name in {key, PLURAL.sub("", key)}:
            found[name] = f"{found.get(name, '')}\n{text}"
    return found


def english_of(key: str) -> str:
    return english().get(key) or english()[PLURAL.sub("", key)]


def says(text: str, pattern: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def where_said(term: dict[str, Any], language: str) -> list[str]:
    """The keys whose English text holds the term, but for those where it is rightly left out."""
    pattern = re.compile(rf"\b(?:{term['english']})\b", re.IGNORECASE)
    spared = term.get("except_keys", ())
    keys = (key for key in texts(language) if key.removeprefix("mail:") not in spared)
    return [key for key in keys if pattern.search(english_of(key))]


@pytest.mark.parametrize("language", TRANSLATED)
class TestTheGlossary:
    def test_has_the_words_that_matter(self, language: str):
        assert {"coin", "level", "streak", "reward", "leaderboard"} <= set(terms(language))
        assert glossary(language)[STYLE]["address"]

    def test_words_stand_wherever_the_english_term_does(self, language: str):
        found = [
            f"{name}: {key}: {texts(language)[key]}"
            for name, term in terms(language).items()
            for key in where_said(term, language)
            if not says(texts(language)[key], term["found"])
        ]
        assert not found, "\n".join(found)

    def test_no_text_says_it_by_another_word(self, language: str):
        found = [
            f"{name}: {key}: {text}"
            for name, term in terms(language).items()
            for pattern in term.get("never", ())
            for key, text in texts(language).items()
            if says(text, pattern)
        ]
        assert not found, "\n".join(found)

    def test_an_exception_is_one(self, language: str):
        """What needs no exception any more loses it."""
        known = {key.removeprefix("mail:") for key in texts(language)}
        missing = [
            f"{name}: {key}"
            for name, term in terms(language).items()
            for key in term.get("except_keys", ())
            if key not in known
        ]
        assert not missing, "\n".join(missing)


def test_no_sign_of_a_french_text_can_part_from_its_word():
    parted = [
        f"{key}: {text}"
        for key, text in texts("fr").items()
        if not key.startswith(SWEDISH_EVERYWHERE) and PARTED_SIGN.search(text)
    ]
    assert not parted, "\n".join(parted)
