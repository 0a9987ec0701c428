"""What forms offer to choose from: companies to plan for, campaigns to make ads for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, LiteralString, TypeVar
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.like import literally

MOST_CHOICES = 100
One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Choice(Generic[One]):
    """What one can choose from; where there is more of it, it is found by a part of its name."""

    shown: Sequence[One]
    are_more: bool


def _choice(found: Sequence[One]) -> Choice[One]:
    return Choice(found[:MOST_CHOICES], len(found) > MOST_CHOICES)


def _wanted(text: str, chosen: UUID | None) -> dict[str, Any]:
    """What is `chosen` already comes first, whatever it is called."""
    return {
        "search": text,
        "pattern": f"%{literally(text)}%",
        "chosen": chosen,
        "limit": MOST_CHOICES + 1,
    }


APPROVED: LiteralString = """
select id, company_name from advertisers
where status = 'approved'
    and (%(search)s = '' or company_name ilike %(pattern)s or id = %(chosen)s::uuid)
order by id is not distinct from %(chosen)s::uuid desc, company_name limit %(limit)s
"""


async def approved(
    session: AsyncSession, text: str = "", *, chosen: UUID | None = None
) -> Choice[tuple[UUID, str]]:
    found = await rows(session, APPROVED, _wanted(text, chosen))
    return _choice([(row[0], row[1]) for row in found])


@dataclass(frozen=True, slots=True)
class OpenCampaign:
    """One that ads can be made for."""

    id: UUID
    name: str
    company: str
    price: int
    """Of one completed view, in thousandths of a cent."""


OPEN: LiteralString = """
select campaign.id, campaign.name, advertiser.company_name, coalesce(campaign.budget_cents, 0)
from ad_campaigns campaign join advertisers advertiser on advertiser.id = campaign.advertiser_id
where campaign.status <> 'completed'
    and (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)
    and (%(search)s = '' or campaign.name ilike %(pattern)s
        or %(is_of_all)s and advertiser.company_name ilike %(pattern)s
        or campaign.id = %(chosen)s::uuid)
order by campaign.id is not distinct from %(chosen)s::uuid desc, campaign.id desc limit %(limit)s
"""


async def open_for_ads(
    session: AsyncSession,
    advertiser_id: UUID | None,
    text: str = "",
    *,
    chosen: UUID | None = None,
) -> Choice[OpenCampaign]:
    """The newest first; among those of all companies one is found by its company, too."""
    own = {"advertiser": advertiser_id, "is_of_all": advertiser_id is None}
    found = await rows(session, OPEN, own | _wanted(text, chosen))
    return _choice([OpenCampaign(*row) for row in found])
