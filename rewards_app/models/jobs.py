"""What runs by itself, and how it went."""

from typing import Any

from sqlalchemy import Column, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment


class JobRun(SQLModel, table=True):
    """One run of a scheduled job."""

    __tablename__ = "job_runs"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_job_runs_job_started_at", "job", "started_at"),
        Index("ix_job_runs_failed", "job", "started_at", postgresql_where="error <> ''"),
    )

    id: UUID = identifier()
    job: str = Field(max_length=60)
    started_at: datetime = created()
    ended_at: datetime | None = moment(default=None)
    """None while it runs, and for ever where its worker died."""
    error: str = Field(default="", max_length=80)
    """The kind of its failure; empty where there was none."""
    did: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False), default_factory=dict)
    """Counts by name: what it found, told or deleted."""
