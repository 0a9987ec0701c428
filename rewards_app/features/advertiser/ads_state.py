"""A company's ads: the list, the form that makes or changes one, and pausing."""

from collections.abc import Container
from typing import Any
from uuid import UUID

import reflex as rx

from rewards_app.core.access import Identifier, LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import Unexpected
from rewards_app.core.ids import id_from
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser import ad_rules, creatives, fields
from rewards_app.features.advertiser.ad_rows import facts_of, row_of
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.features.advertiser.campaign_rules import CampaignHasEnded
from rewards_app.features.advertiser.creatives import A_PAGE, OpenCampaign, OwnAds, Search
from rewards_app.features.advertiser.home_state import PATH as DASHBOARD
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.membership import Scope, scope_or_none
from rewards_app.features.advertiser.narrowing import Narrowed, To, narrowed
from rewards_app.features.advertiser.rules import Status as Standing
from rewards_app.features.advertiser.searched import Searched

TAB = "ads"
NEW, EDIT = "new", "edit"
"""The forms. An address names the campaign of a new ad: `new=<campaign>`."""
STATUSES = (*Status, creatives.ENDED)


class AdsState(Searched, AppState):
    is_loaded: bool = False
    ads: list[dict[str, Any]] = []
    """Newest first."""
    dialog: str = ""
    """Which one is open; empty for none."""
    ad: dict[str, Any] = {}
    """The one that is changed."""
    typed: dict[str, str] = ad_rules.BLANK
    """What the form begins with."""
    choice: int = 0
    """Another one when there is something else to choose from: the field begins anew."""
    are_more_campaigns: bool = False
    """Too many to list: a part of the name finds the others."""
    campaign_search: str = ""
    campaigns: list[dict[str, Any]] = []
    """Those that an ad can be made for."""
    companies: dict[str, str] = {}
    """Whose each of these campaigns is."""
    prices: dict[str, int] = {}
    """What a completed view of each costs, in thousandths of a cent."""
    funding: str = Funding.WARN.value
    """What is done about ads whose price does not cover their reward."""

    @signed_in()
    async def open(self):
        """The list, as the address narrows it down, and the form that it asks for."""
        asked = self._query
        async with transaction() as session:
            scope = await scope_or_none(session, self._actor)
            if scope is None:
                return rx.redirect(DASHBOARD, replace=True)
            found = await narrowed(session, scope, asked, *To)
        if found.scope.advertiser_id:
            self._care_for(str(found.scope.advertiser_id))
        if found.gone:
            self._refuse(found.gone)
        self.only, self.dialog = found.shown, ""
        await self._load_all()
        self.is_loaded = True
        await self._open_form(found, asked.get(NEW, ""))
        return None

    async def _open_form(self, shown: Narrowed, campaign: str) -> None:
        """Of an ad that is to be corrected, or of a new one for this campaign."""
        ad_id = shown.only(To.AD)
        if ad_id and any(ad["status"] == Status.REJECTED and ad["can_edit"] for ad in self.ads):
            await self._edit(ad_id)
        elif campaign:
            await self._plan_for(shown.scope, campaign)

    async def _plan_for(self, scope: Scope, campaign: str) -> None:
        """An address may be old: it says so where the campaign is gone, or has ended."""
        async with transaction() as session:
            found = await narrowed(session, scope, {To.CAMPAIGN.value: campaign}, To.CAMPAIGN)
        if found.gone:
            self._refuse(found.gone)
            return
        await self._plan(found.id)
        if self.typed["campaign_id"] != str(found.id):
            self.dialog = ""
            self._refuse(CampaignHasEnded())

    @signed_in(passive=True)
    async def refresh(self):
        """Something of an ad has changed: all that are shown are read again."""
        if not self.is_loaded:
            return
        desk = await self.get_state(AdvertiserState)
        if desk.standing != Standing.APPROVED:
            # They act for the company no more: nothing of it stays on the page.
            self.reset()
        elif desk.tab == TAB:
            await self._load_again()

    @signed_in()
    async def load_more(self, before: Identifier):
        """Older ads; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        found = await self._found(before)
        self.ads = self.ads + [row_of(ad) for ad in found.shown]
        self.next_before = str(found.next_before or "")

    @signed_in()
    async def plan(self):
        """For the campaign that the list is narrowed down to, where it is."""
        is_of_one = self.only.get("to") == To.CAMPAIGN
        await self._plan(id_from(self.only["id"]) if is_of_one else None)

    async def _plan(self, chosen: UUID | None) -> None:
        await self._offer_found("", chosen)
        self.ad = {}
        self._begin(NEW)

    async def _offer_found(self, text: str, chosen: UUID | None = None) -> None:
        async with transaction() as session:
            found = await creatives.campaigns_to_choose(
                session, self._actor, text, chosen=chosen, company_id=self._wanted().company_id
            )
        self._offer(found.shown)
        self.campaign_search, self.are_more_campaigns = text.strip(), found.are_more
        there = [one["id"] for one in self.campaigns]
        only = there[0] if len(there) == 1 else ""
        self.typed = {
            **ad_rules.BLANK,
            "campaign_id": str(chosen) if str(chosen) in there else only,
        }
        self.choice += 1

    @signed_in()
    async def find_campaign(self, form: dict[str, str]):
        """For the ad that is being made; the only one that is found is chosen."""
        if self.dialog == NEW:
            await self._offer_found(form.get("campaign_search", ""))

    @signed_in()
    async def create(self, form: LongForm):
        self._start_work()
        yield
        with told_as("ads_desk.not_created_title", broken=Unexpected):
            await self._create(form)
        await self._done("ads_desk.created_title", "ads_desk.created_text")

    async def _create(self, form: dict[str, str]) -> None:
        campaign_id = id_from(form.get("campaign_id", ""))
        if campaign_id is None:
            raise fields.Missing("campaign_id")
        async with transaction() as session:
            await creatives.create(session, self._actor, campaign_id, form, now=utc_now())

    @signed_in()
    async def edit(self, ad_id: Identifier):
        await self._edit(ad_id)

    async def _edit(self, ad_id: UUID) -> None:
        async with transaction() as session:
            found = await creatives.one(session, self._actor, ad_id)
        self.ad = facts_of(found)
        self._offer([OpenCampaign(found.campaign_id, found.campaign, found.company, found.price)])
        self.typed = {**ad_rules.written(found.draft), "campaign_id": str(found.campaign_id)}
        self.choice += 1
        self._begin(EDIT)

    @signed_in()
    async def save(self, form: LongForm):
        """Of the ad whose form is open."""
        if not self.ad:
            return
        self._start_work()
        yield
        ad_id, typed = UUID(self.ad["id"]), ad_rules.retyped(form, self.typed)
        async with transaction() as session:
            has_changed = await creatives.edit(session, self._actor, ad_id, typed, now=utc_now())
        text = "ads_desk.saved_text" if has_changed else "ads_desk.unchanged_text"
        await self._done(
            "ads_desk.saved_title" if has_changed else "ads_desk.unchanged_title", text
        )

    @signed_in()
    async def pause(self, ad_id: Identifier):
        async with transaction() as session:
            await creatives.pause(session, self._actor, ad_id, now=utc_now())
        await then_show(self._load_again)

    @signed_in()
    async def resume(self, ad_id: Identifier):
        async with transaction() as session:
            status = await creatives.resume(session, self._actor, ad_id, now=utc_now())
        if status is Status.PENDING_REVIEW:
            self._notify("ads_desk.saved_title", "ads_desk.resumed_uncovered")
        await then_show(self._load_again)

    @signed_in()
    async def close(self):
        self.dialog, self.refusal = "", {}

    def _begin(self, dialog: str) -> None:
        self._forget_refusal()
        self.funding = settings().reward_funding
        self.dialog = dialog

    async def _done(self, title: str, text: str) -> None:
        self.is_busy = False
        self.dialog = ""
        self._notify(title, text)
        await then_show(self._load_again)

    def _offer(self, campaigns: Any) -> None:
        self.campaigns = [
            {"id": str(one.id), "name": one.name, "company": one.company} for one in campaigns
        ]
        self.companies = {str(one.id): one.company for one in campaigns}
        self.prices = {str(one.id): one.price for one in campaigns}

    def _wanted(self) -> Search:
        part = {f"{self.only['to']}_id": UUID(self.only["id"])} if self.only else {}
        return Search(self.search, self.status, **part)

    async def _found(self, before: UUID | None = None, limit: int = A_PAGE) -> OwnAds:
        async with transaction() as session:
            return await creatives.listed(
                session, self._actor, self._wanted(), before=before, limit=limit
            )

    async def _load_newest(self) -> None:
        await self._load(A_PAGE)

    def _statuses(self) -> Container[str]:
        return STATUSES

    async def _load_again(self) -> None:
        await self._load(max(A_PAGE, len(self.ads)))

    async def _load(self, limit: int) -> None:
        found = await self._found(limit=limit)
        async with transaction() as session:
            counts = await creatives.counts(session, self._actor, self._wanted())
        self.ads = [row_of(ad) for ad in found.shown]
        self.next_before = str(found.next_before or "")
        self.counts = {"all": sum(counts.values())} | {
            status: counts.get(status, 0) for status in STATUSES
        }
