"""What the front page says of itself to programs: search engines, messengers, shared links."""

import json
from typing import Any

import reflex as rx

from rewards_app.core.page import APP_TITLE, PREVIEW, whole_address
from rewards_app.i18n.languages import ADDRESSES, HOME, LOCALES, address_of
from rewards_app.i18n.mail_text import words
from rewards_app.ui.markup import inline_script

NEUTRAL = "x-default"
PREVIEW_SIZE = (1200, 630)


def head(language: str) -> list[rx.Component]:
    title, about = (words(key, language) for key in ("landing.page_title", "landing.lead"))
    here = whole_address(address_of(language))
    return [
        rx.el.link(rel="canonical", href=here),
        *_alternates(),
        *_shared(title, about, here, language),
        _structured(about, language),
    ]


def _alternates() -> list[rx.Component]:
    places = [(code, path) for path, code in ADDRESSES.items()]
    return [
        rx.el.link(rel="alternate", href=whole_address(path), custom_attrs={"hrefLang": code})
        for code, path in [*places, (NEUTRAL, HOME)]
    ]


def _shared(title: str, about: str, here: str, language: str) -> list[rx.Component]:
    width, height = PREVIEW_SIZE
    told = {
        "og:type": "website",
        "og:site_name": APP_TITLE,
        "og:title": title,
        "og:description": about,
        "og:url": here,
        "og:locale": LOCALES[language],
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": title,
    }
    cards = {
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": about,
        "twitter:image": whole_address(PREVIEW),
    }
    return [
        *(_meta("property", name, value) for name, value in told.items()),
        *(_meta("name", name, value) for name, value in cards.items()),
    ]


def _meta(kind: str, name: str, value: str) -> rx.Component:
    return rx.el.meta(content=value, custom_attrs={kind: name})


def _structured(about: str, language: str) -> rx.Component:
    """As schema.org names things; nothing in it that the page does not say."""
    us = {"@type": "Organization", "name": APP_TITLE, "url": whole_address(HOME)}
    site: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": APP_TITLE,
        "description": about,
        "url": whole_address(address_of(language)),
        "inLanguage": language,
        "publisher": us,
    }
    return inline_script(json.dumps(site, ensure_ascii=False), type="application/ld+json")
