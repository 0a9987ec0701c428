"""What somebody may not do for now. Pure."""

from enum import StrEnum


class Kind(StrEnum):
    EARNING_PAUSED = "earning_paused"
    """Nothing new is earned; what there is can be spent."""
    SUSPENDED = "suspended"
    """Nothing can be done but read, appeal and leave; the balance stays as it is."""


AUTOMATIC_REASON = "restrictions.automatic"
"""The reason's key in every catalogue where no person wrote one."""


def told(reason: str) -> str | list[str]:
    """The reason as a text's parameter: what is a key stands in a list, and is translated."""
    return [reason] if reason == AUTOMATIC_REASON else reason
