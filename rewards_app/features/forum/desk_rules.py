"""What people report, what moderators decide, and for which reasons. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from rewards_app.core.actor import Role
from rewards_app.core.errors import BadArguments, DomainError, FieldRefused

MODERATORS = (Role.MODERATOR, Role.ADMIN)
LONGEST_NOTE = 300
LIFTED = 32_000
"""The edition of what a person has shown as it was written: no later rules change that."""


class Target(StrEnum):
    """What is reported, decided on and appealed."""

    POST = "post"
    REPLY = "reply"
    PROFILE = "profile"
    """What a player says of themselves; it goes by their account."""


class ReportReason(StrEnum):
    """Each has its words in every catalogue, under `forum.reports.reasons.`."""

    HARASSMENT = "harassment"
    SPAM = "spam"
    HATEFUL = "hateful"
    SEXUAL = "sexual"
    SELF_HARM = "self_harm"
    OTHER = "other"


GRAVEST_FIRST = (
    ReportReason.SELF_HARM,
    ReportReason.HATEFUL,
    ReportReason.SEXUAL,
    ReportReason.HARASSMENT,
    ReportReason.SPAM,
    ReportReason.OTHER,
)
"""For the gravest of them a thing stands in the queue; who may be in danger waits for nobody."""


class Deed(StrEnum):
    """What a moderator does; each has its words under `forum.desk.deeds.`."""

    HIDE = "hide"
    RENAME = "rename"
    RESTORE = "restore"
    AS_WRITTEN = "as_written"
    LOCK = "lock"
    UNLOCK = "unlock"
    MARK_HOT = "mark_hot"
    UNMARK_HOT = "unmark_hot"
    DISMISS = "dismiss"
    TURN_DOWN = "turn_down"


class Why(StrEnum):
    """For what reason: its author reads the words under `forum.desk.reasons.`."""

    HARASSMENT = "harassment"
    SPAM = "spam"
    HATEFUL = "hateful"
    SEXUAL = "sexual"
    CARE = "care"
    GUIDELINES = "guidelines"
    FITS = "fits"
    MISTAKE = "mistake"
    HEATED = "heated"
    DONE = "done"
    CALM = "calm"
    WORTH_READING = "worth_reading"
    NOT_NEWS = "not_news"
    STANDS = "stands"


AGAINST = (Why.HARASSMENT, Why.SPAM, Why.HATEFUL, Why.SEXUAL)
REASONS: dict[Deed, tuple[Why, ...]] = {
    Deed.HIDE: (*AGAINST, Why.CARE, Why.GUIDELINES),
    Deed.RENAME: (Why.GUIDELINES, *AGAINST),
    Deed.RESTORE: (Why.FITS, Why.MISTAKE),
    Deed.AS_WRITTEN: (Why.MISTAKE, Why.FITS),
    Deed.LOCK: (Why.HEATED, Why.DONE, Why.GUIDELINES),
    Deed.UNLOCK: (Why.CALM, Why.MISTAKE),
    Deed.MARK_HOT: (Why.WORTH_READING,),
    Deed.UNMARK_HOT: (Why.NOT_NEWS, Why.MISTAKE),
    Deed.DISMISS: (Why.FITS,),
    Deed.TURN_DOWN: (Why.STANDS, *AGAINST),
}
"""The first one of each is what is meant most often."""
FOR_THE_LOG = frozenset({Deed.DISMISS, Deed.MARK_HOT, Deed.UNMARK_HOT})
"""Their authors are told nothing: these decisions ask nothing of them."""
SETTLES_REPORTS = frozenset({Deed.HIDE, Deed.RENAME, Deed.RESTORE, Deed.AS_WRITTEN, Deed.DISMISS})
SETTLES_APPEALS = frozenset({Deed.RESTORE, Deed.AS_WRITTEN, Deed.TURN_DOWN})


class NotThere(DomainError):
    """What is reported or decided on was deleted, or never was there for this person."""

    code = "forum.not_there"


class OwnThing(DomainError):
    """Nobody reports or judges what they wrote themselves."""

    code = "forum.own_thing"


class ReportedBefore(DomainError):
    code = "forum.reported_before"


class ReportDecided(ReportedBefore):
    """What this person reported was decided on, and has the same words since."""

    code = "forum.report_decided"


class ReasonMissing(FieldRefused):
    """None of the reasons was chosen."""

    code = "forum.reason_missing"


class NoteMissing(FieldRefused):
    """'Something else' says nothing without words."""

    code = "forum.note_missing"


class NoteTooLong(FieldRefused):
    """More than `count` characters."""

    code = "forum.note_too_long"


class DecidedMeanwhile(DomainError):
    """Somebody else decided, or its author changed it: what was looked at is not there any more."""

    code = "forum.decided_meanwhile"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a topic, a reply or a profile stands, as far as decisions ask."""

    target: Target
    state: str
    is_locked: bool
    is_hot: bool
    is_changed_by_rules: bool
    """Others see something else than what was written."""
    has_reports: bool
    has_appeal: bool
    has_words: bool = False
    """Others read something that the owner of a profile wrote."""
    has_own_name: bool = False
    """The name or the handle of a profile's owner is not neutral yet."""
    is_player: bool = True
    """Who became a company or an admin has no profile any more."""

    @property
    def is_whole(self) -> bool:
        """Nothing is held against it: it is seen as it was written, and can be answered."""
        return self.is_as_written and not self.is_closed

    @property
    def is_as_written(self) -> bool:
        """Everybody sees it so."""
        return self.state == "shown" and not self.is_changed_by_rules

    @property
    def is_closed(self) -> bool:
        """A reply is not what was locked with its topic."""
        return self.target is Target.POST and self.is_locked


