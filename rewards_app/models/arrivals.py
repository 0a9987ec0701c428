"""What led people here, as numbers of nobody."""

from datetime import date

from sqlmodel import Field, SQLModel


class ArrivalDay(SQLModel, table=True):
    """How many came by one campaign on one day, of those who allow marketing."""

    __tablename__ = "arrival_days"  # pyright: ignore[reportAssignmentType]

    day: date = Field(primary_key=True)
    source: str = Field(primary_key=True, max_length=40)
    medium: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(primary_key=True, max_length=40)
    """All three empty: campaigns for which the day had no room."""
    visits: int = 0
    sign_ups: int = 0
    """Accounts that were made in such a visit."""
