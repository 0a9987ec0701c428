"""Columns that every table spells the same way."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, text
from sqlmodel import Field

from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id


def identifier() -> Any:
    return Field(default_factory=new_id, primary_key=True)


def moment(**options: Any) -> Any:
    """A point in time, with its zone."""
    return Field(sa_type=DateTime(timezone=True), **options)  # pyright: ignore[reportArgumentType]


def created() -> Any:
    return moment(default_factory=utc_now)


def added_later(default: str) -> dict[str, Any]:
    """For a column that came to a table with rows: what those have."""
    return {"server_default": text(default)}


def belongs_to(table: str, **options: Any) -> Any:
    """A foreign key whose rows go when their owner goes."""
    return Field(foreign_key=f"{table}.id", ondelete="CASCADE", index=True, **options)


__all__ = ["UUID", "added_later", "belongs_to", "created", "datetime", "identifier", "moment"]
