"""What a browser says of itself, in two words for people: its name and its system. Pure."""

import re
from typing import NamedTuple

BROWSERS = (
    ("Edge", re.compile(r"\bEdg(?:e|A|iOS)?/")),
    ("Opera", re.compile(r"\bOPR/|\bOpera\b")),
    ("Samsung Internet", re.compile(r"\bSamsungBrowser/")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(?:Chrome|CriOS|HeadlessChrome)/")),
    ("Safari", re.compile(r"\bSafari/")),
)
"""The first that fits: most browsers name others, too."""
SYSTEMS = (
    ("iPhone", re.compile(r"\biPhone\b|\biPod\b")),
    ("iPad", re.compile(r"\biPad\b")),
    ("Android", re.compile(r"\bAndroid\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("macOS", re.compile(r"\bMacintosh\b|\bMac OS X\b")),
    ("Linux", re.compile(r"\bLinux\b|\bX11\b")),
)


class Device(NamedTuple):
    """Each empty where nobody can tell."""

    browser: str
    system: str


def device_of(user_agent: str) -> Device:
    return Device(_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))


def _first(known: tuple[tuple[str, re.Pattern[str]], ...], user_agent: str) -> str:
    return next((name for name, sign in known if sign.search(user_agent)), "")
