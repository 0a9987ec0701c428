"""Topics: the newest of them, one as it is read, and posting, changing, deleting one's own."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_at
from rewards_app.features.forum import (
    again,
    calls,
    counts,
    decision_repository,
    desk_rules,
    rules,
    things,
    writing_repository,
)
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.desk_rules import NotThere, Target
from rewards_app.features.forum.drafts import forget_draft
from rewards_app.features.forum.judging import CONTENT, TITLE, judge, removed_for
from rewards_app.features.forum.reports import DESK
from rewards_app.features.forum.talk import Listed, Post, Stretch, Written, stretch, written
from rewards_app.features.forum.things import CHANGED, POSTED
from rewards_app.features.moderation.rules import EDITION
from rewards_app.features.support import service as support

__all__ = ["CHANGED", "POSTED"]

A_PAGE = 20
EDITS_PER_ACCOUNT = limits.parse("60/hour")


async def latest(
    session: AsyncSession,
    actor: Actor,
    *,
    category: str = "",
    before: UUID | None = None,
    length: int = A_PAGE,
) -> Stretch[Post]:
    """The newest first; older ones come before `before`."""
    reader, now = actor.user_id, utc_now()
    wanted = partial(
        repository.newest, session, reader, category=category, before=before, limit=length + 1
    )
    found = await wanted()
    if await again.posts_again(session, found, now=now):
        found = await wanted()
    posts = await calls.as_others_open(
        session, [as_post(row, reader, now=now) for row in found], now=now
    )
    return stretch(posts, length, [row.id for row in found])


async def still_shown(
    session: AsyncSession, actor: Actor, ids: Sequence[UUID], *, now: datetime
) -> list[Post]:
    """Those of these topics that are shown, as they are by now; the newest first."""
    reader = actor.user_id
    found = await repository.these(session, reader, ids)
    if await again.posts_again(session, found, now=now):
        found = await repository.these(session, reader, ids)
    posts = [as_post(row, reader, now=now) for row in found if row.state == "shown"]
    return await calls.as_others_open(session, posts, now=now)


async def news(session: AsyncSession, listed: Listed, *, category: str = "") -> int:
    """How many topics would be listed beside these by now, counted up to a hundred: new ones, and
    older ones that a moderator has let through."""
    return await repository.news(session, listed, category=category)


async def topic(session: AsyncSession, actor: Actor, post_id: UUID) -> Post:
    """What is shown, and one's own in whichever state; of anything else there is none."""
    reader, now = actor.user_id, utc_now()
    row = await repository.post(session, reader, post_id)
    if row and await again.posts_again(session, [row], now=now):
        row = await repository.post(session, reader, post_id)
    if row is None or row.state == "deleted":
        raise NotThere
    if row.state != "shown" and row.author_id != reader:
        raise NotThere
    [found] = await calls.as_others_open(session, [as_post(row, reader, now=now)], now=now)
    if found.is_own and found.is_locked:
        return replace(found, lock_reason=await decision_repository.lock_reason(session, post_id))
    return found


def as_post(row: Any, reader: UUID, *, now: datetime) -> Post:
    is_own = row.author_id == reader
    can_edit = is_own and rules.is_editable(row.state) and rules.can_edit(row.created_at, now)
    return Post(
        id=row.id,
        author_id=row.author_id,
        author=row.author,
        handle=row.handle,
        is_public=row.is_public,
        role=row.role,
        category=row.category,
        title=row.shown_title,
        content=row.shown_content,
        removed=removed_for(row.violations, CONTENT),
        removed_title=removed_for(row.violations, TITLE),
        violations=row.violations,
        state=row.state,
        state_reason=row.state_reason if is_own else "",
        is_hot=rules.is_hot(row.is_hot, row.likes_count),
        is_locked=row.locked_at is not None,
        replies=row.replies_count,
        likes=row.likes_count,
        is_liked=row.is_liked,
        is_own=is_own,
        can_edit=can_edit and row.locked_at is None,
        is_edited=row.edited_at is not None,
        created_at=row.created_at,
        written_title=row.title if is_own else "",
        written_content=row.content if is_own else "",
    )


