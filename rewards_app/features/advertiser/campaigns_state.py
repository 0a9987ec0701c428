"""Campaigns as their people search them, and what they decide about one on its card."""

from collections.abc import Container, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import reflex as rx

from rewards_app.core.access import Identifier, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.advertiser import campaign_rules, campaigns
from rewards_app.features.advertiser.campaign_rules import Status
from rewards_app.features.advertiser.campaigns import A_PAGE, Campaign, Campaigns, Resumed, Search
from rewards_app.features.advertiser.home_state import PATH as DASHBOARD
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.membership import scope_or_none
from rewards_app.features.advertiser.narrowing import To, narrowed
from rewards_app.features.advertiser.rules import NotAnAdvertiser
from rewards_app.features.advertiser.searched import Searched

TAB = "campaigns"
RESUMED = {
    Resumed.NOW: "campaigns.resumed_text",
    Resumed.WITH_AN_AD: "campaigns.resumed_without_ad",
    Resumed.NOT_TODAY: "campaigns.resumed_not_today",
}


class CampaignsState(Searched, AppState):
    is_loaded: bool = False
    campaigns: list[dict[str, Any]] = []
    """Newest first."""
    total: int = 0
    """Of all campaigns that are looked at, found or not, like what runs and what was spent."""
    running: int = 0
    spend: int = 0

    @signed_in()
    async def open(self):
        asked = self._query
        async with transaction() as session:
            scope = await scope_or_none(session, self._actor)
            if scope is None:
                return rx.redirect(DASHBOARD, replace=True)
            found = await narrowed(session, scope, asked, To.COMPANY)
        if found.scope.advertiser_id:
            self._care_for(str(found.scope.advertiser_id))
        if found.gone:
            self._refuse(found.gone)
        self.only = found.shown
        await self._load_all(asked.get("search", ""))
        self.is_loaded = True
        return None

    @signed_in(passive=True)
    async def refresh(self):
        """Something of one of them has changed: all that are shown are read again."""
        if not await self._is_shown():
            return None
        try:
            self._list(await self._found(limit=max(A_PAGE, len(self.campaigns))))
        except NotAnAdvertiser:
            # They act for the company no more: nothing of it stays on the page.
            self.reset()
            return rx.redirect(DASHBOARD, replace=True)
        return None

    @signed_in()
    async def load_more(self, before: Identifier):
        """Older campaigns; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        found = await self._found(before)
        self.campaigns = self.campaigns + [card(one, now=utc_now()) for one in found.shown]
        self.next_before = str(found.next_before or "")

    @signed_in()
    async def pause(self, campaign_id: Identifier):
        async with transaction() as session:
            await campaigns.pause(session, self._actor, campaign_id, now=utc_now())
        await self._show_again(campaign_id, "campaigns.paused_title", "campaigns.paused_text")

    @signed_in()
    async def resume(self, campaign_id: Identifier):
        async with transaction() as session:
            resumed = await campaigns.resume(session, self._actor, campaign_id, now=utc_now())
        await self._show_again(campaign_id, "campaigns.resumed_title", RESUMED[resumed])

    async def _show_again(self, campaign_id: UUID, title: str, text: str) -> None:
        # A list of one status has lost it when it is read again.
        names = [row["name"] for row in self.campaigns if row["id"] == str(campaign_id)]
        await then_show(self._load_again)
        self._notify(title, text, name=names[0] if names else "")

    async def _load_again(self) -> None:
        self._list(await self._found(limit=max(A_PAGE, len(self.campaigns))))

    async def _is_shown(self) -> bool:
        """The dashboard has other tabs."""
        if not self.is_loaded:
            return False
        is_dashboard = self.router.url.path.rstrip("/") == DASHBOARD
        return not is_dashboard or (await self.get_state(AdvertiserState)).tab == TAB

    async def _found(self, before: UUID | None = None, limit: int = A_PAGE) -> Campaigns:
        status = Status(self.status) if self.status else None
        wanted = Search(self.search, status, id_from(self.only.get("id", "")))
        async with transaction() as session:
            return await campaigns.listed(
                session, self._actor, wanted, before=before, limit=limit, now=utc_now()
            )

    async def _load_newest(self) -> None:
        self._list(await self._found())

    def _statuses(self) -> Container[str]:
        return set(Status)

    def _list(self, found: Campaigns) -> None:
        self.campaigns = [card(one, now=utc_now()) for one in found.shown]
        self.next_before = str(found.next_before or "")
        self.counts = _counts(found.counts)
        self.total, self.running = found.totals.campaigns, found.totals.running
        self.spend = found.totals.spend


def _counts(found: Mapping[Status, int]) -> dict[str, int]:
    return {"all": sum(found.values())} | {status.value: found.get(status, 0) for status in Status}


def card(campaign: Campaign, *, now: datetime) -> dict[str, Any]:
    """A campaign as the page shows it."""
    plan = campaign.plan
    when, days = campaign_rules.when(plan, now=now)
    has_ended = campaign.status is Status.COMPLETED
    # The card's head says how it ended; an admin's reason stands below.
    is_noted = not has_ended or bool(campaign.ended_because)
    return {
        "id": str(campaign.id),
        "company_id": str(campaign.advertiser_id),
        "company": campaign.company,
        "status": campaign.status.value,
        "name": plan.name,
        "description": plan.description,
        "when": campaign.note.value if has_ended else when.value,
        "days": days,
        "first": campaign_rules.first_day(plan).isoformat(),
        "last": campaign_rules.last_day(plan).isoformat(),
        "is_house": campaign.is_house,
        "is_fixed": campaign.is_set_aside,
        "budget": plan.budget_cents,
        "daily": plan.daily_budget_cents or 0,
        "impressions": campaign.figures.impressions,
        "views": campaign.figures.completions,
        "clicks": campaign.figures.clicks,
        "spend": campaign.figures.spend,
        "views_left": campaign.views_left,
        "taken_today": campaign.taken_today,
        "views_a_day": campaign.views_a_day or 0,
        "note": campaign.note.value if is_noted else "",
        "missing": campaign.missing,
        "paused_at": campaign.paused_at.isoformat() if campaign.paused_at else "",
        "ad_id": str(campaign.rejected_ad_id or ""),
        "ad": campaign.rejected_ad,
        "because": campaign.ended_because or campaign.rejected_because,
        "can_pause": campaign.can_pause,
        "can_resume": campaign.can_resume,
        "can_end": campaign.can_end,
    }
