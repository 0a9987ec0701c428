"""The languages of the product. A new language is a row here and its catalogues."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    code: str
    name: str
    """In its own language, as the menu shows it."""


LANGUAGES = (
    Language("en", "English"),
    Language("sv", "Svenska"),
    Language("de", "Deutsch"),
    Language("fr", "Français"),
    Language("es", "Español"),
    Language("it", "Italiano"),
    Language("pl", "Polski"),
    Language("ru", "Русский"),
)
CODES = tuple(language.code for language in LANGUAGES)
DEFAULT = "en"


def known(code: str) -> str:
    """`code` where we speak it, else the default: what a browser stores can be anything."""
    return code if code in CODES else DEFAULT