async def post(
    session: AsyncSession,
    actor: Actor,
    category: str,
    title: str,
    content: str,
    *,
    language: str,
    now: datetime,
) -> Written:
    """A new topic, moderated before anybody else sees it; the draft of it is done with."""
    new = rules.topic_from(category, title, content)
    writer = await writing_repository.writer_of_topics(session, actor.user_id, now=now)
    rules.refuse_haste(writer, rules.TOPICS, now=now)
    rules.refuse_links(writer, f"{new.title} {new.content}", now=now)
    judged = judge(new.title, new.content, language)
    state = "waiting" if judged.needs_person else "shown"
    post_id = id_at(now)
    await writing_repository.add_post(
        session,
        post_id,
        actor.user_id,
        category=new.category,
        language=language,
        title=new.title,
        content=new.content,
        judged=judged,
        edition=EDITION,
        state=state,
        now=now,
    )
    await forget_draft(session, actor.user_id, None)
    if state == "shown":
        changes = {counts.of_category(new.category): 1}
        await counts.note(session, actor.user_id, posts=1, changes=changes)
        await _call(session, actor, post_id, judged.shown_title, judged.shown_content, now=now)
        live.announce_after(session, POSTED, new.category)
    else:
        live.announce_after(session, DESK, str(post_id))
    return written(judged, state, post_id)


async def _call(
    session: AsyncSession, actor: Actor, post_id: UUID, title: str, content: str, *, now: datetime
) -> None:
    text = f"{title}\n{content}"
    await calls.mention(session, actor, text, post_id=post_id, title=title, now=now)


async def edit(
    session: AsyncSession,
    actor: Actor,
    post_id: UUID,
    title: str,
    content: str,
    *,
    language: str,
    now: datetime,
) -> Written | None:
    """Change one's own topic while it is fresh; it is moderated as a new one is, and calls nobody:
    else one topic could call everybody, five at a time. An appeal ends where its words are shown as
    they are now. None where it is as it was."""
    known = await _own(session, actor, post_id)
    if not rules.is_editable(known.state):
        raise NotThere
    if known.locked_at:
        raise rules.Locked
    rules.refuse_late_edit(known.created_at, now=now)
    new = rules.topic_from(known.category, title, content)
    if (new.title, new.content) == (known.title, known.content):
        return None
    await limits.spend(EDITS_PER_ACCOUNT, "forum.edit", str(actor.user_id))
    writer = await writing_repository.writer_of_topics(session, actor.user_id, now=now)
    rules.refuse_links(writer, f"{new.title} {new.content}", now=now)
    judged = judge(new.title, new.content, language)
    await writing_repository.change_post(
        session,
        post_id,
        language=language,
        title=new.title,
        content=new.content,
        judged=judged,
        edition=EDITION,
        edited_at=now,
    )
    state = known.state
    if judged.needs_person and state == "shown":
        state = "waiting"
        await things.set_state(session, Target.POST, post_id, state, "", now=now)
        live.announce_after(session, DESK, str(post_id))
    if state == "shown" and judged.leaves(new.title, new.content):
        await support.withdraw(session, desk_rules.about(Target.POST, post_id), now=now)
    live.announce_after(session, CHANGED, str(post_id))
    return written(judged, state, post_id)


async def delete(session: AsyncSession, actor: Actor, post_id: UUID, *, now: datetime) -> None:
    """One's own topic is gone for everybody, words and all, at any time; twice is once."""
    known = await _own(session, actor, post_id)
    if known.state == "deleted":
        return
    await things.set_state(session, Target.POST, post_id, "deleted", "", now=now)
    await writing_repository.empty_post(session, post_id)
    await support.withdraw(session, desk_rules.about(Target.POST, post_id), now=now)
    live.announce_after(session, CHANGED, str(post_id))
    live.announce_after(session, DESK, str(post_id))


async def _own(session: AsyncSession, actor: Actor, post_id: UUID) -> Any:
    known = await writing_repository.lock_post(session, post_id)
    if known is None or known.author_id != actor.user_id:
        raise NotThere
    return known
