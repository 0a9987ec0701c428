"""Companies as they described themselves, in the database."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, lock_row, rows, run, write
from rewards_app.features.advertiser.application_rules import Company
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.rules import Status
from rewards_app.models import Advertiser, AdvertiserMember


async def add(
    session: AsyncSession, account_id: UUID, company: Company, *, now: datetime
) -> UUID | None:
    """Keep the application of a company and who owns it; None if they act for one already."""
    applied = Advertiser(account_id=account_id, company_name="", created_at=now, updated_at=now)
    describe(applied, company, now=now)
    row = insert(Advertiser).values(applied.model_dump())
    added = await run(
        session,
        row.on_conflict_do_nothing(index_elements=["account_id"]).returning(col(Advertiser.id)),
    )
    if added.first() is None:
        return None
    is_owner = await add_member(session, account_id, applied.id, MemberRole.OWNER, now=now)
    return applied.id if is_owner else None


async def add_member(
    session: AsyncSession, account_id: UUID, advertiser_id: UUID, role: MemberRole, *, now: datetime
) -> bool:
    """False where they act for a company already."""
    member = AdvertiserMember(
        account_id=account_id, advertiser_id=advertiser_id, role=role.value, created_at=now
    )
    added = await run(
        session,
        insert(AdvertiserMember)
        .values(member.model_dump())
        .on_conflict_do_nothing(index_elements=["account_id"])
        .returning(col(AdvertiserMember.account_id)),
    )
    return added.first() is not None


LEAVE: LiteralString = """
with gone as (
    delete from advertiser_members
    where account_id = %(account)s and advertiser_id = %(advertiser)s returning advertiser_id
)
update advertisers company set updated_at = %(now)s from gone
where company.id = gone.advertiser_id returning company.id
"""


async def leave(
    session: AsyncSession, account_id: UUID, advertiser_id: UUID, *, now: datetime
) -> None:
    """They act for it no more; whose application it was stays known."""
    await write(session, LEAVE, {"account": account_id, "advertiser": advertiser_id, "now": now})


async def left_by(session: AsyncSession, account_id: UUID) -> Advertiser | None:
    """What somebody applied with who acts for no company now; for nobody else to change."""
    query = select(Advertiser).where(Advertiser.account_id == account_id)
    return (await session.exec(query.with_for_update(key_share=True))).first()


async def find(session: AsyncSession, advertiser_id: UUID) -> Advertiser:
    found = await session.get(Advertiser, advertiser_id)
    assert found is not None, "whoever acts for a company keeps it"
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """A company by its name, which is empty once nobody is left who could be named by it."""

    id: UUID
    name: str


# Each by a key: what they name may be a company itself, or one of its campaigns and payments.
OWNERS: LiteralString = """
select known.id, company.id, coalesce(nullif(company.company_name, '–'), '')
from unnest(%(ids)s::uuid[]) as known (id) join advertisers company on company.id = coalesce(
    (select id from advertisers where id = known.id),
    (select advertiser_id from ad_campaigns where id = known.id),
    (select advertiser_id from top_ups where id = known.id),
    (select top_ups.advertiser_id from payments join top_ups on top_ups.id = payments.subject_id
        where payments.id = known.id and payments.purpose = 'top_up')
)
"""


async def owners(session: AsyncSession, ids: Collection[UUID]) -> dict[UUID, Named]:
    """Of companies, campaigns, top-ups and payments: whose each of them is, where it is known."""
    if not ids:
        return {}
    found = await rows(session, OWNERS, {"ids": list(ids)})
    return {known: Named(company_id, name) for known, company_id, name in found}


async def lock(session: AsyncSession, advertiser_id: UUID) -> Advertiser:
    """As it is now, and for nobody else to change; views and campaigns go on meanwhile."""
    found = await lock_row(session, Advertiser, advertiser_id)
    assert found is not None, "whoever acts for a company keeps it"
    return found


async def lock_if_there(session: AsyncSession, advertiser_id: UUID) -> Advertiser | None:
    """The same of an application, which may be withdrawn meanwhile."""
    return await lock_row(session, Advertiser, advertiser_id)


async def delete(session: AsyncSession, advertiser_id: UUID) -> None:
    """With who acted for it. One that has campaigns or money is not let go by the database."""
    query: LiteralString = "delete from advertisers where id = %(id)s returning id"
    await write(session, query, {"id": advertiser_id})


def describe(known: Advertiser, company: Company, *, now: datetime) -> None:
    known.company_name = company.name
    known.email = company.email
    known.phone = company.phone
    known.website = company.website
    known.updated_at = now


def apply_again(rejected: Advertiser, company: Company, *, now: datetime) -> None:
    describe(rejected, company, now=now)
    rejected.status = Status.PENDING.value
    rejected.reason = ""
    rejected.decided_at = rejected.decided_by = None
