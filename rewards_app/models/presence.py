"""Which players are connected, told by the worker that holds their socket."""

from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, datetime, moment


class Presence(SQLModel, table=True):
    __tablename__ = "presence"  # pyright: ignore[reportAssignmentType]

    worker_id: UUID = Field(primary_key=True)
    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    seen_at: datetime = moment(index=True)
