"""What a campaign is called, and on which day it is counted. Pure."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from rewards_app.core.house import HOUSE_ZONE

LED_BY = "led_by"
"""The field of a form that is filled in during such a visit."""
LONGEST_WORD = 40
_WORD = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_WORD - 1}}}")
_PARTS = 3
KNOWN_FOR = timedelta(days=30)
"""A campaign that was counted within them has its room, whatever is made up today."""
NEW_A_DAY, KNOWN_A_DAY = 100, 300
"""Anybody can make addresses up: what comes beyond these is counted together."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The words of an address, `utm_source` and so on; empty where it has none that fits."""

    source: str = ""
    medium: str = ""
    name: str = ""


OTHERS = Campaign()
"""All of a day for which there was no room."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """How many came by a campaign, and how many of them signed up in that visit."""

    campaign: Campaign
    visits: int
    sign_ups: int


@dataclass(frozen=True, slots=True)
class More:
    """What a campaign has more of on a day."""

    day: date
    visits: int = 0
    sign_ups: int = 0


def campaign_from(told: str) -> Campaign | None:
    """What a page tells, three words with slashes between; None where none of them fits."""
    words = told[: _PARTS * (LONGEST_WORD + 1)].lower().split("/")
    if len(words) != _PARTS:
        return None
    found = Campaign(*(word if _WORD.fullmatch(word) else "" for word in words))
    return None if found == OTHERS else found


def day_of(now: datetime) -> date:
    return now.astimezone(HOUSE_ZONE).date()
