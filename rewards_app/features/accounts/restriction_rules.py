"""What somebody may not do for now. Pure."""

from collections.abc import Sequence
from enum import StrEnum


class Kind(StrEnum):
    EARNING_PAUSED = "earning_paused"
    """Nothing new is earned; what there is can be spent."""
    SUSPENDED = "suspended"
    """Nothing can be done but read, appeal and leave; the balance stays as it is."""


AUTOMATIC_REASON = "restrictions.automatic"
"""The reason's key in every catalogue where no person wrote one."""


GROUNDS = "restrictions.grounds."
"""With the name of a rule: what that rule saw, in every catalogue."""


def told(reason: str, grounds: Sequence[str] = ()) -> str | list[str]:
    """The reason as a text's parameter: what is a key stands in a list, and is translated.

    What the rules saw says more than that they saw something.
    """
    if reason != AUTOMATIC_REASON:
        return reason
    return [f"{GROUNDS}{ground}" for ground in grounds] or [reason]
