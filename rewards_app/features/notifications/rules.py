"""What people are told of, and by which way. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Topic(StrEnum):
    """What somebody can choose mails about; each has its label under `notifications.topics.`."""

    MENTIONS = "mentions"
    REPLIES = "replies"
    MODERATION = "moderation"
    ACHIEVEMENTS = "achievements"


BY_MAIL_UNLESS_CHOSEN = frozenset({Topic.MODERATION})
"""A decision about one's own words comes by mail, unless its owner says otherwise."""


@dataclass(frozen=True, slots=True)
class _About:
    topic: Topic
    icon: str


class Kind(StrEnum):
    """What happened; each has its words in every catalogue, under `notifications.kinds.`."""

    MENTION = "mention"
    REPLY = "reply"
    POST_HIDDEN = "post_hidden"
    REPLY_HIDDEN = "reply_hidden"
    RESTORED = "restored"
    LOCKED = "locked"
    APPEAL_TURNED_DOWN = "appeal_turned_down"
    ACHIEVEMENT = "achievement"


ABOUT = {
    Kind.MENTION: _About(Topic.MENTIONS, "at-sign"),
    Kind.REPLY: _About(Topic.REPLIES, "message-square-reply"),
    Kind.POST_HIDDEN: _About(Topic.MODERATION, "eye-off"),
    Kind.REPLY_HIDDEN: _About(Topic.MODERATION, "eye-off"),
    Kind.RESTORED: _About(Topic.MODERATION, "eye"),
    Kind.LOCKED: _About(Topic.MODERATION, "lock"),
    Kind.APPEAL_TURNED_DOWN: _About(Topic.MODERATION, "scale"),
    Kind.ACHIEVEMENT: _About(Topic.ACHIEVEMENTS, "trophy"),
}
