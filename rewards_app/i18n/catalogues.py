"""The catalogues as the server reads them: what browsers get, and the texts of mails."""

import json
from functools import cache
from pathlib import Path

from rewards_app.i18n import languages

INTERFACE = Path(__file__).parents[2] / "assets" / "locales"
MAILS = Path(__file__).with_name("mails")


@cache
def interface(language: str) -> dict[str, str]:
    return json.loads((INTERFACE / f"{languages.known(language)}.json").read_text())


@cache
def mails(language: str) -> dict[str, str]:
    return json.loads((MAILS / f"{languages.known(language)}.json").read_text())
