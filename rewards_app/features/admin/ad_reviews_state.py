"""Ads that wait for their review or were reported, and the one that is looked at."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.admin.state import AdminState
from rewards_app.features.ads import funding
from rewards_app.features.ads.funding import Funding
from rewards_app.features.ads.rules import is_safe_url
from rewards_app.features.advertiser import review
from rewards_app.features.advertiser.review import Ads, Report, Reported, ReviewedAd
from rewards_app.features.advertiser.review_rules import ChangedMeanwhile, DecidedMeanwhile
from rewards_app.features.advertiser.rules import CARD


class AdReviewState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    ads: list[dict[str, Any]] = []
    """What has waited longest comes first."""
    next_after: str = ""
    """Newer ones come after this one; empty where there are none."""
    reported: list[dict[str, Any]] = []
    reported_in_all: int = 0
    ad: dict[str, Any] = {}
    """The one that is looked at. It stays as it was when it was opened."""
    reports: list[dict[str, Any]] = []
    """What players say of it."""
    is_stale: bool = False
    """It is not any more what is looked at."""
    has_newer_reports: bool = False
    """Players have said more of it: whoever keeps it reads that first."""

    _is_loading: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        self._is_loading = True
        await self._load()
        self.is_loaded, self._is_loading = True, False

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something about ads has changed somewhere: as much as is shown is read again."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != "ad_reviews":
            return
        await self._load()
        if self.ad:
            async with transaction() as session:
                known = await review.ad(session, UUID(self.ad["id"]))
            self.is_stale = known.version.isoformat() != self.ad["version"]
            self.has_newer_reports = known.reported != self._reports_read

    @allow(Role.ADMIN)
    async def load_more(self, after: Identifier):
        """Newer ones; asked twice for the same ones, they come once."""
        if str(after) == self.next_after:
            async with transaction() as session:
                found = await review.pending_ads(session, after=after)
            self._list(found, behind=self.ads)

    @allow(Role.ADMIN)
    async def look_at(self, ad_id: Identifier):
        self._forget_refusal()
        async with transaction() as session:
            self.ad = _row(await review.ad(session, ad_id))
            self.reports = [_said(report) for report in await review.reports_of(session, ad_id)]
        self.is_stale = self.has_newer_reports = False

    @allow(Role.ADMIN)
    async def close(self):
        self.ad, self.reports, self.refusal = {}, [], {}
        self.is_stale = self.has_newer_reports = False

    @allow(Role.ADMIN)
    async def approve(self):
        """Decided on is what is looked at."""
        if not self.ad:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await review.approve_ad(
                session, self._actor, *self._seen, self._reports_read, now=utc_now()
            )
        await self._done("approved")

    @allow(Role.ADMIN)
    async def reject(self, form: LongForm):
        if not self.ad:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await review.reject_ad(
                session, self._actor, *self._seen, form.get("reason", ""), now=utc_now()
            )
        await self._done("rejected")

    @allow(Role.ADMIN)
    async def keep(self):
        """What players say of it is no reason to take it away."""
        if not self.ad:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await review.keep_ad(
                session, self._actor, *self._seen, self._reports_read, now=utc_now()
            )
        await self._done("kept")

    @property
    def _seen(self) -> tuple[UUID, datetime]:
        """The ad that is looked at, and as what."""
        return UUID(self.ad["id"]), datetime.fromisoformat(self.ad["version"])

    @property
    def _reports_read(self) -> Reported:
        newest = self.ad["newest_report"]
        return Reported(self.ad["reports"], datetime.fromisoformat(newest) if newest else None)

    async def _done(self, what: str) -> None:
        self.is_busy = False
        self._notify(
            f"admin.ad_reviews.{what}_title",
            f"admin.ad_reviews.{what}_text",
            ad=self.ad["title"],
            company=self.ad["advertiser"],
        )
        self.ad, self.reports = {}, []
        await then_show(self._load)

    def _forget(self) -> None:
        self.is_loaded, self.has_failed = False, False
        self.ads, self.ad, self.reports = [], {}, []
        self._forget_refusal()

    async def _load(self) -> None:
        async with transaction() as session:
            found = await review.pending_ads(session, limit=max(review.A_PAGE, len(self.ads)))
            reported = await review.reported_ads(session)
            in_all = await review.reported_count(session)
        self._list(found)
        self.reported, self.reported_in_all = [_row(ad) for ad in reported], in_all

    def _list(self, found: Ads, behind: list[dict[str, Any]] | None = None) -> None:
        self.ads = [*(behind or []), *map(_row, found.shown)]
        self.next_after = str(found.next_after or "")

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place; what has changed is to be looked at."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False
        if isinstance(error, DecidedMeanwhile | ChangedMeanwhile):
            self.is_stale = True


def _row(known: ReviewedAd) -> dict[str, Any]:
    """An ad as the page shows it, and as players are shown it."""
    draft = known.draft
    is_safe = is_safe_url(draft.click_url, allows_http=not settings().is_production)
    return {
        "id": str(known.id),
        "title": draft.title,
        "description": draft.description,
        "kind": draft.kind.value,
        "video_url": draft.video_url,
        "image_url": draft.image_url,
        "address": draft.click_url,
        "link": draft.click_url if is_safe else "",
        "seconds": draft.seconds,
        "reward": draft.coins,
        "advertiser": known.company,
        "company_card": f"{CARD}{known.advertiser_id}",
        "campaign": known.campaign,
        "status": known.status.value,
        "price": known.price or 0,
        "is_house": known.price is None,
        "gap": funding.gap(known.price, draft.coins, Funding(settings().reward_funding)).value,
        "worth": funding.worth_of(draft.coins),
        "reports": known.reports,
        "reason": known.reason,
        "reviewed_at": known.reviewed_at.isoformat() if known.reviewed_at else "",
        "reviewed_by": known.reviewed_by,
        "since": known.version.isoformat(),
        "version": known.version.isoformat(),
        "newest_report": _newest_report(known),
    }


def _newest_report(known: ReviewedAd) -> str:
    return known.newest_report.isoformat() if known.newest_report else ""


def _said(report: Report) -> dict[str, Any]:
    return asdict(report) | {"created_at": report.created_at.isoformat()}
