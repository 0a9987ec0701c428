"""How long ago something was, as pages say it: the module of the pages itself, run by bun."""

import json
import subprocess
from functools import cache
from typing import Any

import pytest

from rewards_app.i18n.languages import CODES
from tests.i18n.test_browser_texts import BUN, PROJECT

MODULE = PROJECT / "assets" / "elapsed.js"
NOW = "2026-03-10T08:00:00Z"
SAY = f"""
import {{ elapsed }} from {json.dumps(str(MODULE))};
Date.now = () => Number(new Date({json.dumps(NOW)}));
const {{ languages, moments, passed }} = await Bun.stdin.json();
const before = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const said = languages.map((one) => [one, moments.map((at) => elapsed(one).ago(at))]);
const since = passed.map((seconds) => elapsed("en").since(before(seconds), "Just now"));
console.log(JSON.stringify({{ ago: Object.fromEntries(said), since }}));
"""
A_MINUTE = 60
SINCE = {
    0: "Just now",
    59: "Just now",
    1 * A_MINUTE: "1 minute ago",
    59 * A_MINUTE: "59 minutes ago",
    60 * A_MINUTE - 1: "59 minutes ago",
    60 * A_MINUTE: "1 hour ago",
    1439 * A_MINUTE: "23 hours ago",
    1440 * A_MINUTE: "1 day ago",
    40 * 1440 * A_MINUTE: "40 days ago",
}
ENGLISH = {
    "2026-03-10T07:59:30Z": "now",
    "2026-03-10T07:58:10Z": "1 minute ago",
    "2026-03-10T06:10:00Z": "1 hour ago",
    "2026-03-08T20:00:00Z": "1 day ago",
    "2026-03-07T09:00:00Z": "2 days ago",
    "2026-03-02T08:00:00Z": "1 week ago",
    "2026-01-10T08:00:00Z": "1 month ago",
    "2024-12-20T08:00:00Z": "1 year ago",
    "2026-03-10T08:05:00Z": "now",
    "": "",
}
OF_THE_CALENDAR = {
    "en": ("yesterday", "last"),
    "sv": ("går", "förra"),
    "de": ("gestern", "letzte"),
    "fr": ("hier", "dernier"),
    "es": ("ayer", "pasado"),
    "it": ("ieri", "scorso"),
    "pl": ("wczoraj", "zeszłym"),
    "ru": ("вчера", "прошлом"),
}


@cache
def answered() -> dict[str, Any]:
    done = subprocess.run(
        [str(BUN), "-e", SAY],
        input=json.dumps({"languages": CODES, "moments": [*ENGLISH], "passed": [*SINCE]}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


def said() -> dict[str, list[str]]:
    return answered()["ago"]


def test_counts_minutes_hours_and_days_where_that_is_asked():
    assert dict(zip(SINCE, answered()["since"], strict=True)) == SINCE


def test_counts_what_has_passed():
    assert dict(zip(ENGLISH, said()["en"], strict=True)) == ENGLISH


@pytest.mark.parametrize("language", CODES)
def test_names_no_day_of_the_calendar(language: str):
    words = " ".join(said()[language]).casefold()
    assert not [one for one in OF_THE_CALENDAR[language] if one in words]
    assert len(set(said()[language])) == len({*ENGLISH.values()})
