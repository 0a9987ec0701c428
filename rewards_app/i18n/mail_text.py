"""`text()`: what the server itself writes to people, in their language."""

import re

from babel import Locale

from rewards_app.i18n import catalogues, languages, written

PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def text(key: str, language: str, **params: str | int) -> str:
    """The mail text under `key`, filled in; `count` chooses the plural.

    A parameter that is missing is an error: nobody is sent a placeholder.
    """
    found = catalogues.mails(language)
    if "count" in params:
        key = _plural(key, language, int(params["count"]), found)
    return PLACEHOLDER.sub(lambda place: _written(params[place[1]], language), found[key])


def _plural(key: str, language: str, count: int, found: dict[str, str]) -> str:
    form = Locale(languages.known(language)).plural_form(count)
    return next((name for name in (f"{key}_{form}", f"{key}_other") if name in found), key)


def _written(value: str | int, language: str) -> str:
    return written.number(value, language) if isinstance(value, int) else value
