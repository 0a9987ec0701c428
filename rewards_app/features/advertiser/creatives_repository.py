"""Companies' ads in the database, of one company or of all."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.like import literally
from rewards_app.features.ads.funding import IS_COVERED
from rewards_app.features.advertiser.ad_rules import Draft, Kind, Status

ENDED = "completed"
"""The status of an ad whose campaign has ended: it is shown to nobody, whatever it was."""

_COLUMNS: LiteralString = """
select ads.id, ads.campaign_id, campaign.name, campaign.status, campaign.advertiser_id,
    advertiser.company_name, ads.status, ads.title, ads.description, ads.ad_type, ads.video_url,
    ads.image_url, ads.click_url, ads.duration, ads.reward_coins, ads.review_reason,
    ads.is_review_due, coalesce(campaign.budget_cents, 0), ads.created_at
"""
_OWN: LiteralString = """
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
where (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)
"""
_STATUS: LiteralString = """
case campaign.status when 'completed' then 'completed' else ads.status end
"""
_FOUND: LiteralString = f"""
{_OWN} and (%(campaign)s::uuid is null or ads.campaign_id = %(campaign)s)
    and (%(ad)s::uuid is null or ads.id = %(ad)s)
    and (%(search)s = '' or ads.title ilike %(pattern)s)
"""
NEWEST: LiteralString = f"""
{_COLUMNS} {_FOUND} and (%(status)s = '' or {_STATUS} = %(status)s)
    and (%(before)s::uuid is null or ads.id < %(before)s)
order by ads.id desc limit %(limit)s
"""
COUNTS: LiteralString = f"select {_STATUS} as shown, count(*) {_FOUND} group by shown"
ONE: LiteralString = f"{_COLUMNS} {_OWN} and ads.id = %(id)s"
LOCK: LiteralString = f"{_COLUMNS} {_OWN} and ads.id = %(id)s for no key update of ads"


@dataclass(frozen=True, slots=True)
class Search:
    """`text` is looked for in titles, in whatever case; `status` is one of an ad, or ENDED."""

    text: str = ""
    status: str = ""
    company_id: UUID | None = None
    """For who sees every company's ads."""
    campaign_id: UUID | None = None
    ad_id: UUID | None = None


EVERYTHING = Search()


@dataclass(frozen=True, slots=True)
class FoundAd:
    id: UUID
    campaign_id: UUID
    campaign: str
    campaign_status: str
    advertiser_id: UUID
    company: str
    status: Status
    draft: Draft
    review_reason: str
    is_review_due: bool
    """Who resumes it has it reviewed: it was approved at a higher price."""
    price: int
    """Of one completed view, in thousandths of a cent."""
    created_at: datetime


def _found(row: Any) -> FoundAd:
    (ad_id, campaign_id, campaign, campaign_status, advertiser_id, company, status, title,
     description, kind, video, image, click, seconds, coins, reason,
     is_review_due, price, created_at) = row  # fmt: skip
    draft = Draft(title, description, Kind(kind), video, image, click, seconds, coins)
    return FoundAd(
        ad_id,
        campaign_id,
        campaign,
        campaign_status,
        advertiser_id,
        company,
        Status(status),
        draft,
        reason,
        is_review_due,
        price,
        created_at,
    )


def _values(advertiser_id: UUID | None, search: Search) -> dict[str, Any]:
    return {
        "advertiser": advertiser_id,
        "campaign": search.campaign_id,
        "ad": search.ad_id,
        "search": search.text,
        "pattern": f"%{literally(search.text)}%",
    }


async def newest(
    session: AsyncSession,
    advertiser_id: UUID | None,
    search: Search,
    *,
    before: UUID | None,
    limit: int,
) -> list[FoundAd]:
    values = _values(advertiser_id, search) | {
        "status": search.status,
        "before": before,
        "limit": limit,
    }
    return [_found(row) for row in await rows(session, NEWEST, values)]


