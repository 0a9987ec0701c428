"""How pages write numbers and money: the module of the pages itself, run by bun."""

import json
import subprocess
from functools import cache
from typing import Any

import pytest

from rewards_app.i18n.languages import CODES
from tests.i18n.test_browser_texts import BUN, PROJECT

MODULE = PROJECT / "assets" / "writing.js"
WRITE = f"""
import {{ write }} from {json.dumps(str(MODULE))};
const {{ languages, amounts, numbers, balances }} = await Bun.stdin.json();
const written = languages.map((language) => {{
  const {{ money, compact, balance }} = write(language);
  const paid = amounts.map((one) => money(...one));
  const short = numbers.map(compact);
  return [language, {{ money: paid, compact: short, balances: balances.map(balance) }}];
}});
console.log(JSON.stringify(Object.fromEntries(written)));
"""
SYMBOLS = {"SEK": "kr", "NOK": "kr", "DKK": "kr", "USD": "$", "EUR": "€", "GBP": "£"}
NUMBERS = (999_999, 1_000_000, 1_250_000, 1_500_000_000)
BALANCES = (16_669_667, 16_670_000, 999, 0, -1)


@cache
def written() -> dict[str, dict[str, list[Any]]]:
    amounts = [[1234, code] for code in SYMBOLS]
    done = subprocess.run(
        [str(BUN), "-e", WRITE],
        input=json.dumps(
            {"languages": CODES, "amounts": amounts, "numbers": NUMBERS, "balances": BALANCES}
        ),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", CODES)
def test_money_has_the_specifications_symbols(language: str):
    signs = ["".join(filter(_is_sign, amount)) for amount in written()[language]["money"]]
    assert signs == [*SYMBOLS.values()]


@pytest.mark.parametrize(
    ("language", "norwegian", "british"),
    [("en", "kr\u00a01,234", "£1,234"), ("sv", "1\u00a0234\u00a0kr", "1\u00a0234\u00a0£")],
)
def test_money_stands_as_its_language_writes_it(language: str, norwegian: str, british: str):
    amounts = dict(zip(SYMBOLS, written()[language]["money"], strict=True))
    assert (amounts["NOK"], amounts["GBP"]) == (norwegian, british)


def test_numbers_above_a_million_are_short():
    assert written()["en"]["compact"] == ["999,999", "1,000,000", "1.3M", "1,500.0M"]


@pytest.mark.parametrize(
    ("language", "short"),
    [
        ("sv", "1,3\u00a0mn"),
        ("de", "1,3\u00a0Mio."),
        ("pl", "1,3\u00a0mln"),
        ("ru", "1,3\u00a0млн"),
    ],
)
def test_millions_are_as_their_language_shortens_them(language: str, short: str):
    assert written()[language]["compact"][2] == short


def test_a_balance_promises_no_cent_that_is_not_all_there():
    assert written()["en"]["balances"] == ["$166.69", "$166.70", "$0.00", "$0.00", "−$0.01"]


def _is_sign(one: str) -> bool:
    return not (one.isdigit() or one.isspace() or one in ".,")
