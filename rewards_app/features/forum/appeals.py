"""What authors say against a decision on their topics, replies and profiles."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import decision_repository, desk_repository, desk_rules, rules
from rewards_app.features.forum.desk_repository import Item
from rewards_app.features.forum.desk_rules import AppealedBefore, NothingToAppeal, Target
from rewards_app.features.forum.reports import DESK
from rewards_app.features.support import rules as support_rules
from rewards_app.features.support import service as support

APPEALS_PER_ACCOUNT = limits.parse("5/hour")
SUBJECTS = {
    Target.POST: "Appeal: a forum topic",
    Target.REPLY: "Appeal: a forum reply",
    Target.PROFILE: "Appeal: a profile",
}
"""For those who answer."""


@dataclass(frozen=True, slots=True)
class Right:
    """Whether an author may appeal now, and the appeal that waits."""

    can_appeal: bool
    open_number: int | None
    can_change: bool
    """The text, which is judged anew then."""


async def right_of(
    session: AsyncSession, actor: Actor, target: Target, thing_id: UUID, *, now: datetime
) -> Right:
    return await _right(session, actor, await _own(session, actor, target, thing_id), now=now)


async def appeal(
    session: AsyncSession,
    actor: Actor,
    target: Target,
    thing_id: UUID,
    message: str,
    *,
    now: datetime,
) -> int:
    """The ticket's number; while one is open it is that one."""
    # Its author may be deleting it in another tab.
    await desk_repository.lock(session, target, thing_id)
    item = await _own(session, actor, target, thing_id)
    support_rules.cleaned(message, least=support_rules.SHORTEST_APPEAL, field="message")
    right = await _right(session, actor, item, now=now)
    if right.open_number:
        return right.open_number
    if not right.can_appeal:
        raise AppealedBefore
    await limits.spend(APPEALS_PER_ACCOUNT, "forum.appeal", str(actor.user_id))
    number = await support.open_ticket(
        session,
        actor.user_id,
        SUBJECTS[target],
        message,
        about=desk_rules.about(target, thing_id),
        now=now,
    )
    live.announce_after(session, DESK, str(thing_id))
    return number


async def _own(session: AsyncSession, actor: Actor, target: Target, thing_id: UUID) -> Item:
    item = await desk_repository.find(session, target, thing_id)
    if item is None or item.author_id != actor.user_id:
        raise NothingToAppeal
    if item.state not in ("shown", "hidden") or item.standing.is_whole:
        raise NothingToAppeal
    return item


async def _right(session: AsyncSession, actor: Actor, item: Item, *, now: datetime) -> Right:
    can_change = _can_change(item, now)
    about = desk_rules.about(item.target, item.id)
    latest = (await support.latest_about(session, actor.user_id, [about])).get(about)
    if latest and latest.status != "closed":
        return Right(can_appeal=False, open_number=latest.number, can_change=can_change)
    decided_at = await decision_repository.decided_at(session, item.target, item.id)
    # What is hidden of a profile stays so while other words of it are changed.
    judged_at = None if item.target is Target.PROFILE else item.edited_at
    since = max(filter(None, (item.created_at, judged_at, decided_at)))
    can_appeal = latest is None or latest.created_at < since
    return Right(can_appeal=can_appeal, open_number=None, can_change=can_change)


def _can_change(item: Item, now: datetime) -> bool:
    if item.target is Target.PROFILE:
        return True
    is_closed = item.is_topic_gone or item.locked_at is not None
    return not is_closed and rules.is_editable(item.state) and rules.can_edit(item.created_at, now)
