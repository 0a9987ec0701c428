"""What whoever opens /advertiser may see there, and what the frame says of their company."""

from dataclasses import dataclass

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.features.advertiser import membership, money
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.money import Funds
from rewards_app.features.advertiser.rules import Status

NO_COMPANY = "none"
NOTHING = Funds(0, 0)


@dataclass(frozen=True, slots=True)
class Desk:
    """`standing` is a Status, or NO_COMPANY. Admins stand above all companies and have none."""

    standing: str
    company: str = ""
    reason: str = ""
    is_owner: bool = False
    funds: Funds = NOTHING
    follows: str = ""
    """Whose changes concern it; empty for everybody's."""


async def desk_of(session: AsyncSession, actor: Actor) -> Desk:
    if actor.role is Role.ADMIN:
        return Desk(Status.APPROVED)
    known = await membership.membership_of(session, actor.user_id)
    if known is None:
        return Desk(NO_COMPANY, follows=str(actor.user_id))
    is_approved = known.status is Status.APPROVED
    return Desk(
        known.status,
        known.company,
        known.reason,
        known.role is MemberRole.OWNER,
        await money.funds_of(session, known.advertiser_id) if is_approved else NOTHING,
        str(known.advertiser_id),
    )
