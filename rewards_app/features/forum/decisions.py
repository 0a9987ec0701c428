"""What moderators decide on what people wrote: written down, and told to its authors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param
from rewards_app.features.accounts import service as accounts
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.features.forum import (
    calls,
    decision_repository,
    desk_repository,
    desk_rules,
    profiles,
    report_repository,
    things,
    told,
    writing_repository,
)
from rewards_app.features.forum.decision_repository import Decided
from rewards_app.features.forum.desk_repository import Added, Counts, Item
from rewards_app.features.forum.desk_rules import (
    FOR_THE_LOG,
    SETTLES_REPORTS,
    DecidedMeanwhile,
    Deed,
    NotThere,
    OwnThing,
    Target,
    Why,
)
from rewards_app.features.forum.report_repository import Report
from rewards_app.features.forum.reports import DESK
from rewards_app.features.notifications import letters
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import UNNAMED, Kind
from rewards_app.features.support import inbox as support
from rewards_app.features.support.inbox import TurnedDown
from rewards_app.i18n.mail_text import words

__all__ = ["Added", "Case", "Counts", "Decided", "Item", "Report", "Target"]

MOST_IN_QUEUE = 200
MOST_REPORTS, MOST_DECISIONS, MOST_ADDED = 50, 20, 50
A_PAGE = 50

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
class Case:
    """Everything that a decision on one thing asks for."""

    item: Item
    reports: Sequence[Report]
    decisions: Sequence[Decided]
    hidden_before: int
    """How often something of its author was hidden and not shown again."""
    added: Sequence[Added]
    """What its author said in the appeal after it was made."""

    @property
    def newest_report(self) -> UUID | None:
        return self.reports[0].id if self.reports else None


async def queue(session: AsyncSession, kind: str, *, limit: int = A_PAGE) -> list[Item]:
    """What waits for a decision, of one `kind` or of every one: first where somebody may be in
    danger, then what most people reported."""
    return await desk_repository.queue(session, kind, limit=min(limit, MOST_IN_QUEUE))


async def counts(session: AsyncSession) -> Counts:
    return await desk_repository.counts(session)


async def case(session: AsyncSession, target: Target, thing_id: UUID) -> Case:
    item = await _item(session, target, thing_id)
    await _refuse_unasked(session, item)
    return Case(
        item,
        await report_repository.reports_of(session, target, thing_id, limit=MOST_REPORTS),
        await decision_repository.decisions_on(session, target, thing_id, limit=MOST_DECISIONS),
        await decision_repository.hidden_before(session, item.author_id),
        await _added_to_appeal(session, item),
    )


async def _refuse_unasked(session: AsyncSession, item: Item) -> None:
    """What somebody shows to nobody any more no moderator reads either, whatever was reported."""
    if item.target is not Target.PROFILE or item.is_asked_about:
        return
    if not await profiles.may_be_opened(session, item.id, now=utc_now()):
        raise NotThere


async def _added_to_appeal(session: AsyncSession, item: Item) -> Sequence[Added]:
    if not item.appeal_number:
        return []
    return await desk_repository.added_to(session, item.appeal_number, limit=MOST_ADDED)


async def _item(session: AsyncSession, target: Target, thing_id: UUID) -> Item:
    found = await desk_repository.find(session, target, thing_id)
    if found is None:
        raise NotThere
    return found


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at before deciding."""

    target: Target
    id: UUID
    version: str
    newest_report: UUID | None = None


