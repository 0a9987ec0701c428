"""Whether what companies pay covers what players earn, as the admin panel shows it."""

from collections.abc import Callable
from datetime import date
from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.errors import DomainError, StorageAway, Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.admin.state import AdminState
from rewards_app.features.ads.funding import Funding, ore_of
from rewards_app.features.advertiser.analytics_state import metric_of
from rewards_app.features.advertiser.figure_rules import Change
from rewards_app.features.economy import rules
from rewards_app.features.economy.figures import economy
from rewards_app.features.economy.rules import ORE_A_COIN, Flow, Period
from rewards_app.features.economy.service import AdGap, Economy

TAB = "economy"


class EconomyState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    period: str = rules.USUAL_PERIOD.value
    span: dict[str, Any] = {}
    """The first and the last day, and how many there are."""
    outstanding: dict[str, Any] = {}
    metrics: dict[str, dict[str, Any]] = {}
    house_ore: int = 0
    """What of the unfunded rewards the house's own ads are."""
    days: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    """The ads whose rewards cost the house most."""
    funding: str = Funding.WARN.value
    uncovered: int = 0
    """Ads that the setting decides on."""
    shown: int = 0
    """Ads that could be shown now, those included."""

    @allow(Role.ADMIN)
    async def load(self):
        """The period that the address says."""
        self.has_failed = False
        wanted = self._query.get("period", "")
        period = rules.period_from(wanted)
        try:
            with told_as("economy.not_loaded", broken=Unexpected):
                found = await economy.of(period)
        except DomainError:
            self.is_loaded, self.has_failed = False, True
            raise
        self.period = period.value
        self._show_economy(found)
        self.is_loaded = True

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody watched, earned or spent."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != TAB:
            return
        try:
            self._show_economy(await economy.of(Period(self.period)))
        except StorageAway:
            # What is shown stays; the next change asks again.
            return

    def _show_economy(self, found: Economy) -> None:
        known = found.outstanding
        self._keep(
            span={
                "first": found.span.first.isoformat(),
                "last": found.span.last.isoformat(),
                "length": found.span.length,
            },
            outstanding={
                "coins": known.coins,
                "held": known.held,
                "ore": known.coins * ORE_A_COIN,
                "at": found.counted_at.isoformat(),
            },
            metrics=_metrics(found.now, found.before),
            house_ore=found.now.house_rewards * ORE_A_COIN,
            days=[_point(day, flow) for day, flow in found.by_day],
            gaps=[_gap(gap) for gap in found.gaps],
            funding=found.funding.value,
            uncovered=found.shown.uncovered,
            shown=found.shown.covered + found.shown.uncovered,
        )


METRICS: dict[str, tuple[Callable[[Flow], int], int]] = {
    "earned": (lambda flow: flow.earned, 0),
    "spent": (lambda flow: flow.spent, 0),
    "refunded": (lambda flow: flow.refunded, 0),
    "expired": (lambda flow: flow.expired, 0),
    "spend": (lambda flow: flow.spend, 0),
    "spend_ore": (lambda flow: ore_of(flow.spend), 0),
    "rewards_ore": (lambda flow: ore_of(flow.worth), 0),
    "margin_ore": (lambda flow: ore_of(flow.margin), 1),
    "funded_ore": (lambda flow: ore_of(flow.funded), 1),
    "unfunded_ore": (lambda flow: ore_of(flow.unfunded), -1),
}
"""What is measured, and whether more of it is good (1), bad (-1) or neither."""


def _metrics(now: Flow, before: Flow) -> dict[str, dict[str, Any]]:
    return {
        name: metric_of(
            measure(now), measure(before), _change(measure(now), measure(before)), rise_is
        )
        for name, (measure, rise_is) in METRICS.items()
    }


def _change(now: int, before: int) -> Change:
    """As a share of what was before, which may have been less than nothing."""
    if not before:
        return Change(is_new=bool(now))
    return Change((now - before) / abs(before))


def _point(day: date, flow: Flow) -> dict[str, Any]:
    return {"at": day.isoformat(), "spend": ore_of(flow.spend), "rewards": ore_of(flow.worth)}


def _gap(gap: AdGap) -> dict[str, Any]:
    return {
        "id": str(gap.ad_id),
        "title": gap.title,
        "company": gap.company,
        "is_house": gap.is_house,
        "spend_ore": ore_of(gap.flow.spend),
        "rewards_ore": ore_of(gap.flow.worth),
        "gap_ore": ore_of(gap.flow.unfunded),
    }
