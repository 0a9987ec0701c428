"""The case of one account: who it is, where it stands, and all evidence in the order of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.accounts.devices import device_of
from rewards_app.features.ads import standings
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Balance
from rewards_app.features.fraud import case_rules
from rewards_app.features.fraud import cases_repository as repository
from rewards_app.features.fraud.case_rules import Source
from rewards_app.features.fraud.cases_repository import Event, Holding, Person, View
from rewards_app.features.fraud.measure_rules import UnknownAccount
from rewards_app.features.signals import policy
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Policy, Rule, risk_of_counts

__all__ = ["Case", "Event", "Holding", "Person", "TimeLine", "View"]


A_PAGE = 25
MOST_VIEWS_OF_HOUR = 200
CREDITED_AT_ONCE = 500
LATEST = (datetime.max.replace(tzinfo=UTC), "")
"""Before this comes everything."""


@dataclass(frozen=True, slots=True)
class Case:
    """What stands above the evidence."""

    person: Person
    balance: Balance
    ads_today: int
    risk: int
    """What the signals that count add up to, by the weights in force."""
    signals: int
    holding: Sequence[Holding]


async def case(session: AsyncSession, actor: Actor, account_id: UUID, *, now: datetime) -> Case:
    _refuse_others(actor)
    person = await repository.person(session, account_id)
    if person is None:
        raise UnknownAccount
    counted = await signals.counted_at(session, account_id, now)
    standing = await standings.standing(account_id, now=now)
    return Case(
        person=person,
        balance=await coins.balance_of(account_id),
        ads_today=standing.ads_today,
        risk=risk_of_counts(counted, await policy.current(session)),
        signals=sum(counted.values()),
        holding=await repository.holding(session, account_id),
    )


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A stretch of it, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Event]
    next_before: tuple[datetime, str] | None


async def time_line(
    session: AsyncSession,
    actor: Actor,
    account_id: UUID,
    *,
    source: Source | None = None,
    before: tuple[datetime, str] | None = None,
) -> TimeLine:
    """What happened, of one source or of all of them."""
    _refuse_others(actor)
    found = await repository.time_line(
        session,
        account_id,
        [source] if source else list(Source),
        before=before or LATEST,
        limit=A_PAGE + 1,
    )
    weights = await policy.current(session)
    shown = [_told(event, weights) for event in found[:A_PAGE]]
    last = shown[-1] if len(found) > A_PAGE else None
    return TimeLine(shown, (last.at, last.key) if last else None)


def _told(event: Event, weights: Policy) -> Event:
    """With what its reader needs to judge it: a rule's weight, a browser's name."""
    told = dict(event.told)
    if event.what == "signal":
        told |= _weight(told["rule"], weights)
    if agent := told.pop("agent", ""):
        device = device_of(agent)
        told |= {"browser": device.browser, "system": device.system}
    return Event(event.at, event.key, event.what, told)


def _weight(rule: str, weights: Policy) -> dict[str, int]:
    if rule not in set(Rule):
        return {"first": 0, "each_more": 0}
    weight = weights[Rule(rule)]
    return {"first": weight.first, "each_more": weight.each_more}


async def views_of_hour(
    session: AsyncSession, actor: Actor, account_id: UUID, hour: datetime
) -> Sequence[View]:
    """Each view that began within that hour, the newest first."""
    _refuse_others(actor)
    return await repository.views_of_hour(session, account_id, hour, limit=MOST_VIEWS_OF_HOUR)


@dataclass(frozen=True, slots=True)
class Creditable:
    """What companies paid for the account's rewarded views of a span, and have not got back."""

    views: int
    parts: int
    """In thousandths of a cent."""


async def creditable(
    session: AsyncSession, actor: Actor, account_id: UUID, span: str, *, now: datetime
) -> Creditable:
    _refuse_others(actor)
    since = now - case_rules.SPANS[span]
    return Creditable(*await repository.creditable(session, account_id, since))


async def creditable_views(
    session: AsyncSession, actor: Actor, account_id: UUID, span: str, *, now: datetime
) -> Sequence[UUID]:
    """The oldest first, so many as are credited at once."""
    _refuse_others(actor)
    since = now - case_rules.SPANS[span]
    return await repository.creditable_views(session, account_id, since, limit=CREDITED_AT_ONCE)


async def own_view(session: AsyncSession, actor: Actor, account_id: UUID, view_id: UUID) -> None:
    """Refuse a view that is another account's."""
    _refuse_others(actor)
    if not await repository.is_view_of(session, account_id, view_id):
        raise case_rules.UnknownView


def _refuse_others(actor: Actor) -> None:
    if actor.role is not Role.ADMIN:
        raise NotAllowed
