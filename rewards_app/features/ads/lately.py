"""From which identifier on lie the views of a time: months before it are not even looked at."""

from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.ids import first_id_since

LONGEST_VIEW = timedelta(hours=1)
"""From its start to its reward it takes minutes; its identifier is as old as its start."""
LONGEST_DAY = timedelta(days=4)
"""A player's own day ends within two, even where they change their time zone."""


def first_id_of(since: datetime) -> UUID:
    """No view that was rewarded since then has a smaller one."""
    return first_id_since(since - LONGEST_VIEW)


def lately(now: datetime) -> UUID:
    """No view of the player's present day has a smaller one."""
    return first_id_of(now - LONGEST_DAY)
