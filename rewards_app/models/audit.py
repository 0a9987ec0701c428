"""What was done by those who may do much: append-only, each line tied to the one before.

The words of a line can be erased, once, and nothing else: the chain ties their digest.
"""

from typing import Any

from sqlalchemy import BigInteger, Column, Computed, Index
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, datetime, moment


class AuditEntry(SQLModel, table=True):
    """One action: who, what, before, after, why. Never changed, but for erasing; never deleted."""

    __tablename__ = "audit_entries"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_audit_entries_action_number", "action", "number"),
        Index("ix_audit_entries_about_number", "about", "number"),
        Index("ix_audit_entries_actor_id_number", "actor_id", "number"),
        Index("ix_audit_entries_words", "words", postgresql_using="gin"),
    )

    number: int = Field(
        sa_column=Column(BigInteger, primary_key=True, autoincrement=False),
    )
    """Without gaps: a line that is missing shows."""
    created_at: datetime = moment()
    origin: str = Field(max_length=20)
    """A row of `audit.rules.Origin`: a person, the command line, or the app by itself."""
    actor_id: UUID | None = None
    """No foreign key: who did it stays, whatever becomes of the account."""
    actor_name: str = Field(default="", max_length=40)
    action: str = Field(max_length=40)
    about: str = Field(max_length=120)
    """What it was done to, like `account:…`."""
    label: str = Field(default="", max_length=120)
    """How that was called then."""
    before: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    after: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB)
    reason: str = Field(default="", max_length=500)
    salt: str = Field(max_length=32)
    """Made by chance: without it nobody finds out by guessing what erased words were."""
    digest: str = Field(max_length=64)
    """Of the salt and the words: names, label, before, after and reason."""
    erased_at: datetime | None = moment(default=None)
    """When its words and its salt were emptied, for somebody who is forgotten."""
    hash: str = Field(max_length=64)
    """Of this line and the one before it."""
    words: Any = Field(
        default=None,
        sa_column=Column(
            TSVECTOR,
            Computed(
                "to_tsvector('simple', translate(actor_name || ' ' || label || ' ' || reason,"
                " '<>', '  '))",
                persisted=True,
            ),
        ),
    )
