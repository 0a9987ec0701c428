"""A company's ads: the list, the form that makes or changes one, and pausing."""

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
from rewards_app.features.ads import funding
from rewards_app.features.ads.funding import Funding, Gap
from rewards_app.features.advertiser import ad_rules, creatives, fields
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.features.advertiser.campaign_rules import Status as CampaignStatus
from rewards_app.features.advertiser.creatives import A_PAGE, FoundAd, OpenCampaign, OwnAd, OwnAds
from rewards_app.features.advertiser.home_state import PATH as DASHBOARD
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.membership import scope_or_none
from rewards_app.features.advertiser.rules import Status as Standing

TAB = "ads"
NEW, EDIT = "new", "edit"


class AdsState(AppState):
    is_loaded: bool = False
    ads: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older ads come before this one; empty where there are none."""
    dialog: str = ""
    """Which one is open; empty for none."""
    ad: dict[str, Any] = {}
    """The one that is changed."""
    typed: dict[str, str] = ad_rules.BLANK
    """What the form begins with."""
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
        async with transaction() as session:
            scope = await scope_or_none(session, self._actor)
        if scope is None:
            return rx.redirect(DASHBOARD, replace=True)
        if scope.advertiser_id:
            self._care_for(str(scope.advertiser_id))
        self.dialog = ""
        self._list(await self._found())
        self.is_loaded = True
        return None

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
        self.ads = self.ads + [_row(ad) for ad in found.shown]
        self.next_before = str(found.next_before or "")

    @signed_in()
    async def plan(self):
        async with transaction() as session:
            self._offer(await creatives.campaigns_to_choose(session, self._actor))
        first = self.campaigns[0]["id"] if len(self.campaigns) == 1 else ""
        self.ad, self.typed = {}, {**ad_rules.BLANK, "campaign_id": first}
        self._begin(NEW)

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
        async with transaction() as session:
            found = await creatives.one(session, self._actor, ad_id)
        self.ad = _facts(found)
        self._offer([OpenCampaign(found.campaign_id, found.campaign, found.company, found.price)])
        self.typed = {**ad_rules.written(found.draft), "campaign_id": str(found.campaign_id)}
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

    async def _found(self, before: UUID | None = None, limit: int = A_PAGE) -> OwnAds:
        async with transaction() as session:
            return await creatives.listed(session, self._actor, before=before, limit=limit)

    async def _load_again(self) -> None:
        self._list(await self._found(limit=max(A_PAGE, len(self.ads))))

    def _list(self, found: OwnAds) -> None:
        self.ads = [_row(ad) for ad in found.shown]
        self.next_before = str(found.next_before or "")


def _row(ad: OwnAd) -> dict[str, Any]:
    return _facts(ad.found) | {
        "impressions": ad.figures.impressions,
        "views": ad.figures.completions,
        "clicks": ad.figures.clicks,
        "spend": ad.figures.spend,
    }


def _facts(ad: FoundAd) -> dict[str, Any]:
    """An ad as the page shows it."""
    is_open = ad.campaign_status != CampaignStatus.COMPLETED
    return {
        "id": str(ad.id),
        "title": ad.draft.title,
        "campaign": ad.campaign,
        "company": ad.company,
        "kind": ad.draft.kind.value,
        "image_url": ad.draft.image_url,
        "seconds": ad.draft.seconds,
        "coins": ad.draft.coins,
        "status": ad.status.value,
        "reason": ad.review_reason,
        "price": ad.price,
        "gap": _gap(ad).value if is_open else "",
        "worth": funding.worth_of(ad.draft.coins),
        "has_ended": not is_open,
        "can_edit": is_open,
        "can_pause": is_open and ad.status is Status.ACTIVE,
        "can_resume": is_open and ad.status is Status.PAUSED,
    }


def _gap(ad: FoundAd) -> Gap:
    """What a rejected ad lacks is told already."""
    if ad.status is Status.REJECTED:
        return Gap.NONE
    return funding.gap(ad.price, ad.draft.coins, Funding(settings().reward_funding))
