"""Replies to a topic: read in their order, written, changed and deleted."""

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, write
from rewards_app.core.ids import id_at
from rewards_app.features.forum import (
    again,
    calls,
    counts,
    desk_rules,
    rules,
    things,
    writing_repository,
)
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.desk_rules import NotThere, Target
from rewards_app.features.forum.drafts import forget_draft
from rewards_app.features.forum.judging import CONTENT, judge, removed_for
from rewards_app.features.forum.reports import DESK
from rewards_app.features.forum.talk import (
    Reply,
    Stretch,
    Written,
    stretch,
    written,
)
from rewards_app.features.forum.things import CHANGED
from rewards_app.features.forum.topics import EDITS_PER_ACCOUNT
from rewards_app.features.moderation.rules import EDITION
from rewards_app.features.support import service as support

A_PAGE = 30


async def replies_to(
    session: AsyncSession,
    actor: Actor,
    post_id: UUID,
    *,
    only_own: bool = False,
    after: UUID | None = None,
    length: int = A_PAGE,
) -> Stretch[Reply]:
    """The oldest first: what is shown, and one's own that wait or are hidden.

    Where the topic is not there any more, `only_own` are read: what was decided on them stands.
    """
    reader, now = actor.user_id, utc_now()
    wanted = partial(
        repository.replies,
        session,
        reader,
        post_id,
        only_own=only_own,
        after=after,
        limit=length + 1,
    )
    found = await wanted()
    if await again.replies_again(session, found, now=now):
        found = await wanted()
    shown = [_as_reply(row, reader, now=now) for row in found]
    return stretch(
        await calls.as_others_open(session, shown, now=now), length, [row.id for row in found]
    )


async def beginning_for(
    session: AsyncSession, actor: Actor, post_id: UUID, reply_id: UUID | None, *, before: int
) -> UUID | None:
    """After which reply a stretch begins that has so many before this one, or before the end.

    None where that is the beginning of the topic.
    """
    wanted = reply_id or repository.LAST
    return await repository.so_many_before(session, actor.user_id, post_id, wanted, count=before)


def _as_reply(row: Any, reader: UUID, *, now: datetime) -> Reply:
    is_own = row.author_id == reader
    can_edit = is_own and rules.is_editable(row.state) and rules.can_edit(row.created_at, now)
    return Reply(
        id=row.id,
        post_id=row.post_id,
        author_id=row.author_id,
        author=row.author,
        handle=row.handle,
        is_public=row.is_public,
        role=row.role,
        content=row.shown_content,
        removed=removed_for(row.violations, CONTENT),
        violations=row.violations,
        state=row.state,
        state_reason=row.state_reason if is_own else "",
        likes=row.likes_count,
        is_liked=row.is_liked,
        is_own=is_own,
        can_edit=can_edit and row.is_topic_open,
        is_edited=row.edited_at is not None,
        created_at=row.created_at,
        written_content=row.content if is_own else "",
    )


async def reply(
    session: AsyncSession,
    actor: Actor,
    post_id: UUID,
    content: str,
    *,
    language: str,
    now: datetime,
) -> Written:
    """Answer an open topic that moderation did not remove; its author and whoever is mentioned are
    told."""
    text = rules.reply_from(content)
    # The topic before its writer: whoever decides on the topic locks in this order, too.
    topic = await _open_topic(session, post_id)
    if topic.content and not topic.shown_content:
        raise NotThere
    writer = await writing_repository.writer_of_replies(session, actor.user_id, now=now)
    rules.refuse_haste(writer, rules.REPLIES, now=now)
    rules.refuse_links(writer, text, now=now)
    judged = judge("", text, language)
    state = "waiting" if judged.needs_person else "shown"
    reply_id = id_at(now)
    await writing_repository.add_reply(
        session,
        reply_id,
        post_id,
        actor.user_id,
        language=language,
        content=text,
        judged=judged,
        edition=EDITION,
        state=state,
        now=now,
    )
    await forget_draft(session, actor.user_id, post_id)
    if state == "shown":
        await write(session, things.COUNT_REPLY, {"id": post_id, "by": 1})
        await counts.note(session, actor.user_id, replies=1, changes={})
        await calls.reply_is_out(
            session,
            actor,
            judged.shown_content,
            topic.author_id,
            post_id=post_id,
            reply_id=reply_id,
            title=topic.shown_title,
            now=now,
        )
        live.announce_after(session, CHANGED, str(post_id))
    else:
        live.announce_after(session, DESK, str(reply_id))
    return written(judged, state, reply_id)


async def _open_topic(session: AsyncSession, post_id: UUID) -> Any:
    topic = await writing_repository.lock_post(session, post_id)
    if topic is None or topic.state != "shown":
        raise NotThere
    if topic.locked_at:
        raise rules.Locked
    return topic


async def edit(
    session: AsyncSession,
    actor: Actor,
    reply_id: UUID,
    content: str,
    *,
    language: str,
    now: datetime,
) -> Written | None:
    """None where it is as it was."""
    text = rules.reply_from(content)
    known = await _own(session, actor, reply_id)
    if not rules.is_editable(known.state):
        raise NotThere
    await _open_topic(session, known.post_id)
    rules.refuse_late_edit(known.created_at, now=now)
    if text == known.content:
        return None
    await limits.spend(EDITS_PER_ACCOUNT, "forum.edit", str(actor.user_id))
    writer = await writing_repository.writer_of_replies(session, actor.user_id, now=now)
    rules.refuse_links(writer, text, now=now)
    judged = judge("", text, language)
    await writing_repository.change_reply(
        session,
        reply_id,
        language=language,
        content=text,
        judged=judged,
        edition=EDITION,
        edited_at=now,
    )
    state = known.state
    if judged.needs_person and state == "shown":
        state = "waiting"
        await things.set_state(session, Target.REPLY, reply_id, state, "", now=now)
        live.announce_after(session, DESK, str(reply_id))
    if state == "shown" and judged.leaves("", text):
        await support.withdraw(session, desk_rules.about(Target.REPLY, reply_id), now=now)
    live.announce_after(session, CHANGED, str(known.post_id))
    return written(judged, state, reply_id)


async def delete(session: AsyncSession, actor: Actor, reply_id: UUID, *, now: datetime) -> None:
    """One's own reply is gone for everybody, words and all; twice is once."""
    known = await _own(session, actor, reply_id)
    if known.state == "deleted":
        return
    await things.set_state(session, Target.REPLY, reply_id, "deleted", "", now=now)
    await writing_repository.empty_reply(session, reply_id)
    await support.withdraw(session, desk_rules.about(Target.REPLY, reply_id), now=now)
    live.announce_after(session, CHANGED, str(known.post_id))
    live.announce_after(session, DESK, str(reply_id))


async def _own(session: AsyncSession, actor: Actor, reply_id: UUID) -> Any:
    known = await writing_repository.lock_reply(session, reply_id)
    if known is None or known.author_id != actor.user_id:
        raise NotThere
    return known
