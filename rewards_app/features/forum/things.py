"""How a topic or a reply stands, changed together with every figure that depends on it."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.forum import counts
from rewards_app.features.forum.desk_rules import NotThere, Target

SHOWN = "shown"
POSTED = "forum_posted"
"""Announced with the category, when a topic has appeared or is gone."""
CHANGED = "forum_changed"
"""Announced with the topic's id, when it, its replies or its likes are others than before; with
nobody's, when a name in many of them is."""

LOCK_POST: LiteralString = """
select state, author_id, category from forum_posts where id = %(id)s for update
"""
LOCK_REPLY: LiteralString = """
select state, author_id, post_id from forum_replies where id = %(id)s for update
"""
SET_POST: LiteralString = """
update forum_posts set state = %(state)s, state_reason = %(reason)s, state_at = %(now)s
where id = %(id)s returning id
"""
SET_REPLY: LiteralString = """
update forum_replies set state = %(state)s, state_reason = %(reason)s, state_at = %(now)s
where id = %(id)s returning id
"""
COUNT_REPLY: LiteralString = """
update forum_posts set replies_count = replies_count + %(by)s where id = %(id)s returning id
"""


async def set_state(
    session: AsyncSession,
    target: Target,
    thing_id: UUID,
    state: str,
    reason: str,
    *,
    now: datetime,
) -> None:
    """Once for each change: whoever else changes it waits."""
    is_post = target is Target.POST
    found = await rows(session, LOCK_POST if is_post else LOCK_REPLY, {"id": thing_id})
    if not found:
        raise NotThere
    before, author_id, belongs_to = found[0]
    values = {"id": thing_id, "state": state, "reason": reason, "now": now}
    await write(session, SET_POST if is_post else SET_REPLY, values)
    live.announce_after(session, CHANGED, str(thing_id if is_post else belongs_to))
    by = int(state == SHOWN) - int(before == SHOWN)
    if not by:
        return
    if is_post:
        live.announce_after(session, POSTED, belongs_to)
    if is_post:
        changes = {counts.of_category(belongs_to): by}
        await counts.note(session, author_id, posts=by, changes=changes)
    else:
        await write(session, COUNT_REPLY, {"id": belongs_to, "by": by})
        await counts.note(session, author_id, replies=by, changes={})
