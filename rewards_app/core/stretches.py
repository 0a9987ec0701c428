"""Lists that a page loads stretch by stretch, newest first: what is new joins what is shown."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]
MOST_RENEWED = 500
"""Of what was loaded further down only this much is read again at once."""


def so_many(shown: Sequence[Row], page: int, *, most: int = MOST_RENEWED) -> int:
    """How many of the newest are read again: all that is shown, and what may have come above it."""
    return min(len(shown) + page, most) if shown else page


def read_again(
    shown: Sequence[Row], found: list[Row], *, key: str = "id", is_all: bool = False
) -> list[Row] | None:
    """`found`, of which `so_many` were read, no further down than was shown: no row of a list
    whose rows change keeps an old state. What lies beyond that is `renewed`; None as there."""
    keys = [row[key] for row in found]
    if shown and shown[-1][key] in keys:
        return found[: keys.index(shown[-1][key]) + 1]
    return renewed(shown, found, key=key, is_all=is_all)


def renewed(
    shown: Sequence[Row], newest: list[Row], *, key: str = "id", is_all: bool = False
) -> list[Row] | None:
    """`newest`, and below them the older rows that were loaded before: those behind its last one.

    What stood above that and is not among `newest` has left the list. None where nothing older
    was loaded, or where rows between the two would be missing. `is_all`: nothing is older.
    """
    keys = [row[key] for row in shown]
    if is_all or not newest or newest[-1][key] not in keys:
        return None
    fresh = {row[key] for row in newest}
    behind = shown[keys.index(newest[-1][key]) + 1 :]
    older = [row for row in behind if row[key] not in fresh]
    return [*newest, *older] if older else None
