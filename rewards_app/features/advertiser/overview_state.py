"""What a company's overview shows, and that of all companies together."""

from typing import Any

from rewards_app.core import tabs
from rewards_app.core.access import signed_in
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import figure_rules, figures, home_state
from rewards_app.features.advertiser.figures import Overview
from rewards_app.features.advertiser.home_state import AdvertiserState

TAB = "overview"
ADMINS_HOME = "/"


class OverviewState(AppState):
    standing: str = ""
    """Empty until it is known; then `open`, or `closed` to whoever acts for no approved company."""
    is_of_all: bool = False
    totals: dict[str, int] = {}
    insights: dict[str, dict[str, Any]] = {}
    newest: list[dict[str, Any]] = []

    @signed_in()
    async def load(self):
        self.standing = ""
        await self._look()

    @signed_in(passive=True)
    async def refresh(self):
        if self.standing == "open" and await self._is_shown():
            await self._look()

    async def _is_shown(self) -> bool:
        place = tabs.place_of(self._caller.tab)
        home = await self.get_state(AdvertiserState)
        return place == ADMINS_HOME or (place == home_state.PATH and home.tab == TAB)

    async def _look(self) -> None:
        async with transaction() as session:
            scope = await figures.scope_for(session, self._actor)
            found = await figures.overview(session, scope) if scope else None
        if scope is None or found is None:
            self.reset()
            self.standing = "closed"
            return
        if scope.advertiser_id:
            self._care_for(str(scope.advertiser_id))
        self._show_overview(found)
        self._keep(is_of_all=scope.is_everything, standing="open")

    def _show_overview(self, found: Overview) -> None:
        came = found.figures
        totals = {
            "campaigns": found.stock.campaigns,
            "running": found.stock.running,
            "ads": found.stock.ads,
            "active_ads": found.stock.active_ads,
            "impressions": came.impressions,
            "completions": came.completions,
            "revenue": came.revenue,
        }
        insights = {
            "completion": _insight(came.completed, figure_rules.GOOD_COMPLETION),
            "engagement": _insight(came.rewarded, figure_rules.GOOD_ENGAGEMENT),
        }
        newest = [
            {
                "id": str(campaign.id),
                "name": campaign.name,
                "company": campaign.company,
                "status": campaign.status,
                "views": sums.completions,
            }
            for campaign, sums in found.newest
        ]
        self._keep(totals=totals, insights=insights, newest=newest)


def _insight(share: float | None, mark: float) -> dict[str, Any]:
    is_above = figure_rules.is_above(share, mark)
    return {"share": share or 0, "is_known": is_above is not None, "is_above": bool(is_above)}
