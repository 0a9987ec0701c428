"""Topics and replies, who likes and reports them, and what moderators decided."""

from typing import Any

from sqlalchemy import CheckConstraint, Column, Computed, Index, SmallInteger
from sqlalchemy.dialects.postgresql import JSONB, REGCONFIG, TSVECTOR
from sqlmodel import Field, SQLModel

from rewards_app.models.columns import UUID, created, datetime, identifier, moment

STATES = "('shown', 'waiting', 'hidden', 'deleted')"
"""Waiting: a person looks first. Hidden: a moderator decided so. Deleted: its author did."""


_DICTIONARIES = {
    "en": "english",
    "sv": "swedish",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "ru": "russian",
}
_DICTIONARY = " ".join(
    [
        "case language",
        *(
            f"when '{language}' then '{name}'::regconfig"
            for language, name in _DICTIONARIES.items()
        ),
        "else 'simple'::regconfig end",
    ]
)


def _words(stems: str, text: str) -> Any:
    """In their stems, where they stand; and as they are written, of which beginnings are found."""
    made = f"{stems} || strip(to_tsvector('simple'::regconfig, {text}))"
    return Field(default=None, sa_column=Column(TSVECTOR, Computed(made, persisted=True)))


def _author() -> Any:
    return Field(foreign_key="accounts.id", ondelete="CASCADE")


def _violations() -> Any:
    return Field(sa_column=Column(JSONB, nullable=False), default_factory=list)


class ForumPost(SQLModel, table=True):
    """A topic: what its author wrote, and what others see of it."""

    __tablename__ = "forum_posts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(f"state in {STATES}", name="post_state_is_known"),
        CheckConstraint("replies_count >= 0 and likes_count >= 0", name="post_counts"),
        Index("ix_forum_posts_shown", "id", postgresql_where="state = 'shown'"),
        Index(
            "ix_forum_posts_category_shown", "category", "id", postgresql_where="state = 'shown'"
        ),
        Index("ix_forum_posts_author_id_id", "author_id", "id"),
        Index("ix_forum_posts_waiting", "id", postgresql_where="state = 'waiting'"),
        Index("ix_forum_posts_moderated", "id", postgresql_where="violations <> '[]'::jsonb"),
        Index(
            "ix_forum_posts_search",
            "search",
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
    )

    id: UUID = identifier()
    author_id: UUID = _author()
    category: str = Field(max_length=20)
    language: str = Field(max_length=2)
    title: str = Field(max_length=120)
    content: str = Field(max_length=5000)
    shown_title: str = Field(max_length=120)
    shown_content: str = Field(max_length=5000)
    violations: list[dict[str, Any]] = _violations()
    """What moderation found, as its rules say it: kind and words."""
    rules_edition: int = Field(sa_type=SmallInteger)
    """Of the moderation that made what is shown; an older one is done again when it is read."""
    state: str = Field(default="shown", max_length=10)
    state_reason: str = Field(default="", max_length=500)
    """Its author reads it."""
    state_at: datetime | None = moment(default=None)
    is_hot: bool = False
    """Flagged by a moderator; enough likes make it hot, too."""
    locked_at: datetime | None = moment(default=None)
    """From then on nobody replies."""
    replies_count: int = 0
    """Shown ones."""
    likes_count: int = 0
    edited_at: datetime | None = moment(default=None)
    created_at: datetime = created()
    dictionary: str = Field(sa_column=Column(REGCONFIG, nullable=False))
    search: Any = _words(
        "setweight(to_tsvector(dictionary, shown_title), 'A')"
        " || to_tsvector(dictionary, shown_content)",
        "shown_title || ' ' || shown_content",
    )


class ForumReply(SQLModel, table=True):
    __tablename__ = "forum_replies"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(f"state in {STATES}", name="reply_state_is_known"),
        CheckConstraint("likes_count >= 0", name="reply_counts"),
        Index("ix_forum_replies_post_id_id", "post_id", "id"),
        Index("ix_forum_replies_author_id_id", "author_id", "id"),
        Index("ix_forum_replies_waiting", "id", postgresql_where="state = 'waiting'"),
        Index("ix_forum_replies_moderated", "id", postgresql_where="violations <> '[]'::jsonb"),
        Index(
            "ix_forum_replies_search",
            "search",
            postgresql_using="gin",
            postgresql_where="state = 'shown'",
            postgresql_with={"fastupdate": "off"},
        ),
    )

    id: UUID = identifier()
    post_id: UUID = Field(foreign_key="forum_posts.id", ondelete="CASCADE")
    author_id: UUID = _author()
    language: str = Field(max_length=2)
    content: str = Field(max_length=3000)
    shown_content: str = Field(max_length=3000)
    violations: list[dict[str, Any]] = _violations()
    rules_edition: int = Field(sa_type=SmallInteger)
    state: str = Field(default="shown", max_length=10)
    state_reason: str = Field(default="", max_length=500)
    state_at: datetime | None = moment(default=None)
    likes_count: int = 0
    edited_at: datetime | None = moment(default=None)
    created_at: datetime = created()
    dictionary: Any = Field(
        default=None, sa_column=Column(REGCONFIG, Computed(_DICTIONARY, persisted=True))
    )
    search: Any = _words(f"to_tsvector({_DICTIONARY}, shown_content)", "shown_content")


