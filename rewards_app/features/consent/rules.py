"""What a stored cookie consent allows. Pure; nothing stored means only what is essential."""

import json
from enum import StrEnum

LONGEST_STORED = 1000


class Kind(StrEnum):
    """The keys of the stored consent."""

    ESSENTIAL = "essential"
    ANALYTICS = "analytics"
    MARKETING = "marketing"
    IP_LOGGING = "ipLogging"


OPTIONAL = tuple(kind for kind in Kind if kind is not Kind.ESSENTIAL)


def allowed_by(stored: object) -> frozenset[Kind]:
    """Everything that `stored` says yes to; a browser may have filled it with anything."""
    choices = _parsed(stored)
    return frozenset({Kind.ESSENTIAL, *(kind for kind in OPTIONAL if choices.get(kind) is True)})


def allows(stored: object, kind: Kind) -> bool:
    return kind in allowed_by(stored)


def may_log_address(stored: object) -> bool:
    return allows(stored, Kind.IP_LOGGING)


def may_count_pages(stored: object) -> bool:
    return allows(stored, Kind.ANALYTICS)


def may_count_campaigns(stored: object) -> bool:
    return allows(stored, Kind.MARKETING)


def _parsed(stored: object) -> dict[str, object]:
    if not isinstance(stored, str) or len(stored) > LONGEST_STORED:
        return {}
    try:
        choices = json.loads(stored)
    except (ValueError, RecursionError):
        return {}
    return choices if isinstance(choices, dict) else {}
