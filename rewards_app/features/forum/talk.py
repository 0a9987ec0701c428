"""Topics and replies as somebody reads them. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from rewards_app.features.forum.judging import Judged, Violations

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class FoundIn:
    """The reply that has the words which were searched for."""

    reply_id: UUID
    text: str
    """Those words, with some of what is said around them."""


@dataclass(frozen=True, slots=True)
class Post:
    id: UUID
    author_id: UUID
    author: str
    handle: str
    is_public: bool
    """Whether the author's profile may be opened."""
    role: str
    category: str
    title: str
    content: str
    removed: str
    """The kind of violation for which nothing of the text is shown, or empty."""
    removed_title: str
    violations: Violations
    state: str
    state_reason: str
    """For its author only."""
    is_hot: bool
    is_locked: bool
    replies: int
    likes: int
    is_liked: bool
    is_own: bool
    can_edit: bool
    is_edited: bool
    created_at: datetime
    written_title: str
    """As it was written, for its author only."""
    written_content: str
    found_in: FoundIn | None = None
    """Where a search found it by a reply alone."""
    lock_reason: str = ""
    """For its author only, where they read the topic itself."""


@dataclass(frozen=True, slots=True)
class Reply:
    id: UUID
    post_id: UUID
    author_id: UUID
    author: str
    handle: str
    is_public: bool
    role: str
    content: str
    removed: str
    violations: Violations
    state: str
    state_reason: str
    likes: int
    is_liked: bool
    is_own: bool
    can_edit: bool
    is_edited: bool
    created_at: datetime
    written_content: str


Thing = TypeVar("Thing", Post, Reply)


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Item]):
    """Some of a longer list; `next_cursor` leads to what follows."""

    items: Sequence[Item]
    next_cursor: UUID | None


@dataclass(frozen=True, slots=True)
class Listed:
    """Which of the topics somebody sees: of those from `down_to` up to `up_to` all that are shown,
    and before that list lost its beginning also those up to `newest`."""

    ids: Collection[UUID]
    down_to: UUID
    up_to: UUID
    newest: UUID


@dataclass(frozen=True, slots=True)
class Written:
    """What became of what somebody wrote; its author reads at once what was changed and why."""

    id: UUID | None
    state: str
    removed: str
    removed_title: str
    violations: Violations
    shown_title: str
    shown_content: str

    @property
    def is_waiting(self) -> bool:
        return self.state == "waiting"


def written(judged: Judged, state: str, thing_id: UUID | None = None) -> Written:
    return Written(
        thing_id,
        state,
        judged.removed,
        judged.removed_title,
        judged.violations,
        judged.shown_title,
        judged.shown_content,
    )


@dataclass(frozen=True, slots=True)
class Draft:
    category: str
    title: str
    content: str


def stretch(found: Sequence[Any], length: int, cursors: Sequence[UUID]) -> Stretch[Any]:
    """The first `length` of what was found; one more was asked for, to see whether there is."""
    has_more = len(cursors) > length
    return Stretch(found[:length], cursors[length - 1] if has_more else None)
