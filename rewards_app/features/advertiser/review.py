"""What admins decide: who may advertise, which ads players see, which views cost nothing."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

import structlog

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import id_from
from rewards_app.features.ads import places, serving
from rewards_app.features.ads.budgets import PARTS_A_DOLLAR
from rewards_app.features.advertiser import (
    ad_rules,
    company_repository,
    letters,
    lifecycle,
    money,
    review_rules,
)
from rewards_app.features.advertiser import review_repository as repository
from rewards_app.features.advertiser.membership import CHANGED, membership_of
from rewards_app.features.advertiser.review_repository import (
    Application,
    Report,
    Reported,
    ReviewedAd,
    Waiting,
)
from rewards_app.features.advertiser.rules import Status, UnknownAd
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action

_log = structlog.get_logger(__name__)

A_PAGE = 25
MOST_REPORTED = 50
MOST_REPORTS = 20


async def waiting(session: AsyncSession) -> Waiting:
    """How much waits for an admin's decision."""
    return await repository.waiting(session)


DECIDED = {
    Status.APPROVED: Action.APPLICATION_APPROVED,
    Status.REJECTED: Action.APPLICATION_REJECTED,
}


@dataclass(frozen=True, slots=True)
class Applications:
    """A stretch of them, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Application]
    next_before: UUID | None


async def pending(
    session: AsyncSession, *, before: UUID | None = None, limit: int | None = None
) -> Applications:
    most = limit or A_PAGE
    return _stretch(await repository.pending(session, before=before, limit=most + 1), most)


async def processed(
    session: AsyncSession, *, before: UUID | None = None, limit: int | None = None
) -> Applications:
    most = limit or A_PAGE
    return _stretch(await repository.processed(session, before=before, limit=most + 1), most)


async def find(
    session: AsyncSession, text: str, *, before: UUID | None = None, limit: int | None = None
) -> Applications:
    """Companies by what their name or email begins with, or by an identifier of theirs."""
    most = limit or A_PAGE
    if known_id := id_from(text):
        owners = await company_repository.owners(session, [known_id])
        one = await repository.application(session, owners[known_id].id) if owners else None
        return Applications([one] if one else [], None)
    found = await repository.beginning_with(session, text, before=before, limit=most + 1)
    return _stretch(found, most)


def _stretch(found: Sequence[Application], most: int) -> Applications:
    shown = found[:most]
    return Applications(shown, shown[-1].id if len(found) > most else None)


async def application(session: AsyncSession, advertiser_id: UUID) -> Application:
    found = await repository.application(session, advertiser_id)
    if found is None:
        raise review_rules.UnknownApplication
    return found


async def decide(
    session: AsyncSession,
    actor: Actor,
    advertiser_id: UUID,
    status: Status,
    reason: str = "",
    *,
    version: datetime | None = None,
    now: datetime,
) -> Application:
    """Approve or reject, once; `version` is the one that was decided on.

    Rejecting needs a reason. The applicant is told by mail, and sees it at once.
    """
    await _refuse_own(session, actor, advertiser_id)
    known = await application(session, advertiser_id)
    before = review_rules.BEFORE[status]
    _refuse_stale(known, before, version or known.version)
    why = review_rules.reason_from(reason) if status is Status.REJECTED else ""
    is_decided = await repository.decide(
        session, known, status, reason=why, by=actor.user_id, now=now
    )
    if not is_decided:
        raise _staleness(await application(session, advertiser_id), before)
    await audit.record(
        session,
        actor,
        DECIDED[status],
        f"company:{advertiser_id}",
        label=known.company,
        before={"status": known.status.value},
        after={"status": status.value},
        reason=why,
        now=now,
    )
    await letters.tell_decision(session, advertiser_id)
    live.announce_after(session, CHANGED, str(advertiser_id))
    _log.info(
        "advertiser.decided",
        advertiser=str(advertiser_id),
        status=status.value,
        reason=why,
        by=str(actor.user_id),
    )
    return known


async def _refuse_own(session: AsyncSession, actor: Actor, advertiser_id: UUID) -> None:
    own = await membership_of(session, actor.user_id)
    if own and own.advertiser_id == advertiser_id:
        raise review_rules.OwnCompany


def _refuse_stale(known: Application | ReviewedAd, before: Container[str], seen: datetime) -> None:
    if known.status not in before or known.version != seen:
        raise _staleness(known, before)


def _staleness(known: Application | ReviewedAd, before: Container[str]) -> DomainError:
    """Somebody else decided, or it is not any more what was decided on."""
    is_decided = known.status not in before
    return review_rules.DecidedMeanwhile() if is_decided else review_rules.ChangedMeanwhile()


@dataclass(frozen=True, slots=True)
class Ads:
    """A stretch of those that wait, the oldest first; `next_after` leads to the newer rest."""

    shown: Sequence[ReviewedAd]
    next_after: UUID | None


async def pending_ads(
    session: AsyncSession, *, after: UUID | None = None, limit: int | None = None
) -> Ads:
    most = limit or A_PAGE
    found = await repository.waiting_ads(session, after=after, limit=most + 1)
    shown = found[:most]
    return Ads(shown, shown[-1].id if len(found) > most else None)


async def reported_ads(session: AsyncSession) -> Sequence[ReviewedAd]:
    """Ads that players see and have reported since they were looked at, the most reported first."""
    return await repository.reported_ads(session, limit=MOST_REPORTED)


async def reported_count(session: AsyncSession) -> int:
    """How many of them there are, also where not all are listed."""
    return await repository.reported_count(session)


async def ad(session: AsyncSession, ad_id: UUID) -> ReviewedAd:
    found = await repository.ad(session, ad_id)
    if found is None:
        raise UnknownAd
    return found


async def reports_of(session: AsyncSession, ad_id: UUID) -> Sequence[Report]:
    """What players say of the ad, the newest first."""
    return await repository.reports_of(session, ad_id, limit=MOST_REPORTS)


async def approve_ad(
    session: AsyncSession,
    actor: Actor,
    ad_id: UUID,
    version: datetime,
    read: Reported,
    *,
    now: datetime,
) -> ReviewedAd:
    """Players see it from now on, whenever its campaign runs; a draft that waited for it starts.

    `version` is the one that was looked at, and `read` what players said of it, here and below.
    """
    known = await _review(
        session,
        actor,
        ad_id,
        ad_rules.Status.ACTIVE,
        [ad_rules.Status.PENDING_REVIEW],
        Action.AD_APPROVED,
        version=version,
        read=read,
        now=now,
    )
    await lifecycle.start_what_can(session, campaign_id=known.campaign_id, now=now)
    await _tell(session, known, now=now)
    return known


async def reject_ad(
    session: AsyncSession,
    actor: Actor,
    ad_id: UUID,
    version: datetime,
    reason: str,
    *,
    now: datetime,
) -> ReviewedAd:
    """Nobody sees it any more; whoever watches it right now is still paid."""
    why = review_rules.reason_from(reason)
    known = await _review(
        session,
        actor,
        ad_id,
        ad_rules.Status.REJECTED,
        [ad_rules.Status.PENDING_REVIEW, *review_rules.IN_USE],
        Action.AD_REJECTED,
        reason=why,
        version=version,
        now=now,
    )
    await _tell(session, known, now=now)
    return known


async def keep_ad(
    session: AsyncSession,
    actor: Actor,
    ad_id: UUID,
    version: datetime,
    read: Reported,
    *,
    now: datetime,
) -> ReviewedAd:
    """What players reported was looked at, and the ad stays as it is."""
    status = (await ad(session, ad_id)).status
    if status not in review_rules.IN_USE:
        raise review_rules.DecidedMeanwhile
    known = await _review(
        session, actor, ad_id, status, [status], Action.AD_KEPT, version=version, read=read, now=now
    )
    live.announce_after(session, CHANGED, str(known.advertiser_id))
    return known


async def _review(
    session: AsyncSession,
    actor: Actor,
    ad_id: UUID,
    status: ad_rules.Status,
    before: Container[str],
    action: Action,
    *,
    reason: str = "",
    version: datetime,
    read: Reported | None = None,
    now: datetime,
) -> ReviewedAd:
    """The ad as it was; it becomes `status` if it still is what was looked at.

    Where it stays in use, no report is closed that nobody read: each player reports an ad once.
    """
    known = await ad(session, ad_id)
    await _refuse_own(session, actor, known.advertiser_id)
    if read:
        await repository.lock(session, known)
        known = await ad(session, ad_id)
    _refuse_stale(known, before, version)
    if read and known.reported != read:
        raise review_rules.ChangedMeanwhile
    is_reviewed = await repository.review(
        session, known, status, reason=reason, by=actor.user_id, now=now
    )
    if not is_reviewed:
        raise _staleness(await ad(session, ad_id), before)
    await audit.record(
        session,
        actor,
        action,
        f"ad:{ad_id}",
        label=known.draft.title,
        before={"status": known.status.value},
        after={"status": status.value},
        reason=reason,
        now=now,
    )
    _log.info(
        "ad.reviewed", ad=str(ad_id), status=status.value, reason=reason, by=str(actor.user_id)
    )
    return known


async def _tell(session: AsyncSession, reviewed: ReviewedAd, *, now: datetime) -> None:
    await letters.tell_review(session, reviewed.id, now=now)
    live.announce_after(session, CHANGED, str(reviewed.advertiser_id))
    await serving.sync(session, reviewed.campaign_id, now=now)


async def credit_back(
    session: AsyncSession, actor: Actor | None, view_id: UUID, reason: str, *, now: datetime
) -> None:
    """The company gets back what it paid for a view, once; the player keeps the coins.

    Its campaign can show another view for it; after it was settled the balance gets the money.
    """
    why = review_rules.reason_from(reason, longest=review_rules.LONGEST_CREDIT_REASON)
    gone = await places.invalidate(session, view_id, why, now=now)
    if gone is None:
        raise review_rules.NothingToCredit
    if gone.price and not gone.is_place_free:
        await money.enter(
            session,
            gone.advertiser_id,
            gone.price,
            money.Kind.CREDITED,
            f"view:{view_id}",
            subject=gone.campaign,
            now=now,
        )
    await audit.record(
        session,
        actor,
        Action.VIEW_CREDITED_BACK,
        f"view:{view_id}",
        label=gone.campaign,
        after={"given_back": _dollars(gone.price)},
        reason=why,
        now=now,
    )
    live.announce_after(session, places.VIEWED, str(gone.advertiser_id))
    live.announce_after(session, CHANGED, str(gone.advertiser_id))
    _log.info(
        "view.credited_back",
        view=str(view_id),
        reason=why,
        by=str(actor.user_id) if actor else "command line",
    )
    if gone.is_place_free:
        await serving.sync(session, gone.campaign_id, now=now)


def _dollars(parts: int) -> str:
    """As it stays written down: $0.5 of 50,000 thousandths of a cent."""
    return f"${(Decimal(parts) / PARTS_A_DOLLAR).normalize():f}"
