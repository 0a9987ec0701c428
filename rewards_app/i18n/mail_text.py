"""`text()`: what the server itself writes to people, in their language."""

import re
from collections.abc import Mapping

from babel import Locale

from rewards_app.i18n import catalogues, languages, written

Param = str | int | list[str]
"""A list holds keys of the interface: each is said, and they are joined as the language does."""
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def text(key: str, language: str, **params: Param) -> str:
    """The mail text under `key`, filled in; `count` chooses the plural.

    A parameter that is missing is an error: nobody is sent a placeholder.
    """
    return _filled(key, catalogues.mails(language), language, params)


def words(key: str, language: str, **params: Param) -> str:
    """The interface's own text, for where there is no page: a command line."""
    return _filled(key, catalogues.interface(language), language, params)


def _filled(key: str, found: dict[str, str], language: str, params: Mapping[str, Param]) -> str:
    count = params.get("count")
    if isinstance(count, int):
        key = _plural(key, language, count, found)
    return PLACEHOLDER.sub(lambda place: _written(params[place[1]], language), found[key])


def _plural(key: str, language: str, count: int, found: dict[str, str]) -> str:
    form = Locale(languages.known(language)).plural_form(count)
    return next((name for name in (f"{key}_{form}", f"{key}_other") if name in found), key)


def _written(value: Param, language: str) -> str:
    if isinstance(value, list):
        return written.together([words(key, language) for key in value], language)
    return written.number(value, language) if isinstance(value, int) else value
