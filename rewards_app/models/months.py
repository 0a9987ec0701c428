"""Months that were cut off from their tables: which, and whether they are gone for good."""

from datetime import date

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import datetime, moment


class DetachedMonth(SQLModel, table=True):
    __tablename__ = "detached_months"  # pyright: ignore[reportAssignmentType]

    table_name: str = Field(primary_key=True, max_length=40)
    month: date = Field(primary_key=True)
    rows: int = Field(sa_type=BigInteger)
    detached_at: datetime = moment()
    dropped_at: datetime | None = moment(default=None)
