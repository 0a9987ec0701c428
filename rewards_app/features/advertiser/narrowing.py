"""What an address narrows lists and figures down to: one company, one of its campaigns, one ad."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import id_from
from rewards_app.features.advertiser.membership import Scope
from rewards_app.features.advertiser.rules import UnknownAd, UnknownCampaign, UnknownCompany


class To(StrEnum):
    """Each is part of the one before it; the name is the address's, too."""

    COMPANY = "company"
    CAMPAIGN = "campaign"
    AD = "ad"


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Whose things are shown: all that somebody may see, or the part of it that was asked for."""

    scope: Scope
    to: To | None = None
    id: UUID | None = None
    name: str = ""
    gone: DomainError | None = None
    """What was asked for is made up, another's, or not there any more."""

    def only(self, kind: To) -> UUID | None:
        return self.id if self.to is kind else None

    @property
    def shown(self) -> dict[str, str]:
        """As a page keeps it; empty for everything."""
        return {"to": self.to.value, "id": str(self.id), "name": self.name} if self.to else {}


COMPANY: LiteralString = """
select company.id, company.company_name from advertisers company where company.id = %(id)s
"""
_OF_A_COMPANY: LiteralString = (
    "and (%(advertiser)s::uuid is null or campaign.advertiser_id = %(advertiser)s)"
)
CAMPAIGN: LiteralString = f"""
select campaign.advertiser_id, campaign.name from ad_campaigns campaign
where campaign.id = %(id)s {_OF_A_COMPANY}
"""  # noqa: S608  (both parts are ours)
AD: LiteralString = f"""
select campaign.advertiser_id, ads.title
from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
where ads.id = %(id)s {_OF_A_COMPANY}
"""  # noqa: S608  (both parts are ours)
FOUND: dict[To, tuple[LiteralString, type[DomainError]]] = {
    To.COMPANY: (COMPANY, UnknownCompany),
    To.CAMPAIGN: (CAMPAIGN, UnknownCampaign),
    To.AD: (AD, UnknownAd),
}


async def narrowed(
    session: AsyncSession, scope: Scope, asked: Mapping[str, str], *kinds: To
) -> Narrowed:
    """The smallest of `kinds` that `asked` names, within the scope.

    Only who sees every company's things can ask for one company's.
    """
    for kind in sorted(kinds, key=list(To).index, reverse=True):
        if asked.get(kind) and (kind is not To.COMPANY or scope.is_everything):
            return await _named(session, scope, kind, asked[kind])
    return Narrowed(scope)


async def _named(session: AsyncSession, scope: Scope, kind: To, raw: str) -> Narrowed:
    query, unknown = FOUND[kind]
    values = {"id": id_from(raw), "advertiser": scope.advertiser_id}
    found = await rows(session, query, values)
    if not found:
        return Narrowed(scope, gone=unknown())
    advertiser_id, name = found[0]
    return Narrowed(Scope(advertiser_id), kind, values["id"], name)
