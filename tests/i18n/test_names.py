"""Where addresses may break, as pages say it: the module of the pages itself, run by bun."""

import json
import re
import subprocess

import pytest

from tests.i18n.test_browser_texts import BUN, PROJECT

ASSETS = PROJECT / "assets"
SAY = f"""
Bun.plugin({{
  name: "react",
  setup: (build) =>
    build.module("react", () => (
      {{ exports: {{ createElement: (tag) => tag }}, loader: "object" }}
    )),
}});
const {{ MailAddress }} = await import({json.dumps(str(ASSETS / "names.js"))});
console.log(JSON.stringify((await Bun.stdin.json()).map((address) => MailAddress({{ address }}))));
"""
WHERE = {
    "": [],
    "maja": ["maja"],
    "maja@example.com": ["maja", "@example.", "com"],
    "maja.s@mail.example.com": ["maja.", "s", "@mail.", "example.", "com"],
    ".m..@.a@b.": [".", "m.", ".", "@.", "a", "@b."],
}
LOOKS_BEHIND = re.compile(r"\(\?<[=!]")


@pytest.fixture(scope="module")
def broken() -> list[list[str]]:
    done = subprocess.run(
        [str(BUN), "-e", SAY],
        input=json.dumps([*WHERE]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


def test_an_address_breaks_before_its_at_and_after_each_stop(broken: list[list[str]]):
    assert [[part for part in parts if part != "wbr"] for parts in broken] == [*WHERE.values()]


def test_nothing_is_lost_of_an_address(broken: list[list[str]]):
    assert ["".join(parts).replace("wbr", "") for parts in broken] == [*WHERE]


def test_no_page_needs_a_browser_that_looks_behind():
    """One such pattern, and a Safari of 2022 reads nothing of the file."""
    assert not [one.name for one in ASSETS.glob("*.js") if LOOKS_BEHIND.search(one.read_text())]