class ForumLike(SQLModel, table=True):
    """Somebody likes a topic or a reply: once."""

    __tablename__ = "forum_likes"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("num_nonnulls(post_id, reply_id) = 1", name="like_is_of_one_thing"),
        Index(
            "one_like_a_post",
            "post_id",
            "account_id",
            unique=True,
            postgresql_where="post_id is not null",
        ),
        Index(
            "one_like_a_reply",
            "reply_id",
            "account_id",
            unique=True,
            postgresql_where="reply_id is not null",
        ),
        Index("ix_forum_likes_account_id", "account_id"),
    )

    id: UUID = identifier()
    post_id: UUID | None = Field(default=None, foreign_key="forum_posts.id", ondelete="CASCADE")
    reply_id: UUID | None = Field(default=None, foreign_key="forum_replies.id", ondelete="CASCADE")
    account_id: UUID = _author()
    created_at: datetime = created()


class ForumDraft(SQLModel, table=True):
    """What somebody has begun to write: one topic at most, and one reply to each topic."""

    __tablename__ = "forum_drafts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index(
            "one_draft_of_a_topic", "account_id", unique=True, postgresql_where="post_id is null"
        ),
        Index(
            "one_draft_of_a_reply",
            "account_id",
            "post_id",
            unique=True,
            postgresql_where="post_id is not null",
        ),
        Index("ix_forum_drafts_post_id", "post_id"),
    )

    id: UUID = identifier()
    account_id: UUID = _author()
    post_id: UUID | None = Field(default=None, foreign_key="forum_posts.id", ondelete="CASCADE")
    """The topic that it replies to."""
    category: str = Field(default="", max_length=20)
    title: str = Field(default="", max_length=10_000)
    content: str = Field(default="", max_length=10_000)
    updated_at: datetime = created()


class ForumReport(SQLModel, table=True):
    """Somebody says that a topic, a reply or a profile breaks the rules: once for each."""

    __tablename__ = "forum_reports"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "num_nonnulls(post_id, reply_id, profile_id) = 1", name="report_is_of_one_thing"
        ),
        Index(
            "one_report_a_post",
            "post_id",
            "account_id",
            unique=True,
            postgresql_where="post_id is not null",
        ),
        Index(
            "one_report_a_reply",
            "reply_id",
            "account_id",
            unique=True,
            postgresql_where="reply_id is not null",
        ),
        Index(
            "one_report_a_profile",
            "profile_id",
            "account_id",
            unique=True,
            postgresql_where="profile_id is not null",
        ),
        Index("ix_forum_reports_open", "id", postgresql_where="settled_at is null"),
        Index("ix_forum_reports_account_id", "account_id"),
    )

    id: UUID = identifier()
    post_id: UUID | None = Field(default=None, foreign_key="forum_posts.id", ondelete="CASCADE")
    reply_id: UUID | None = Field(default=None, foreign_key="forum_replies.id", ondelete="CASCADE")
    profile_id: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="CASCADE")
    """Whose."""
    account_id: UUID = _author()
    reason: str = Field(max_length=20)
    text: str = Field(default="", max_length=300)
    created_at: datetime = created()
    settled_at: datetime | None = moment(default=None)


class ForumDecision(SQLModel, table=True):
    """What was decided about a topic, a reply or a profile, by whom and why: the log of
    moderation."""

    __tablename__ = "forum_decisions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "num_nonnulls(post_id, reply_id, profile_id) = 1", name="decision_is_about_one_thing"
        ),
        CheckConstraint("reason <> ''", name="decision_has_a_reason"),
        Index("ix_forum_decisions_post_id", "post_id"),
        Index("ix_forum_decisions_reply_id", "reply_id"),
        Index(
            "ix_forum_decisions_profile_id",
            "profile_id",
            postgresql_where="profile_id is not null",
        ),
    )

    id: UUID = identifier()
    post_id: UUID | None = Field(default=None, foreign_key="forum_posts.id", ondelete="CASCADE")
    reply_id: UUID | None = Field(default=None, foreign_key="forum_replies.id", ondelete="CASCADE")
    profile_id: UUID | None = Field(default=None, foreign_key="accounts.id", ondelete="CASCADE")
    """Whose."""
    action: str = Field(max_length=20)
    reason: str = Field(max_length=500)
    by_account_id: UUID | None = Field(
        default=None, foreign_key="accounts.id", ondelete="SET NULL", index=True
    )
    """None when moderation did it by its rules."""
    created_at: datetime = created()


class ForumCount(SQLModel, table=True):
    """Figures of the forum, kept by every write: topics of each category, writers."""

    __tablename__ = "forum_counts"  # pyright: ignore[reportAssignmentType]

    name: str = Field(primary_key=True, max_length=40)
    value: int = 0


class ForumWriter(SQLModel, table=True):
    """Somebody who has written: how much of it is shown."""

    __tablename__ = "forum_writers"  # pyright: ignore[reportAssignmentType]

    account_id: UUID = Field(primary_key=True, foreign_key="accounts.id", ondelete="CASCADE")
    posts: int = 0
    replies: int = 0
