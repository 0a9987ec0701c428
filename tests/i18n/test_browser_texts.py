"""How browsers read the catalogues: the module of the pages itself, run by bun over the texts."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES, DEFAULT
from rewards_app.i18n.mail_text import PLACEHOLDER

PROJECT = Path(__file__).parents[2]
BUN = Path(sys.executable).parent / "bun"
MODULE = PROJECT / "assets" / "texts.js"
READ = f"""
import {{ add, exists, has, say }} from {json.dumps(str(MODULE))};
const {{ texts, asked, keys, parts }} = await Bun.stdin.json();
for (const [language, part, words] of texts) add(language, part, words);
console.log(JSON.stringify({{
  said: asked.map(([key, params, language]) => say(key, params ?? undefined, language)),
  known: keys.map(([key, params, language]) => exists(key, params ?? undefined, language)),
  there: parts.map(([language, part]) => has(language, part)),
}}));
"""
GROUPED = re.compile(r"(?<=\d)[.,\u00a0\u202f](?=\d{3})")
"""Between thousands."""
FORMS = ("zero", "one", "two", "few", "many", "other")
COUNTS = (*range(32), 100, 101, 102, 105, 111, 121, 1000, 1001, 1_000_000, 2_000_000, 1_000_001)
PARAM = "a person's $1 & {{name}}"


def read(texts: list[Any], **wanted: list[Any]) -> dict[str, list[Any]]:
    asked = {"texts": texts, "asked": [], "keys": [], "parts": [], **wanted}
    done = subprocess.run(
        [str(BUN), "-e", READ],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


def say(texts: dict[str, dict[str, str]], *asked: tuple[str, dict[str, Any] | None, str]) -> Any:
    given = [[language, "visitors", words] for language, words in texts.items()]
    return read(given, asked=list(asked))["said"]


@cache
def everything() -> list[Any]:
    return [
        [code, part, json.loads(catalogues.file_of(part, code).read_text("utf-8"))]
        for code in CODES
        for part in catalogues.PARTS
    ]


def stems(language: str) -> list[str]:
    """The keys of texts that have plural forms in this language."""
    own = catalogues.interface(language)
    ended = (key.removesuffix("_other") for key in own if key.endswith("_other"))
    return sorted(key for key in ended if f"{key}_one" in own)


def filled(text: str, params: dict[str, Any]) -> str:
    return PLACEHOLDER.sub(lambda place: str(params[place[1]]), text)


@pytest.mark.parametrize("language", CODES)
class TestTheCatalogue:
    def test_is_read_in_the_plural_that_the_count_asks_for(self, language: str):
        own = catalogues.interface(language)
        asked, wanted = [], []
        for key in stems(language):
            for count in COUNTS:
                form = Locale(language).plural_form(count)
                text = own.get(f"{key}_{form}", own[f"{key}_other"])
                params = dict.fromkeys(PLACEHOLDER.findall(text), PARAM) | {"count": count}
                asked.append((key, params, language))
                wanted.append(filled(text, params))
        assert len(asked) > 100 * len(COUNTS)
        said = read(everything(), asked=asked)["said"]
        assert [GROUPED.sub("", text) for text in said] == wanted

    def test_has_every_form_that_its_language_has(self, language: str):
        forms = {Locale(language).plural_form(count) for count in COUNTS}
        own = catalogues.interface(language)
        assert [
            f"{key}_{form}"
            for key in stems(language)
            for form in forms
            if f"{key}_{form}" not in own
        ] == []

    def test_says_every_text_filled_in(self, language: str):
        own = catalogues.interface(language)
        asked = [
            (key, dict.fromkeys(PLACEHOLDER.findall(text), PARAM), language)
            for key, text in own.items()
            if not re.search(rf"_({'|'.join(FORMS)})$", key)
        ]
        said = read(everything(), asked=asked)["said"]
        assert said == [filled(own[key], params) for key, params, _ in asked]


class TestAText:
    def test_is_english_where_the_language_has_none(self):
        texts = {DEFAULT: {"a": "English {{x}}", "b_one": "one", "b_other": "others"}, "pl": {}}
        asked = [("a", {"x": 1}, "pl"), ("b", {"count": 1}, "pl"), ("b", {"count": 5}, "pl")]
        assert say(texts, *asked) == ["English 1", "one", "others"]

    def test_without_its_form_takes_the_one_for_all_others(self):
        assert say({"pl": {"b_other": "others"}}, ("b", {"count": 2}, "pl")) == ["others"]

    def test_without_a_plural_takes_any_count(self):
        assert say({"de": {"a": "{{count}} da"}}, ("a", {"count": 3}, "de")) == ["3 da"]

    def test_that_nobody_wrote_is_seen_by_its_key(self):
        assert say({}, ("no.such", None, "sv"), ("constructor", None, "sv"), ("", None, "sv")) == [
            "no.such",
            "constructor",
            "",
        ]

    def test_is_not_filled_in_twice(self):
        texts = {"fr": {"a": "{{x}} {{y}}"}}
        params = {"x": "{{y}} $& $t(a)", "y": "<b>"}
        assert say(texts, ("a", params, "fr")) == ["{{y}} $& $t(a) <b>"]

    def test_says_nothing_in_the_place_of_what_is_missing(self):
        texts = {"it": {"a": "[{{x}}]"}}
        assert say(texts, ("a", None, "it"), ("a", {"x": None}, "it"), ("a", {"x": 0}, "it")) == [
            "[]",
            "[]",
            "[0]",
        ]


class TestAPart:
    def test_is_there_once_its_texts_are(self):
        texts = [["es", "visitors", {"a": "A"}]]
        parts = [["es", "visitors"], ["es", "members"], ["ru", "visitors"]]
        assert read(texts, parts=parts)["there"] == [True, False, False]

    def test_joins_those_that_came_before(self):
        texts = [["es", "visitors", {"a": "A"}], ["es", "members", {"b": "B"}]]
        asked = [["a", None, "es"], ["b", None, "es"]]
        assert read(texts, asked=asked)["said"] == ["A", "B"]

    def test_tells_which_keys_have_words(self):
        texts = [[DEFAULT, "visitors", {"a": "A", "b_other": "B"}]]
        keys = [["a", None, "de"], ["b", {"count": 4}, "de"], ["b", None, "de"], ["c", None, "de"]]
        assert read(texts, keys=keys)["known"] == [True, True, False, False]


@pytest.mark.parametrize(
    ("language", "thousands"),
    [("en", "12,345"), ("de", "12.345"), ("sv", "12\u00a0345"), ("fr", "12\u202f345")],
)
def test_a_number_is_written_as_the_language_writes_it(language: str, thousands: str):
    texts = {language: {"left_other": "{{count}} of {{most}} for {{name}}"}}
    asked = ("left", {"count": 12_345, "most": 5, "name": "12345"}, language)
    assert say(texts, asked) == [f"{thousands} of 5 for 12345"]
