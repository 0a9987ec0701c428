"""Who acts for which company, and whose campaigns, ads and figures somebody may see."""

from dataclasses import dataclass
from enum import StrEnum
from typing import LiteralString
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, lookup_all, rows
from rewards_app.features.advertiser.rules import NotAnAdvertiser, NotTheOwner, Status

CHANGED = "advertisers.changed"
"""Announced with the company's id: its application, campaigns, ads, money or people changed."""


class MemberRole(StrEnum):
    OWNER = "owner"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Membership:
    """The company that an account acts for."""

    advertiser_id: UUID
    company: str
    status: Status
    reason: str
    role: MemberRole


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose things somebody may see and change: one company's, or, for admins, everybody's."""

    advertiser_id: UUID | None

    @property
    def is_everything(self) -> bool:
        return self.advertiser_id is None

    def within(self, advertiser_id: UUID | None) -> "Scope":
        """One company's alone, for who sees everybody's; what others see stays as it is."""
        return Scope(advertiser_id) if self.is_everything else self

    def includes(self, advertiser_id: UUID) -> bool:
        return self.advertiser_id in (None, advertiser_id)


EVERYTHING = Scope(None)

OF_ACCOUNT: LiteralString = """
select advertiser.id, advertiser.company_name, advertiser.status, advertiser.reason, member.role
from advertiser_members member join advertisers advertiser on advertiser.id = member.advertiser_id
where member.account_id = %(account)s
"""


HAS_SOMEBODY: LiteralString = """(
    exists (select from advertiser_members member
        join accounts account on account.id = member.account_id
        where member.advertiser_id = advertiser.id and account.closed_at is null
            and not exists (select from account_restrictions restriction
                where restriction.account_id = account.id and restriction.kind = 'suspended'
                    and restriction.ended_at is null))
    or not exists (select from advertiser_members member
        where member.advertiser_id = advertiser.id)
)"""
"""Whether somebody can look after the campaigns of `advertiser`; the house's own need nobody."""


COMPANIES: LiteralString = """
select count(distinct member.advertiser_id)
from advertiser_members member join advertisers advertiser on advertiser.id = member.advertiser_id
join accounts account on account.id = member.account_id
where advertiser.status = 'approved' and account.closed_at is null
"""


async def companies(session: AsyncSession) -> int:
    """How many were approved and have somebody; the house's own have nobody."""
    found = await rows(session, COMPANIES, {})
    return found[0][0]


async def membership_of(session: AsyncSession, account_id: UUID) -> Membership | None:
    found = await rows(session, OF_ACCOUNT, {"account": account_id})
    if not found:
        return None
    advertiser_id, company, status, reason, role = found[0]
    return Membership(advertiser_id, company, Status(status), reason, MemberRole(role))


async def scope_or_none(session: AsyncSession, actor: Actor) -> Scope | None:
    """What the actor may see; nothing for whoever acts for no approved company."""
    if actor.role is Role.ADMIN:
        return EVERYTHING
    member = await membership_of(session, actor.user_id)
    if member is None or member.status is not Status.APPROVED:
        return None
    return Scope(member.advertiser_id)


async def people_of(key: UUID) -> list[UUID]:
    """The accounts that a change concerns: who acts for this company, or who it is about.

    Outside any transaction: whoever hears of the change keeps no other news waiting for one.
    """
    query: LiteralString = "select account_id from advertiser_members where advertiser_id = %(key)s"
    return [row[0] for row in await lookup_all(query, {"key": key})] or [key]


async def scope_of(session: AsyncSession, actor: Actor) -> Scope:
    """What the actor may see; whoever acts for no approved company is refused."""
    scope = await scope_or_none(session, actor)
    if scope is None:
        raise NotAnAdvertiser
    return scope


async def own_company(session: AsyncSession, actor: Actor) -> Membership:
    """The approved company that the actor acts for."""
    member = await membership_of(session, actor.user_id)
    if member is None or member.status is not Status.APPROVED:
        raise NotAnAdvertiser
    return member


async def owned_company(session: AsyncSession, actor: Actor) -> Membership:
    """The approved company whose owner the actor is."""
    member = await own_company(session, actor)
    if member.role is not MemberRole.OWNER:
        raise NotTheOwner
    return member
