"""A player's first steps: what is done, what comes next, and when they are put aside."""

from dataclasses import dataclass
from datetime import datetime

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import first_steps
from rewards_app.features.accounts.first_steps import Start
from rewards_app.features.coins import service as coins
from rewards_app.features.dashboard import start_rules
from rewards_app.features.dashboard.start_rules import Facts, Step


@dataclass(frozen=True, slots=True)
class FirstSteps:
    done: frozenset[Step]
    balance: int

    @property
    def next(self) -> Step | None:
        return start_rules.next_step(self.done)


async def opened(session: AsyncSession, actor: Actor, *, now: datetime) -> FirstSteps | None:
    """What a home shows that is opened now; None once the steps are put aside.

    Steps that are all done are shown this once: whoever sees their end has put them aside. Who was
    done before they saw the first one, as accounts are that are older than the steps, sees nothing.
    """
    start = await first_steps.start_of(session, actor.user_id)
    if start.is_left:
        return None
    balance = await coins.balance_of(actor.user_id)
    facts = Facts(
        is_verified=start.is_verified,
        ads_watched=balance.ads,
        earned=balance.total,
        has_spent=await coins.has_spent(session, actor.user_id),
    )
    steps = FirstSteps(start_rules.steps_done(facts), balance.balance)
    if steps.next is not None:
        await _begin(session, actor, start, now=now)
        return steps
    await put_aside(session, actor, now=now)
    return steps if start.has_begun else None


async def _begin(session: AsyncSession, actor: Actor, start: Start, *, now: datetime) -> None:
    if not start.has_begun:
        await first_steps.begin(session, actor.user_id, now=now)


async def put_aside(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    await first_steps.leave(session, actor.user_id, now=now)