def deeds_for(thing: Standing) -> tuple[Deed, ...]:
    """What can be decided now, the likeliest first. Who appealed against what later rules have
    taken back was right."""
    if thing.target is Target.PROFILE:
        return _possible(_on_profile(thing))
    is_shown, is_topic = thing.state == "shown", thing.target is Target.POST
    is_right = thing.has_appeal and thing.is_whole
    can = {
        Deed.HIDE: thing.state in ("shown", "waiting"),
        Deed.RESTORE: thing.state in ("hidden", "waiting") or is_right,
        Deed.AS_WRITTEN: thing.is_changed_by_rules and thing.state != "deleted",
        Deed.DISMISS: thing.has_reports,
        Deed.TURN_DOWN: thing.has_appeal and not is_right,
        Deed.LOCK: is_topic and is_shown and not thing.is_locked,
        Deed.UNLOCK: is_topic and thing.is_locked,
        Deed.MARK_HOT: is_topic and is_shown and not thing.is_hot,
        Deed.UNMARK_HOT: is_topic and thing.is_hot,
    }
    return _possible(can)


def _on_profile(thing: Standing) -> dict[Deed, bool]:
    """Some of it may be hidden, and something else be written since."""
    is_there = thing.is_player and thing.state != "deleted"
    return {
        Deed.HIDE: is_there and thing.has_words,
        Deed.RENAME: is_there and thing.has_own_name,
        Deed.RESTORE: thing.state == "hidden",
        Deed.DISMISS: thing.has_reports,
        Deed.TURN_DOWN: thing.has_appeal,
    }


def _possible(can: Mapping[Deed, bool]) -> tuple[Deed, ...]:
    return tuple(deed for deed, is_possible in can.items() if is_possible)


def settles_appeal(deed: Deed, thing: Standing) -> bool:
    """Opening a topic answers who appealed where nothing but the lock was held against it."""
    if deed is Deed.UNLOCK:
        return thing.is_as_written
    return deed in SETTLES_APPEALS


def target_from(name: str) -> Target:
    return _one_of(Target, name)


def said_in_forum_from(name: str) -> Target:
    """A topic or a reply: what is liked there, changed and deleted."""
    target = target_from(name)
    if target is Target.PROFILE:
        raise BadArguments
    return target


def deed_from(name: str) -> Deed:
    return _one_of(Deed, name)


def _one_of(kind: Any, name: str) -> Any:
    try:
        return kind(name)
    except ValueError:
        raise BadArguments from None


def why_from(deed: Deed, name: str) -> Why:
    found = next((why for why in REASONS[deed] if why.value == name), None)
    if found is None:
        raise ReasonMissing("reason")
    return found


def report_reason_from(name: str, text: str) -> tuple[ReportReason, str]:
    """What is wrong, and the words to it; 'something else' needs some."""
    reason = next((one for one in ReportReason if one.value == name), None)
    if reason is None:
        raise ReasonMissing("reason")
    said = note_from(text, field="text")
    if reason is ReportReason.OTHER and not said:
        raise NoteMissing("text")
    return reason, said


def note_from(text: str, *, field: str = "note") -> str:
    said = text.strip()
    if len(said) > LONGEST_NOTE:
        raise NoteTooLong(field, count=LONGEST_NOTE)
    return said


def kept(why: Why, note: str) -> str:
    """A reason as it is kept: its name, and below it what the moderator wrote."""
    return f"{why}\n{note}" if note else why.value


@dataclass(frozen=True, slots=True)
class Reason:
    """A kept reason: the key of its words in the reader's language, and what was written."""

    key: str
    note: str


def reason_of(kept_reason: str) -> Reason:
    """What `kept` kept; anything else is all words."""
    name, _, note = kept_reason.partition("\n")
    if name in set(Why):
        return Reason(f"forum.desk.reasons.{name}", note)
    return Reason("", kept_reason)


def about(target: Target, thing_id: UUID) -> str:
    """How an appeal names it."""
    return f"forum-{target}:{thing_id}"


OWN_PROFILE = "/profile"
"""Where a player reads what was decided on theirs."""


def link_of(post_id: UUID | str) -> str:
    return f"/forum/topic?id={post_id}"


class NothingToAppeal(DomainError):
    """It is not one's own, or nothing was decided against it."""

    code = "forum.nothing_to_appeal"


class AppealedBefore(DomainError):
    """Since the decision it was appealed already."""

    code = "forum.appealed_before"