async def counts(
    session: AsyncSession, advertiser_id: UUID | None, search: Search
) -> dict[str, int]:
    """How many of each status the search finds, whichever status it asks for."""
    found = await rows(session, COUNTS, _values(advertiser_id, search))
    return {row[0]: row[1] for row in found}


async def one(session: AsyncSession, advertiser_id: UUID | None, ad_id: UUID) -> FoundAd | None:
    found = await rows(session, ONE, {"advertiser": advertiser_id, "id": ad_id})
    return _found(found[0]) if found else None


async def lock(session: AsyncSession, advertiser_id: UUID | None, ad_id: UUID) -> FoundAd | None:
    found = await rows(session, LOCK, {"advertiser": advertiser_id, "id": ad_id})
    return _found(found[0]) if found else None


ADD: LiteralString = """
insert into ads (id, campaign_id, title, description, ad_type, video_url, image_url, click_url,
    duration, reward_coins, status, review_reason, created_at, updated_at)
values (%(id)s, %(campaign)s, %(title)s, %(description)s, %(kind)s, %(video)s, %(image)s,
    %(click)s, %(seconds)s, %(coins)s, 'pending_review', '', %(now)s, %(now)s)
returning id
"""
CHANGE: LiteralString = """
update ads set title = %(title)s, description = %(description)s, ad_type = %(kind)s,
    video_url = %(video)s, image_url = %(image)s, click_url = %(click)s, duration = %(seconds)s,
    reward_coins = %(coins)s, status = 'pending_review', review_reason = '',
    is_review_due = false, updated_at = %(now)s
where id = %(id)s returning id
"""
TURN: LiteralString = """
update ads set status = %(status)s, is_review_due = false, updated_at = %(now)s
where id = %(id)s returning id
"""

# Also those that wait: who looks at one has seen another price. An approval would show a paused
# one, so it does not wait before its company resumes it.
REVIEW_AGAIN: LiteralString = f"""
with uncovered as (
    select ads.id, ads.status, ads.is_review_due
    from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
    where campaign.id = %(id)s and ads.status in ('active', 'paused', 'pending_review')
        and not {IS_COVERED}
    order by ads.id for no key update of ads
), waiting as (
    update ads set is_review_due = ads.status = 'paused', updated_at = %(now)s,
        status = case ads.status when 'paused' then 'paused' else 'pending_review' end
    from uncovered where ads.id = uncovered.id
    returning uncovered.status, uncovered.is_review_due
)
select count(*) filter (where status = 'active' or status = 'paused' and not is_review_due)
from waiting
"""  # noqa: S608  (all parts are ours)


def _drafted(draft: Draft) -> dict[str, Any]:
    return {
        "title": draft.title,
        "description": draft.description,
        "kind": draft.kind.value,
        "video": draft.video_url,
        "image": draft.image_url,
        "click": draft.click_url,
        "seconds": draft.seconds,
        "coins": draft.coins,
    }


async def add(
    session: AsyncSession, ad_id: UUID, campaign_id: UUID, draft: Draft, *, now: datetime
) -> None:
    await write(session, ADD, _drafted(draft) | {"id": ad_id, "campaign": campaign_id, "now": now})


async def change(session: AsyncSession, ad_id: UUID, draft: Draft, *, now: datetime) -> None:
    """It is another ad now, and waits for its review; when it was looked at last stays.

    What players had reported until then was looked at, too.
    """
    await write(session, CHANGE, _drafted(draft) | {"id": ad_id, "now": now})


async def turn(session: AsyncSession, ad_id: UUID, status: Status, *, now: datetime) -> None:
    await write(session, TURN, {"id": ad_id, "status": status.value, "now": now})


async def review_uncovered(session: AsyncSession, campaign_id: UUID, *, now: datetime) -> int:
    """How many ads of the campaign are reviewed again, since a view costs less now.

    Those that are paused are when they are resumed.
    """
    return (await write(session, REVIEW_AGAIN, {"id": campaign_id, "now": now}))[0]
