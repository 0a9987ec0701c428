"""What moderators decide on what people wrote: done, written down, and told to its authors."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import service as accounts
from rewards_app.features.forum import (
    calls,
    casebook,
    decision_repository,
    desk_repository,
    desk_rules,
    profiles,
    report_repository,
    things,
    verdicts,
    writing_repository,
)
from rewards_app.features.forum.desk_repository import Item
from rewards_app.features.forum.desk_rules import (
    SETTLES_REPORTS,
    DecidedMeanwhile,
    Deed,
    OwnThing,
    Target,
)
from rewards_app.features.forum.reports import DESK
from rewards_app.features.forum.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at before deciding."""

    target: Target
    id: UUID
    version: str
    reports: Collection[UUID] = ()
    """Those that were open."""


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
    item = await casebook.item_of(session, seen.target, seen.id)
    if item.author_id == actor.user_id:
        raise OwnThing
    if item.version != seen.version or deed not in desk_rules.deeds_for(item.standing):
        raise DecidedMeanwhile
    kept, verdict = desk_rules.kept(why, said), Verdict(item, deed, why, said)
    await _do(session, item, deed, kept, now=now)
    if deed in SETTLES_REPORTS:
        await report_repository.settle(session, seen.reports, now=now)
    await verdicts.settle_appeal(session, actor, verdict, now=now)
    await decision_repository.add_decision(
        session, item.target, item.id, action=deed.value, reason=kept, by=actor.user_id, now=now
    )
    await verdicts.tell(session, verdict, now=now)
    await verdicts.record(session, actor, verdict, now=now)
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
        await accounts.replace_name(session, item.id, now=now)
        await profiles.note_said(session, item.id, now=now)
        # The name stands in any topic.
        live.announce_after(session, things.CHANGED, live.EVERYBODYS)


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
