"""One campaign in a dialog: planned, changed, ended, or looked at in figures."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_from
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser import campaign_rules, campaigns, creatives, fields
from rewards_app.features.advertiser.campaigns import Campaign
from rewards_app.features.advertiser.campaigns_state import CampaignsState, card
from rewards_app.features.advertiser.creatives import OwnAd, OwnAds
from rewards_app.features.advertiser.creatives import Search as AdSearch
from rewards_app.features.advertiser.figure_rules import Figures
from rewards_app.features.advertiser.membership import scope_or_none
from rewards_app.features.advertiser.rules import NotAnAdvertiser

DIALOG = "dialog"
"""What an address calls the one that it opens."""
NEW, EDIT, END, STATS = "new", "edit", "end", "stats"


class CampaignState(AppState):
    dialog: str = ""
    """Which one is open; empty for none."""
    campaign: dict[str, Any] = {}
    """The one that it is about."""
    typed: dict[str, str] = {}
    """What the form that changes it begins with."""
    companies: list[tuple[str, str]] = []
    """For whom an admin can plan campaigns; empty for a company's own people."""
    company: str = ""
    """The one that is chosen already."""
    not_offered: str = ""
    """The company that the list is narrowed down to, where it gets no campaign."""
    are_more_companies: bool = False
    """Too many to list: a part of the name finds the others."""
    company_search: str = ""
    choice: int = 0
    """Another one when there is something else to choose from: the field begins anew."""
    ads: list[dict[str, Any]] = []
    """Newest first."""
    ads_before: str = ""
    """Older ones come before this one; empty where there are none."""
    days: list[dict[str, Any]] = []
    """The last ones, in order, today's at the end."""
    most_a_day: int = 0
    funding: str = Funding.WARN.value
    """What is done about ads whose price does not cover their reward."""

    @signed_in()
    async def open(self):
        """The dialog that the address asks for; one that was open before is not any more."""
        self.dialog, self.refusal = "", {}
        if self._query.get(DIALOG) != NEW:
            return
        async with transaction() as session:
            may_plan = await scope_or_none(session, self._actor)
        if may_plan:
            await self._plan()

    @signed_in()
    async def plan(self):
        await self._plan()

    async def _plan(self) -> None:
        """For the company that the list is narrowed down to, where it is."""
        only = (await self.get_state(CampaignsState)).only
        self._begin(NEW)
        wanted = only.get("id", "")
        await self._offer("", id_from(wanted))
        self.not_offered = only["name"] if wanted != self.company else ""

    async def _offer(self, text: str, chosen: UUID | None = None) -> None:
        async with transaction() as session:
            found = await campaigns.companies(session, self._actor, text, chosen=chosen)
        self.companies = [(str(company_id), name) for company_id, name in found.shown]
        self.company_search, self.are_more_companies = text.strip(), found.are_more
        there = [company_id for company_id, _ in self.companies]
        only = there[0] if text and len(there) == 1 else ""
        self.company = str(chosen) if str(chosen) in there else only
        self.choice += 1

    @signed_in()
    async def find_company(self, form: dict[str, str]):
        """By a part of its name; the only one that is found is chosen."""
        await self._offer(form.get("company_search", ""))

    @signed_in()
    async def create(self, form: LongForm):
        """On the page of campaigns."""
        self._start_work()
        yield
        with told_as("campaigns.error", broken=campaign_rules.NotCreated):
            await self._create(form)
        await self._done("campaigns.created_title")

    @signed_in()
    async def create_at_dashboard(self, form: LongForm):
        self._start_work()
        yield
        with told_as("campaigns.not_created_title", broken=campaign_rules.NotCreated):
            await self._create(form)
        await self._done("campaigns.created_title", "campaigns.created_text")

    async def _create(self, form: dict[str, str]) -> None:
        async with transaction() as session:
            await campaigns.create(
                session,
                self._actor,
                form,
                advertiser_id=id_from(form.get("company", "")),
                now=utc_now(),
            )

    @signed_in()
    async def edit(self, campaign_id: Identifier):
        found = await self._look_into(campaign_id)
        self.typed = campaign_rules.written(found.plan)
        self._begin(EDIT)

    @signed_in()
    async def save(self, form: LongForm):
        """Of the campaign whose dialog is open."""
        if not self.campaign:
            return
        self._start_work()
        yield
        campaign_id, typed = UUID(self.campaign["id"]), fields.retyped(form, self.typed)
        async with transaction() as session:
            waiting = await campaigns.edit(session, self._actor, campaign_id, typed, now=utc_now())
        await self._done("campaigns.saved_title", "campaigns.reviewed_again" if waiting else "")

    @signed_in()
    async def ask_to_end(self):
        if self.campaign:
            await self._look_into(UUID(self.campaign["id"]))
            self._begin(END)

    @signed_in()
    async def end(self, form: LongForm):
        """What was decided on is what was shown; an admin says why."""
        if not self.campaign:
            return
        self._start_work()
        yield
        async with transaction() as session:
            has_rest = await campaigns.end(
                session,
                self._actor,
                UUID(self.campaign["id"]),
                form.get("reason", ""),
                now=utc_now(),
            )
        text = "campaigns.ended_text" if has_rest else "campaigns.end_no_rest"
        await self._done("campaigns.ended_title", text)

    @signed_in()
    async def show_stats(self, campaign_id: Identifier):
        self.ads = []
        await self._look_into(campaign_id)
        await self._load_stats(campaign_id)
        self._begin(STATS)

    @signed_in()
    async def load_more_ads(self, before: Identifier):
        """Older ones of the campaign that is looked at; asked twice for the same, once."""
        if self.dialog != STATS or str(before) != self.ads_before:
            return
        campaign_id = UUID(self.campaign["id"])
        async with transaction() as session:
            found = await creatives.listed(
                session, self._actor, AdSearch(campaign_id=campaign_id), before=before
            )
        self._list_ads(found, behind=self.ads)

    @signed_in(passive=True)
    async def refresh(self):
        """Its figures change while they are looked at; a form keeps what it began with."""
        if self.dialog == STATS and self.campaign:
            campaign_id = UUID(self.campaign["id"])
            try:
                await self._look_into(campaign_id)
                await self._load_stats(campaign_id)
            except NotAnAdvertiser:
                self.reset()

    @signed_in()
    async def close(self):
        self.dialog, self.refusal = "", {}

    def _begin(self, dialog: str) -> None:
        self._forget_refusal()
        self.funding = settings().reward_funding
        self.dialog = dialog

    async def _done(self, title: str, text: str = "") -> None:
        self.is_busy = False
        self.dialog = ""
        self._notify(title, text)
        await then_show((await self.get_state(CampaignsState))._load_again)

    async def _look_into(self, campaign_id: UUID) -> Campaign:
        async with transaction() as session:
            found = await campaigns.one(session, self._actor, campaign_id, now=utc_now())
        self.campaign = card(found, now=utc_now())
        return found

    async def _load_stats(self, campaign_id: UUID) -> None:
        async with transaction() as session:
            days = await campaigns.last_days(session, self._actor, campaign_id, now=utc_now())
            limit = max(creatives.A_PAGE, len(self.ads))
            own = AdSearch(campaign_id=campaign_id)
            ads = await creatives.listed(session, self._actor, own, limit=limit)
        self.days = [_day(day, figures) for day, figures in days]
        self.most_a_day = max(figures.completions for _, figures in days)
        self._list_ads(ads)

    def _list_ads(self, found: OwnAds, behind: Sequence[dict[str, Any]] = ()) -> None:
        self.ads = [*behind, *map(_ad, found.shown)]
        self.ads_before = str(found.next_before or "")


def _day(day: date, figures: Figures) -> dict[str, Any]:
    return {
        "day": day.isoformat(),
        "impressions": figures.impressions,
        "views": figures.completions,
        "clicks": figures.clicks,
        "spend": figures.spend,
    }


def _ad(ad: OwnAd) -> dict[str, Any]:
    return {
        "id": str(ad.found.id),
        "title": ad.found.draft.title,
        "status": ad.found.status.value,
        "impressions": ad.figures.impressions,
        "views": ad.figures.completions,
        "clicks": ad.figures.clicks,
    }
