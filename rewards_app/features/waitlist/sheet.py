"""The waiting people as a sheet, in Swedish as their screen is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from rewards_app.core.csv_text import BYTE_ORDER_MARK, escaped, written
from rewards_app.core.house import HOUSE_ZONE

COLUMNS = ("Email", "Datum", "Notifierad")


Cursor = tuple[datetime, UUID]
"""Where somebody stands in the list of all, whether they are still in it or not."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who waits."""

    id: UUID
    email: str
    created_at: datetime
    notified: bool
    is_confirmed: bool

    @property
    def cursor(self) -> Cursor:
        return self.created_at, self.id

    @property
    def day(self) -> date:
        """On which they came, where the house is."""
        return self.created_at.astimezone(HOUSE_ZONE).date()


def heading() -> str:
    return BYTE_ORDER_MARK + written([COLUMNS])


def lines_of(people: Sequence[Waiting]) -> str:
    return written(
        (
            escaped(one.email),
            one.day.isoformat(),
            "Ja" if one.notified else "Nej",
        )
        for one in people
    )


def name_of(day: date) -> str:
    return f"waitlist-{day.isoformat()}.csv"
