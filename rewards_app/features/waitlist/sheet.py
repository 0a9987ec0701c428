"""The waiting people as a sheet, in Swedish as their screen is. Pure."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from rewards_app.core.csv_text import escaped
from rewards_app.core.house import HOUSE_ZONE

BYTE_ORDER_MARK = "\ufeff"
"""Else some spreadsheets read letters of other languages as something else."""
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
    return BYTE_ORDER_MARK + _written([COLUMNS])


def lines_of(people: Sequence[Waiting]) -> str:
    return _written(
        (
            escaped(one.email),
            one.day.isoformat(),
            "Ja" if one.notified else "Nej",
        )
        for one in people
    )


def _written(lines: object) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(lines)  # pyright: ignore[reportArgumentType]
    return text.getvalue()


def name_of(day: date) -> str:
    return f"waitlist-{day.isoformat()}.csv"
