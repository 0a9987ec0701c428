"""The languages of the product. A new language is a row here and its catalogues."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    code: str
    name: str
    """In its own language, as the menu shows it."""
    locale: str
    """As other programs name it, with the country that most of its readers here live in."""


LANGUAGES = (
    Language("en", "English", "en_US"),
    Language("sv", "Svenska", "sv_SE"),
    Language("de", "Deutsch", "de_DE"),
    Language("fr", "Français", "fr_FR"),
    Language("es", "Español", "es_ES"),
    Language("it", "Italiano", "it_IT"),
    Language("pl", "Polski", "pl_PL"),
    Language("ru", "Русский", "ru_RU"),
)
LOCALES = {language.code: language.locale for language in LANGUAGES}
CODES = tuple(language.code for language in LANGUAGES)
DEFAULT = "en"
HOME = "/"
OF_A_LINK = "language"
"""Of a link in a letter: the language that its page opens in where none has been chosen."""


def address_of(code: str) -> str:
    """Where the front page stands in this language, for readers and for search engines."""
    return HOME if code == DEFAULT else f"/{code}"


ADDRESSES = {address_of(code): code for code in CODES}
OF_ONE_LANGUAGE = frozenset(ADDRESSES) - {HOME}
"""Opened, they choose their language; the first one serves whatever was chosen before."""


def wanted(accepted: str) -> str:
    """The first language of ours that a browser asks for; it names its favourite first."""
    asked = (part.partition(";")[0].strip()[:2].lower() for part in accepted.split(","))
    return next((code for code in asked if code in CODES), DEFAULT)


def known(code: str) -> str:
    """`code` where we speak it, else the default: what a browser stores can be anything."""
    return code if code in CODES else DEFAULT
