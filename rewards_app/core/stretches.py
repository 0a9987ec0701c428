"""Lists that a page loads stretch by stretch, newest first: what is new joins what is shown."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def renewed(shown: Sequence[Row], newest: list[Row], *, key: str = "id") -> list[Row] | None:
    """`newest`, and below them the older rows that were loaded before.

    None where nothing older was loaded, or where rows between the two would be missing.
    """
    fresh = {row[key] for row in newest}
    older = [row for row in shown if row[key] not in fresh]
    do_meet = len(older) < len(shown)
    return [*newest, *older] if older and do_meet else None
