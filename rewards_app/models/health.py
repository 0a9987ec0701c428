"""How the system was, minute by minute."""

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import datetime, moment


class HealthSample(SQLModel, table=True):
    """What was measured in one minute. A minute without one was a minute in which nothing ran."""

    __tablename__ = "health_samples"  # pyright: ignore[reportAssignmentType]

    minute: datetime = moment(primary_key=True)
    database_us: int
    """How long the database took to answer, in microseconds."""
    redis_us: int | None = None
    """None where no Redis is used, or none answered."""
    workers: int
    jobs_waiting: int
    oldest_job_seconds: int = 0
    mails_waiting: int
    disk_free: int = Field(sa_type=BigInteger)
    disk_size: int = Field(sa_type=BigInteger)
