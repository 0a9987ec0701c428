"""What the rules weigh now, and changing that: by an admin, with a reason, written down."""

from datetime import datetime

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.features.signals import repository, rules
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, Weight

CHANGED = "fraud_weights_changed"
ABOUT = "fraud:weights"


async def current(session: AsyncSession) -> Policy:
    return DEFAULT.with_weights(await repository.changed_weights(session))


async def change(
    session: AsyncSession,
    actor: Actor,
    wanted: Policy,
    *,
    seen: Policy,
    reason: str,
    now: datetime,
) -> list[Rule]:
    """From now on the rules weigh this; which of them did not before.

    `seen` is what they weighed when it was decided. Signals that were noted keep their risk.
    """
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    await repository.lock_weights(session)
    before = await current(session)
    if before.different_from(seen):
        raise rules.WeightsChangedMeanwhile
    changed = wanted.different_from(before)
    if not changed:
        raise rules.NothingChanged
    for rule in changed:
        await repository.keep_weight(session, rule, wanted[rule], now=now)
    as_written = set(Rule) - set(wanted.different_from(DEFAULT))
    await repository.forget_weights(session, as_written)
    await audit.record(
        session,
        actor,
        Action.WEIGHTS_CHANGED,
        ABOUT,
        before={rule.value: written(before[rule]) for rule in changed},
        after={rule.value: written(wanted[rule]) for rule in changed},
        reason=reason,
        now=now,
    )
    live.announce_after(session, CHANGED)
    return changed


def written(weight: Weight) -> str:
    """As the audit log keeps it: the first one, and each further one."""
    return f"{weight.first} + {weight.each_more}"
