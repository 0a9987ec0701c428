"""What the stored cookie consent allows. Pure; nothing stored means nothing allowed."""

import json


def may_log_address(stored: object) -> bool:
    """Whether `stored`, which a browser may have filled with anything, says yes to ipLogging."""
    if not isinstance(stored, str) or len(stored) > 1000:
        return False
    try:
        choices = json.loads(stored)
    except (ValueError, RecursionError):
        return False
    return isinstance(choices, dict) and choices.get("ipLogging") is True