async def decide(
    session: AsyncSession,
    actor: Actor,
    seen: Seen,
    deed: Deed,
    reason: str,
    note: str,
    *,
    now: datetime,
) -> Item:
    """Do it, once: of two who decide at once the second is told. The thing as it was before."""
    why = desk_rules.why_from(deed, reason)
    said = desk_rules.note_from(note)
    await desk_repository.lock(session, seen.target, seen.id)
    await desk_repository.lock_appeal(session, seen.target, seen.id)
    item = await _item(session, seen.target, seen.id)
    if item.author_id == actor.user_id:
        raise OwnThing
    if item.version != seen.version or deed not in desk_rules.deeds_for(item.standing):
        raise DecidedMeanwhile
    kept = desk_rules.kept(why, said)
    await _do(session, item, deed, kept, now=now)
    await _settle_reports(session, item, seen, deed, now=now)
    await _settle_appeal(session, actor, item, deed, why, said, now=now)
    await decision_repository.add_decision(
        session, item.target, item.id, action=deed.value, reason=kept, by=actor.user_id, now=now
    )
    await _tell(session, item, deed, why, said, now=now)
    await _record(session, actor, item, deed, why, said, now=now)
    live.announce_after(session, DESK, str(item.id))
    is_profile = item.target is Target.PROFILE
    changed = profiles.CHANGED if is_profile else things.CHANGED
    live.announce_after(session, changed, str(item.post_id))
    return item


async def _do(session: AsyncSession, item: Item, deed: Deed, kept: str, *, now: datetime) -> None:
    if item.target is Target.PROFILE:
        await _do_on_profile(session, item, deed, now=now)
        return
    match deed:
        case Deed.HIDE:
            await _set_state(session, item, "hidden", kept, now=now)
        case Deed.RESTORE:
            await _set_state(session, item, "shown", "", now=now)
            await _call_its_people(session, item, now=now)
        case Deed.AS_WRITTEN:
            await decision_repository.show_as_written(session, item.target, item.id)
            await _set_state(session, item, "shown", "", now=now)
            as_written = replace(item, shown_title=item.title, shown_content=item.content)
            await _call_its_people(session, as_written, now=now)
        case Deed.LOCK | Deed.UNLOCK:
            at = now if deed is Deed.LOCK else None
            await decision_repository.set_locked(session, item.id, at)
        case Deed.MARK_HOT | Deed.UNMARK_HOT:
            await decision_repository.set_hot(session, item.id, deed is Deed.MARK_HOT)
        case Deed.DISMISS | Deed.TURN_DOWN | Deed.RENAME:
            pass


async def _do_on_profile(session: AsyncSession, item: Item, deed: Deed, *, now: datetime) -> None:
    """Its words stay as they were written: an appeal can bring them back."""
    if deed is Deed.HIDE:
        await profiles.hide(session, item.id, now=now)
    elif deed is Deed.RESTORE:
        await profiles.show(session, item.id)
    elif deed is Deed.RENAME:
        await accounts.replace_name(session, item.id)
        await profiles.note_said(session, item.id, now=now)


async def _call_its_people(session: AsyncSession, item: Item, *, now: datetime) -> None:
    """What waited has called nobody yet; whom it called before hears of it once. A reply calls
    nobody into a topic that they cannot read."""
    author = _Author(item.author_id, item.author)
    if item.target is Target.POST:
        text = f"{item.shown_title}\n{item.shown_content}"
        await calls.mention(
            session, author, text, post_id=item.post_id, title=item.shown_title, now=now
        )
        return
    topic = await writing_repository.lock_post(session, item.post_id)
    assert topic is not None, "a reply goes with its topic"
    if topic.state != things.SHOWN:
        return
    await calls.reply_is_out(
        session,
        author,
        item.shown_content,
        topic.author_id,
        post_id=item.post_id,
        reply_id=item.id,
        title=item.topic,
        now=now,
    )


@dataclass(frozen=True, slots=True)
class _Author:
    """Whose words are shown again: whoever is told hears of them, not of the moderator."""

    user_id: UUID
    name: str


async def _set_state(
    session: AsyncSession, item: Item, state: str, reason: str, *, now: datetime
) -> None:
    if item.state != state or reason:
        await things.set_state(session, item.target, item.id, state, reason, now=now)


async def _settle_reports(
    session: AsyncSession, item: Item, seen: Seen, deed: Deed, *, now: datetime
) -> None:
    if deed in SETTLES_REPORTS:
        await report_repository.settle_reports(
            session, item.target, item.id, up_to=seen.newest_report, now=now
        )


