"""The catalogues as the server reads them: what browsers get, and the texts of mails.

The interface has three files a language: visitors don't load what only members read, and only
the legal pages load their long texts.
"""

import json
from functools import cache
from pathlib import Path

from rewards_app.i18n import languages

INTERFACE = Path(__file__).parents[2] / "assets" / "locales"
MAILS = Path(__file__).with_name("mails")
VISITORS = "visitors"
MEMBERS = "members"
LEGAL = "legal"
PARTS = (VISITORS, MEMBERS, LEGAL)

FOR_VISITORS = (
    *("app.", "auth.", "consent.", "dev.", "frame.", "landing.", "not_found.", "password.", "ui."),
    *("editions.", "guardian.", "waitlist.", "errors.accounts.", "errors.factors."),
    *("errors.guardians.", "errors.joining.", "offline."),
)
"""What the keys of texts begin with that a visitor can meet. All others are for members."""
ON_LEGAL_PAGES = "legal."


def part_of(key: str) -> str:
    """In which part of the catalogue a text stands; errors of no slice are everybody's."""
    if key.startswith(ON_LEGAL_PAGES):
        return LEGAL
    is_general_error = key.startswith("errors.") and key.count(".") == 1
    return VISITORS if key.startswith(FOR_VISITORS) or is_general_error else MEMBERS


def file_of(part: str, language: str) -> Path:
    return INTERFACE / part / f"{languages.known(language)}.json"


@cache
def interface(language: str) -> dict[str, str]:
    return {
        key: text
        for part in PARTS
        for key, text in json.loads(file_of(part, language).read_text("utf-8")).items()
    }


@cache
def mails(language: str) -> dict[str, str]:
    return json.loads((MAILS / f"{languages.known(language)}.json").read_text())
