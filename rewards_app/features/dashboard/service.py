"""What a person's home shows of their own account, and what an admin's shows of all."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import service as accounts

NEWCOMERS_WITHIN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class OwnAccount:
    username: str
    email: str
    member_since: datetime
    signed_in_at: datetime
    open_sessions: int


@dataclass(frozen=True, slots=True)
class Census:
    """How many there are, counted when asked."""

    players: int
    companies: int
    staff: int
    newcomers: int
    open_sessions: int


async def own_account(session: AsyncSession, actor: Actor, *, now: datetime) -> OwnAccount:
    account = await accounts.find(session, actor.user_id)
    assert account is not None, "an actor has an account"
    return OwnAccount(
        username=account.username,
        email=account.email,
        member_since=account.created_at,
        signed_in_at=actor.signed_in_at,
        open_sessions=await accounts.open_sessions(session, now=now, account_id=account.id),
    )


async def census(session: AsyncSession, *, now: datetime) -> Census:
    counts = await accounts.count_by_role(session)
    return Census(
        players=counts.get(Role.PLAYER, 0),
        companies=counts.get(Role.COMPANY, 0),
        staff=counts.get(Role.MODERATOR, 0) + counts.get(Role.ADMIN, 0),
        newcomers=await accounts.sign_ups_since(session, now - NEWCOMERS_WITHIN),
        open_sessions=await accounts.open_sessions(session, now=now),
    )
