"""What somebody may not do for now, as they read it themselves, and how they appeal."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.support import rules, service
from rewards_app.features.support.service import Latest

APPEALED = "appealed"
"""Announced with the account's id."""
APPEALS_PER_ACCOUNT = limits.parse("5/hour")
SUBJECTS = {
    Kind.SUSPENDED: "Appeal: the account is suspended",
    Kind.EARNING_PAUSED: "Appeal: earning is paused",
}
"""For those who answer."""


@dataclass(frozen=True, slots=True)
class Held:
    """A restriction in force, and the latest appeal against it."""

    id: UUID
    kind: Kind
    reason: str
    """What an admin wrote, or a key of the catalogue."""
    since: datetime
    appeal: Latest | None


def about(restriction_id: UUID) -> str:
    return f"restriction:{restriction_id}"


async def held(session: AsyncSession, account_id: UUID) -> list[Held]:
    """What holds the account now, the latest first."""
    found = await restrictions.open_of(session, account_id)
    appeals = await service.latest_about(session, account_id, [about(one.id) for one in found])
    return [
        Held(one.id, Kind(one.kind), one.reason, one.begun_at, appeals.get(about(one.id)))
        for one in found
    ]


async def appeal(
    session: AsyncSession, actor: Actor, restriction_id: UUID, message: str, *, now: datetime
) -> int:
    """The ticket's number; while an appeal against the same is open, it is that one."""
    own = {one.id: one for one in await restrictions.open_of(session, actor.user_id)}
    if restriction_id not in own:
        raise rules.NothingToAppeal
    rules.cleaned(message)
    await limits.spend(APPEALS_PER_ACCOUNT, "appeal", str(actor.user_id))
    number = await service.open_ticket(
        session,
        actor.user_id,
        SUBJECTS[Kind(own[restriction_id].kind)],
        message,
        about=about(restriction_id),
        now=now,
    )
    live.announce_after(session, APPEALED, str(actor.user_id))
    return number
