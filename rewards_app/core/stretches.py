"""Lists that a page loads stretch by stretch, newest first: what is new joins what is shown."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


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
