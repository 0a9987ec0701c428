"""Saying that something breaks the rules: once for each person and its words."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import desk_repository, desk_rules, profiles, report_repository
from rewards_app.features.forum.desk_rules import (
    NotThere,
    OwnThing,
    ReportDecided,
    ReportedBefore,
    Target,
)

DESK = "forum_desk"
"""Announced when something begins or ends to wait for moderators."""
REPORTS_PER_ACCOUNT = limits.parse("20/hour")


async def report(
    session: AsyncSession,
    actor: Actor,
    target: Target,
    thing_id: UUID,
    reason: str,
    text: str,
    *,
    now: datetime,
) -> None:
    """What others read can be reported by whoever did not write it; nothing is hidden by that."""
    known, said = desk_rules.report_reason_from(reason, text)
    if await _author_of(session, target, thing_id, now=now) == actor.user_id:
        raise OwnThing
    await limits.spend(REPORTS_PER_ACCOUNT, "forum.report", str(actor.user_id))
    is_new = await report_repository.add_report(
        session, target, thing_id, actor.user_id, reason=known.value, text=said, now=now
    )
    if not is_new:
        is_settled = await report_repository.is_settled(session, target, thing_id, actor.user_id)
        raise ReportDecided if is_settled else ReportedBefore
    live.announce_after(session, DESK, str(thing_id))


async def _author_of(
    session: AsyncSession, target: Target, thing_id: UUID, *, now: datetime
) -> UUID:
    if target is Target.PROFILE:
        if not await profiles.may_be_opened(session, thing_id, now=now):
            raise NotThere
        return thing_id
    thing = await desk_repository.find(session, target, thing_id)
    if thing is None or thing.state != "shown":
        raise NotThere
    return thing.author_id