async def _settle_appeal(
    session: AsyncSession,
    actor: Actor,
    item: Item,
    deed: Deed,
    why: Why,
    note: str,
    *,
    now: datetime,
) -> None:
    """The ticket says how it ended; that it was turned down comes by mail whatever is chosen."""
    if not (item.appeal_number and desk_rules.settles_appeal(deed, item.standing)):
        return

    def answer(language: str) -> str:
        decided = words(f"forum.desk.decided.{deed}", language)
        said = [decided, words(f"forum.desk.reasons.{why}", language), note]
        return "\n".join(part for part in said if part)

    about = desk_rules.about(item.target, item.id)
    turned_down = None
    if deed is Deed.TURN_DOWN:
        turned_down = await _turned_down(session, item, why, note)
    await support.settle(session, about, answer, by=actor.user_id, turned_down=turned_down, now=now)


async def _turned_down(session: AsyncSession, item: Item, why: Why, note: str) -> TurnedDown:
    """As the bell says it; without a title where a reply stands in a topic that is hidden."""
    place = _place_of(item)
    is_gone = await told.gone(session, {Place(item.author_id, place)})
    params = _told_of(item, why, note) | ({"title": UNNAMED} if is_gone else {})
    return TurnedDown(
        lambda language: letters.said(Kind.APPEAL_TURNED_DOWN, params, language),
        "" if is_gone else place,
    )


async def _tell(
    session: AsyncSession, item: Item, deed: Deed, why: Why, note: str, *, now: datetime
) -> None:
    if deed in FOR_THE_LOG:
        return
    kind = HIDDEN[item.target] if deed is Deed.HIDE else TELLS[deed]
    await notifications.tell(
        session,
        item.author_id,
        kind,
        link=_place_of(item),
        cause=f"{deed}:{item.target}:{item.id}:{now.isoformat()}",
        now=now,
        **_told_of(item, why, note) | _new_name(item, deed),
    )


def _new_name(item: Item, deed: Deed) -> dict[str, Param]:
    return {"title": item.next_name} if deed is Deed.RENAME else {}


def _place_of(item: Item) -> str:
    if item.target is Target.PROFILE:
        return desk_rules.OWN_PROFILE
    return calls.place_of(item.post_id, item.id if item.target is Target.REPLY else None)


def _told_of(item: Item, why: Why, note: str) -> dict[str, Param]:
    """What the words of a decision take."""
    title: Param = ["nav.profile"] if item.target is Target.PROFILE else item.name
    return {"title": title, "reason": [f"forum.desk.reasons.{why}"], "note": note}


async def _record(
    session: AsyncSession,
    actor: Actor,
    item: Item,
    deed: Deed,
    why: Why,
    note: str,
    *,
    now: datetime,
) -> None:
    written = [words(f"forum.desk.reasons.{why}", "en"), note]
    await audit.record(
        session,
        actor,
        (RECORDED_ON_PROFILE if item.target is Target.PROFILE else RECORDED)[deed],
        desk_rules.about(item.target, item.id),
        label=_label(item),
        reason=" ".join(part for part in written if part),
        now=now,
    )


def _label(item: Item) -> str:
    """Of its author's own words alone: what a reply answers is another's, and may be forgotten."""
    return f"{item.author}: {item.name}" if item.target is Target.POST else item.author


@dataclass(frozen=True, slots=True)
class Log:
    """A stretch of the log of moderation, newest first; `next_before` leads to the older rest."""

    shown: Sequence[Decided]
    next_before: UUID | None


async def log(
    session: AsyncSession, *, handle: str = "", action: str = "", before: UUID | None = None
) -> Log:
    wanted = handle.strip().removeprefix("@").lower()
    if action:
        desk_rules.deed_from(action)
    found = await decision_repository.log(
        session, handle=wanted, action=action, before=before, limit=A_PAGE + 1
    )
    shown = found[:A_PAGE]
    return Log(shown, shown[-1].id if len(found) > A_PAGE else None)
