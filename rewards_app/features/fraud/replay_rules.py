"""Going through what was noticed with other weights, and comparing with what happened. Pure.

The same rules decide as when it was noticed: unchanged weights lead to what happened.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from rewards_app.features.fraud.rules import PROVING, Consequence, consequence_of, proofs_in
from rewards_app.features.signals.rules import Policy, Rule, counts_for, risk_of_counts

LISTED = 100
SEVERITY = (Consequence.NONE, Consequence.EARNING_PAUSED, Consequence.ACCOUNT_SUSPENDED)


class Noticed(NamedTuple):
    at: datetime
    rule: Rule
    session: str
    """Which one was replayed or forged."""


class Begun(NamedTuple):
    """A restriction that no weights change: a person's, or one that automation began before."""

    at: datetime
    what: Consequence


class Lifted(NamedTuple):
    """A person ended a restriction: what was noticed before counts no more."""

    at: datetime
    what: Consequence


Event = Noticed | Begun | Lifted


class Stopped(NamedTuple):
    """A stretch in which an account earns nothing, up to where a person lifted the last of it."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """What an account is stopped for: the hardest consequence, and since when it is stopped."""

    consequence: Consequence
    at: datetime
    risk: int = 0
    patterns: tuple[str, ...] = ()
    stopped: tuple[Stopped, ...] = ()

    def holds(self, at: datetime) -> bool:
        return any(since < at and (until is None or at < until) for since, until in self.stopped)


@dataclass(slots=True)
class LastDay:
    """The signals of one account that count, as they come and go."""

    noticed: dict[timedelta, deque[Noticed]] = field(
        default_factory=dict[timedelta, deque[Noticed]]
    )
    """By how long they count, oldest first."""
    counted: Counter[Rule] = field(default_factory=Counter[Rule])
    calls: Counter[tuple[Rule, str]] = field(default_factory=Counter[tuple[Rule, str]])
    proofs: Counter[Rule] = field(default_factory=Counter[Rule])

    def add(self, one: Noticed) -> None:
        for length, noticed in self.noticed.items():
            while noticed and noticed[0].at < one.at - length:
                self._count(noticed.popleft(), -1)
        self.noticed.setdefault(counts_for(one.rule), deque()).append(one)
        self._count(one, 1)

    def _count(self, one: Noticed, change: int) -> None:
        self.counted[one.rule] += change
        if one.rule in PROVING:
            call = (one.rule, one.session)
            before = self.calls[call]
            self.calls[call] = before + change
            more = proofs_in(one.rule, before + change) - proofs_in(one.rule, before)
            self.proofs[one.rule] += more


def hit_by(events: Iterable[Event], policy: Policy, *, since: datetime) -> Hit | None:
    """What one account's events, oldest first, lead to from `since` on."""
    day, held, hit = LastDay(), set[Consequence](), None
    stopped: list[Stopped] = []
    for event in events:
        if isinstance(event, Begun):
            held.add(event.what)
            continue
        if isinstance(event, Lifted):
            day = LastDay()
            held.discard(event.what)
            if not held and _is_stopped(stopped):
                stopped[-1] = Stopped(stopped[-1].since, event.at)
            continue
        day.add(event)
        consequence = consequence_of(day.counted, day.proofs, policy)
        if consequence is Consequence.NONE or is_held(consequence, held):
            continue
        held.add(consequence)
        if event.at >= since:
            hit = _harder(hit, _hit(consequence, event.at, day, policy))
            if not _is_stopped(stopped):
                stopped.append(Stopped(event.at))
    return replace(hit, stopped=tuple(stopped)) if hit else None


def _is_stopped(stopped: list[Stopped]) -> bool:
    return bool(stopped) and stopped[-1].until is None


def is_held(consequence: Consequence, held: Iterable[Consequence]) -> bool:
    """Whether this, or something harder, is in force already."""
    return any(SEVERITY.index(one) >= SEVERITY.index(consequence) for one in held)


def _hit(consequence: Consequence, at: datetime, day: LastDay, policy: Policy) -> Hit:
    patterns = sorted(rule.value for rule, times in day.counted.items() if times)
    return Hit(consequence, at, risk_of_counts(day.counted, policy), tuple(patterns))


def _harder(before: Hit | None, hit: Hit) -> Hit:
    """Stopped since the first one, for the hardest."""
    if before is None:
        return hit
    if SEVERITY.index(hit.consequence) < SEVERITY.index(before.consequence):
        return before
    return Hit(hit.consequence, before.at, hit.risk, hit.patterns)


class Change(StrEnum):
    """What the other weights would have made of an account."""

    NEWLY = "newly"
    HARDER = "harder"
    MILDER = "milder"
    NO_LONGER = "no_longer"
    SAME = "same"


def change_of(before: Consequence, after: Consequence) -> Change:
    if before is after:
        return Change.SAME
    if before is Consequence.NONE:
        return Change.NEWLY
    if after is Consequence.NONE:
        return Change.NO_LONGER
    is_harder = SEVERITY.index(after) > SEVERITY.index(before)
    return Change.HARDER if is_harder else Change.MILDER


@dataclass(slots=True)
class Affected:
    """An account that is stopped by these weights, or was stopped in truth."""

    before: Hit | None
    after: Hit | None
    views: int = 0
    coins: int = 0
    later_views: int = 0
    """Those while these weights would have kept it stopped."""
    later_coins: int = 0

    @property
    def change(self) -> Change:
        return change_of(_consequence(self.before), _consequence(self.after))

    def add_view(self, coins: int, at: datetime) -> None:
        self.views += 1
        self.coins += coins
        if self.after and self.after.holds(at):
            self.later_views += 1
            self.later_coins += coins

    def row(self, account: str, name: str) -> dict[str, object]:
        shown = self.after or self.before
        return {
            "id": account,
            "name": name,
            "change": self.change.value,
            "before": _consequence(self.before).value,
            "after": _consequence(self.after).value,
            "at": shown.at.isoformat() if shown else "",
            "risk": self.after.risk if self.after else 0,
            "patterns": list(self.after.patterns if self.after else ()),
            "views": self.views,
            "coins": self.coins,
            "later_views": self.later_views,
            "later_coins": self.later_coins,
        }


def _consequence(hit: Hit | None) -> Consequence:
    return hit.consequence if hit else Consequence.NONE


def counts_of(affected: Iterable[Affected]) -> dict[str, int]:
    """How many these weights stop, how each change compares, and what would not have been paid."""
    counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))
    for one in affected:
        counts[one.change.value] += 1
        if one.after:
            counts[one.after.consequence.value] += 1
        counts["later_views"] += one.later_views
        counts["later_coins"] += one.later_coins
    return dict(counts)


COUNTED = (
    *(change.value for change in Change),
    *(consequence.value for consequence in SEVERITY[1:]),
    "later_views",
    "later_coins",
)


def listed(affected: Mapping[UUID, Affected]) -> list[tuple[UUID, Affected]]:
    """Those for whom something changes, the richest first; so many that a page can show them."""
    changed = [pair for pair in affected.items() if pair[1].change is not Change.SAME]
    return sorted(changed, key=lambda pair: -pair[1].coins)[:LISTED]
