"""What is said of a decision: to its author, in the appeal's ticket, and in the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param
from rewards_app.features.accounts.handle_rules import NAMELESS
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.features.forum import calls, desk_rules, told
from rewards_app.features.forum.desk_repository import Item
from rewards_app.features.forum.desk_rules import FOR_THE_LOG, Deed, Target, Why
from rewards_app.features.notifications import letters
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import UNNAMED, Kind
from rewards_app.features.support import inbox as support
from rewards_app.features.support.inbox import TurnedDown
from rewards_app.i18n.mail_text import words

RECORDED = {
    Deed.HIDE: Action.FORUM_HIDDEN,
    Deed.RESTORE: Action.FORUM_RESTORED,
    Deed.AS_WRITTEN: Action.FORUM_SHOWN_AS_WRITTEN,
    Deed.LOCK: Action.FORUM_LOCKED,
    Deed.UNLOCK: Action.FORUM_UNLOCKED,
    Deed.MARK_HOT: Action.FORUM_MARKED_HOT,
    Deed.UNMARK_HOT: Action.FORUM_UNMARKED_HOT,
    Deed.DISMISS: Action.FORUM_REPORTS_DISMISSED,
    Deed.TURN_DOWN: Action.FORUM_APPEAL_TURNED_DOWN,
}
RECORDED_ON_PROFILE = {
    Deed.HIDE: Action.PROFILE_HIDDEN,
    Deed.RENAME: Action.PROFILE_RENAMED,
    Deed.RESTORE: Action.PROFILE_RESTORED,
    Deed.DISMISS: Action.PROFILE_REPORTS_DISMISSED,
    Deed.TURN_DOWN: Action.PROFILE_APPEAL_TURNED_DOWN,
}
TELLS: Mapping[Deed, Kind] = {
    Deed.RENAME: Kind.NAME_REPLACED,
    Deed.RESTORE: Kind.RESTORED,
    Deed.AS_WRITTEN: Kind.RESTORED,
    Deed.LOCK: Kind.LOCKED,
    Deed.UNLOCK: Kind.UNLOCKED,
    Deed.TURN_DOWN: Kind.APPEAL_TURNED_DOWN,
}
HIDDEN = {
    Target.POST: Kind.POST_HIDDEN,
    Target.REPLY: Kind.REPLY_HIDDEN,
    Target.PROFILE: Kind.PROFILE_HIDDEN,
}
"""What its author is told; that something is hidden in words of their own for each."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided, on the thing as it was before, and why."""

    item: Item
    deed: Deed
    why: Why
    note: str

    @property
    def about(self) -> str:
        return desk_rules.about(self.item.target, self.item.id)

    @property
    def place(self) -> str:
        """Where its author finds it."""
        item = self.item
        if item.target is Target.PROFILE:
            return desk_rules.OWN_PROFILE
        return calls.place_of(item.post_id, item.id if item.target is Target.REPLY else None)

    @property
    def told(self) -> dict[str, Param]:
        """What the words of it take."""
        title: Param = ["nav.profile"] if self.item.target is Target.PROFILE else self.item.name
        return {"title": title, "reason": [_reason_key(self.why)], "note": self.note}


async def tell(session: AsyncSession, verdict: Verdict, *, now: datetime) -> None:
    item, deed = verdict.item, verdict.deed
    if deed in FOR_THE_LOG:
        return
    new_name: dict[str, Param] = {"title": NAMELESS} if deed is Deed.RENAME else {}
    await notifications.tell(
        session,
        item.author_id,
        HIDDEN[item.target] if deed is Deed.HIDE else TELLS[deed],
        link=verdict.place,
        cause=f"{deed}:{item.target}:{item.id}:{now.isoformat()}",
        now=now,
        **verdict.told | new_name,
    )


async def settle_appeal(
    session: AsyncSession, actor: Actor, verdict: Verdict, *, now: datetime
) -> None:
    """The ticket says how it ended; that it was turned down comes by mail whatever is chosen."""
    item, deed = verdict.item, verdict.deed
    if not (item.appeal_number and desk_rules.settles_appeal(deed, item.standing)):
        return

    def answer(language: str) -> str:
        decided = words(f"forum.desk.decided.{deed}", language)
        said = [decided, words(_reason_key(verdict.why), language), verdict.note]
        return "\n".join(part for part in said if part)

    turned_down = await _turned_down(session, verdict) if deed is Deed.TURN_DOWN else None
    await support.settle(
        session, verdict.about, answer, by=actor.user_id, turned_down=turned_down, now=now
    )


async def _turned_down(session: AsyncSession, verdict: Verdict) -> TurnedDown:
    """As the bell says it; without a title where a reply stands in a topic that is hidden."""
    place = verdict.place
    is_gone = await told.gone(session, {Place(verdict.item.author_id, place)})
    params = verdict.told | ({"title": UNNAMED} if is_gone else {})
    return TurnedDown(
        lambda language: letters.said(Kind.APPEAL_TURNED_DOWN, params, language),
        "" if is_gone else place,
    )


async def record(session: AsyncSession, actor: Actor, verdict: Verdict, *, now: datetime) -> None:
    item = verdict.item
    actions = RECORDED_ON_PROFILE if item.target is Target.PROFILE else RECORDED
    written = [words(_reason_key(verdict.why), "en"), verdict.note]
    await audit.record(
        session,
        actor,
        actions[verdict.deed],
        verdict.about,
        label=_label(item),
        reason=" ".join(part for part in written if part),
        now=now,
    )


def _reason_key(why: Why) -> str:
    return f"forum.desk.reasons.{why}"


def _label(item: Item) -> str:
    """Of its author's own words alone: what a reply answers is another's, and may be forgotten."""
    return f"{item.author}: {item.name}" if item.target is Target.POST else item.author
