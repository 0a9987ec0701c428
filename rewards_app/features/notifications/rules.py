"""What people are told of, and by which way. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from rewards_app.core.actor import MEMBER_ROLES, PLAYING_ROLES, Role
from rewards_app.core.errors import BadArguments, Param

TOLD_ROLES = MEMBER_ROLES
"""Whom the bell is for."""
ONE_MAIL_EVERY = timedelta(hours=1)
"""What happens in one place meanwhile waits, and comes in one mail."""
READ_ONES_ARE_KEPT = timedelta(days=90)
UNREAD_ONES_ARE_KEPT = timedelta(days=365)
UNNAMED = "…"
"""Stands where a title stood that nobody reads any more."""
NOBODY = "closing.deleted_player"
"""The key of what stands where the name stood of somebody who deleted their account."""


class Topic(StrEnum):
    """What somebody can choose mails about; each has its label under `notifications.topics.`."""

    MENTIONS = "mentions"
    REPLIES = "replies"
    MODERATION = "moderation"
    ACHIEVEMENTS = "achievements"


class CompanyTopic(StrEnum):
    """What each person who acts for a company can choose mails about, once the company has them."""

    REVIEWS = "reviews"
    BUDGETS = "budgets"
    REPORTS = "reports"


Chosen = Topic | CompanyTopic
BY_MAIL_UNLESS_CHOSEN = frozenset[Chosen]({Topic.MODERATION, *CompanyTopic})
"""A decision about one's own words or ads comes by mail, unless its owner says otherwise."""
GATHERED = frozenset({Topic.MENTIONS, Topic.REPLIES})
"""A lively topic would be a mail a minute."""


@dataclass(frozen=True, slots=True)
class _About:
    """`topic` is None where no mail of ours tells it: the bell alone, or a letter of its own."""

    topic: Topic | None
    icon: str


class Kind(StrEnum):
    """What happened; each has its words in every catalogue, under `notifications.kinds.`.

    Its words take parameters: a mention or a reply `who` (or a list with NOBODY) and `title`; a
    decision `title`, `reason` (a list with one key) and `note` (what a moderator wrote, or ''); an
    achievement `name` (a list with one key); an answer of support and a ticket that
    it closed `number` and `title`; what becomes of a company's ad or campaign `title`, and
    `why` where somebody gave a reason.
    """

    MENTION = "mention"
    REPLY = "reply"
    POST_HIDDEN = "post_hidden"
    REPLY_HIDDEN = "reply_hidden"
    PROFILE_HIDDEN = "profile_hidden"
    NAME_REPLACED = "name_replaced"
    RESTORED = "restored"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    APPEAL_TURNED_DOWN = "appeal_turned_down"
    ACHIEVEMENT = "achievement"
    SUPPORT_ANSWER = "support_answer"
    SUPPORT_CLOSED = "support_closed"
    GUARDIAN_GAVE = "guardian_gave"
    GUARDIAN_REFUSED = "guardian_refused"
    GUARDIAN_WITHDREW = "guardian_withdrew"
    GUARDIAN_WITHDREW_GROWN = "guardian_withdrew_grown"
    AD_APPROVED = "ad_approved"
    AD_REJECTED = "ad_rejected"
    CAMPAIGN_ENDED_BUDGET = "campaign_ended_budget"
    CAMPAIGN_ENDED_DATE = "campaign_ended_date"
    CAMPAIGN_ENDED_ADMIN = "campaign_ended_admin"


ABOUT = {
    Kind.MENTION: _About(Topic.MENTIONS, "at-sign"),
    Kind.REPLY: _About(Topic.REPLIES, "message-square-reply"),
    Kind.POST_HIDDEN: _About(Topic.MODERATION, "eye-off"),
    Kind.REPLY_HIDDEN: _About(Topic.MODERATION, "eye-off"),
    Kind.PROFILE_HIDDEN: _About(Topic.MODERATION, "eye-off"),
    Kind.NAME_REPLACED: _About(Topic.MODERATION, "user-round-x"),
    Kind.RESTORED: _About(Topic.MODERATION, "eye"),
    Kind.LOCKED: _About(Topic.MODERATION, "lock"),
    Kind.UNLOCKED: _About(Topic.MODERATION, "lock-open"),
    Kind.APPEAL_TURNED_DOWN: _About(None, "scale"),
    Kind.ACHIEVEMENT: _About(Topic.ACHIEVEMENTS, "trophy"),
    Kind.SUPPORT_ANSWER: _About(None, "life-buoy"),
    Kind.SUPPORT_CLOSED: _About(None, "life-buoy"),
    Kind.GUARDIAN_GAVE: _About(None, "user-round-check"),
    Kind.GUARDIAN_REFUSED: _About(None, "user-round-x"),
    Kind.GUARDIAN_WITHDREW: _About(None, "user-round-x"),
    Kind.GUARDIAN_WITHDREW_GROWN: _About(None, "user-round-check"),
    Kind.AD_APPROVED: _About(None, "circle-check"),
    Kind.AD_REJECTED: _About(None, "circle-x"),
    Kind.CAMPAIGN_ENDED_BUDGET: _About(None, "flag"),
    Kind.CAMPAIGN_ENDED_DATE: _About(None, "flag"),
    Kind.CAMPAIGN_ENDED_ADMIN: _About(None, "flag"),
}


SAID_WHERE_THEY_LEAD = frozenset(
    {Kind.MENTION, Kind.REPLY, Kind.SUPPORT_ANSWER, Kind.SUPPORT_CLOSED, Kind.ACHIEVEMENT}
)
"""Whoever is shown where they lead has read them; reasons of decisions stand nowhere else."""


def topics_of(role: Role, *, acts_for_company: bool = False) -> tuple[Chosen, ...]:
    """What may happen to somebody; companies unlock nothing, and players may act for one."""
    is_player = role in PLAYING_ROLES
    told = (topic for topic in Topic if is_player or topic is not Topic.ACHIEVEMENTS)
    return (*told, *CompanyTopic) if acts_for_company else tuple(told)


def topic_from(name: str, topics: Iterable[Chosen]) -> Chosen:
    """What a page asks for; what no page of theirs asks for is refused."""
    found = next((topic for topic in topics if topic.value == name), None)
    if found is None:
        raise BadArguments
    return found


def untitled(params: Mapping[str, Any]) -> dict[str, Any]:
    """As it is told where nobody reads that title any more."""
    return _instead(params, title=UNNAMED)


def named(params: Mapping[str, Any], who: Param) -> dict[str, Any]:
    """As it is told of somebody who is not called any more as they were."""
    return _instead(params, who=who)


def _instead(params: Mapping[str, Any], **known: Param) -> dict[str, Any]:
    return {name: known.get(name, value) for name, value in params.items()}


def place_of(link: str) -> str:
    """The page that a link leads to: what happens there is told in one mail."""
    return link.partition("#")[0].partition("&")[0]
