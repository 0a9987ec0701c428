"""What waits at the moderators' desk, all that is known of one thing, and what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import (
    decision_repository,
    desk_repository,
    desk_rules,
    profiles,
    report_repository,
)
from rewards_app.features.forum.decision_repository import Decided
from rewards_app.features.forum.desk_repository import Added, Counts, Item
from rewards_app.features.forum.desk_rules import NotThere, Target
from rewards_app.features.forum.report_repository import Report

__all__ = ["Added", "Case", "Counts", "Decided", "Item", "Report"]

MOST_IN_QUEUE = 200
MOST_REPORTS, MOST_DECISIONS, MOST_ADDED = 50, 20, 50
A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a decision on one thing asks for."""

    item: Item
    reports: Sequence[Report]
    """The newest of those that are open."""
    read: Sequence[UUID]
    """All that are open, the newest first: a decision settles these."""
    decisions: Sequence[Decided]
    hidden_before: int
    """How often something of its author was hidden and not shown again."""
    added: Sequence[Added]
    """What its author said in the appeal after it was made."""


async def queue(session: AsyncSession, kind: str, *, limit: int = A_PAGE) -> list[Item]:
    """What waits for a decision, of one `kind` or of every one: first where somebody may be in
    danger, then what most people reported."""
    return await desk_repository.queue(session, kind, limit=min(limit, MOST_IN_QUEUE))


async def counts(session: AsyncSession) -> Counts:
    return await desk_repository.counts(session)


async def case(session: AsyncSession, target: Target, thing_id: UUID) -> Case:
    item = await item_of(session, target, thing_id)
    await _refuse_unasked(session, item)
    read = await report_repository.open_reports(session, target, thing_id)
    return Case(
        item,
        await report_repository.said_in(session, read[:MOST_REPORTS]),
        read,
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


async def item_of(session: AsyncSession, target: Target, thing_id: UUID) -> Item:
    found = await desk_repository.find(session, target, thing_id)
    if found is None:
        raise NotThere
    return found


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
