"""The face of somebody who has no picture: a letter of their name, in a tint of their own. Pure."""

from uuid import UUID

TINTS = (
    *("sky", "orchid", "lime", "coral", "teal"),
    *("indigo", "pink", "green", "slate", "sand"),
)
"""The palette has a colour for each, in both themes."""
NOBODY = {"letter": "", "tint": "lilac"}
"""Who is called nothing any more: no tint tells which of them are one person."""


def face_of(account_id: UUID, name: str) -> dict[str, str]:
    """The tint stays with the account under every name, so two of one name can be told apart."""
    letter = next(filter(str.isalnum, name), "")
    if not letter:
        return NOBODY
    return {"letter": _large(letter), "tint": TINTS[account_id.int % len(TINTS)]}


def _large(letter: str) -> str:
    """As it begins a name: of ß come two letters, and Georgian names begin with a small one."""
    large = letter.title()
    return large if len(large) == 1 else letter
