"""Members and invitations in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import new_id


@dataclass(frozen=True, slots=True)
class Member:
    account_id: UUID
    name: str
    email: str
    role: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Invitation:
    id: UUID
    advertiser_id: UUID
    company: str
    email: str
    invited_by: str
    expires_at: datetime


MEMBERS: LiteralString = """
select member.account_id, account.display_name,
    case when account.closed_at is null then account.email else '' end, member.role,
    member.created_at
from advertiser_members member join accounts account on account.id = member.account_id
where member.advertiser_id = %(id)s
order by member.role <> 'owner', member.created_at
"""


async def members(session: AsyncSession, advertiser_id: UUID) -> Sequence[Member]:
    return [Member(*row) for row in await rows(session, MEMBERS, {"id": advertiser_id})]


async def remove(session: AsyncSession, advertiser_id: UUID, account_id: UUID) -> bool:
    """Not the owner."""
    query: LiteralString = """
        delete from advertiser_members
        where advertiser_id = %(advertiser)s and account_id = %(account)s and role = 'member'
        returning account_id
    """
    values = {"advertiser": advertiser_id, "account": account_id}
    return await write(session, query, values) is not None


_INVITATIONS: LiteralString = """
select invitation.id, invitation.advertiser_id, company.company_name, invitation.email,
    coalesce(nullif(account.display_name, ''), company.company_name), invitation.expires_at
from advertiser_invitations invitation
    join advertisers company on company.id = invitation.advertiser_id
    left join accounts account on account.id = invitation.invited_by
"""
OF_COMPANY: LiteralString = (
    _INVITATIONS + "where invitation.advertiser_id = %(id)s order by invitation.created_at"
)
FOR_EMAIL: LiteralString = (
    _INVITATIONS
    + """where invitation.email = %(email)s and invitation.expires_at > %(now)s
    and company.status = 'approved'
order by invitation.token_hash = %(token)s desc, invitation.created_at desc limit 1"""
)
LOCK: LiteralString = (
    _INVITATIONS
    + """where invitation.id = %(id)s and invitation.email = %(email)s
    and invitation.expires_at > %(now)s and company.status = 'approved'
for update of invitation"""
)


async def invitations(session: AsyncSession, advertiser_id: UUID) -> Sequence[Invitation]:
    return [Invitation(*row) for row in await rows(session, OF_COMPANY, {"id": advertiser_id})]


async def for_email(
    session: AsyncSession, email: str, token_hash: str, *, now: datetime
) -> Invitation | None:
    """The invitation of this token, or else the newest one of this address."""
    values = {"email": email, "token": token_hash, "now": now}
    found = await rows(session, FOR_EMAIL, values)
    return Invitation(*found[0]) if found else None


async def lock(
    session: AsyncSession, invitation_id: UUID, email: str, *, now: datetime
) -> Invitation | None:
    found = await rows(session, LOCK, {"id": invitation_id, "email": email, "now": now})
    return Invitation(*found[0]) if found else None


INVITE: LiteralString = """
insert into advertiser_invitations
    (id, advertiser_id, email, token_hash, invited_by, expires_at, created_at)
values (%(id)s, %(advertiser)s, %(email)s, %(token)s, %(by)s, %(until)s, %(now)s)
on conflict (advertiser_id, email) do update set token_hash = excluded.token_hash,
    invited_by = excluded.invited_by, expires_at = excluded.expires_at
"""


async def invite(
    session: AsyncSession,
    advertiser_id: UUID,
    email: str,
    token_hash: str,
    by: UUID,
    *,
    until: datetime,
    now: datetime,
) -> None:
    """Invited once more, the link of before leads nowhere any more."""
    connection = await session.connection()
    values = {
        "id": new_id(),
        "advertiser": advertiser_id,
        "email": email,
        "token": token_hash,
        "by": by,
        "until": until,
        "now": now,
    }
    await connection.exec_driver_sql(INVITE, values)


async def email_of(session: AsyncSession, advertiser_id: UUID, invitation_id: UUID) -> str | None:
    query: LiteralString = (
        "select email from advertiser_invitations"
        " where id = %(id)s and advertiser_id = %(advertiser)s"
    )
    found = await rows(session, query, {"id": invitation_id, "advertiser": advertiser_id})
    return found[0][0] if found else None


async def withdraw(session: AsyncSession, advertiser_id: UUID, invitation_id: UUID) -> bool:
    query: LiteralString = (
        "delete from advertiser_invitations"
        " where id = %(id)s and advertiser_id = %(advertiser)s returning id"
    )
    values = {"id": invitation_id, "advertiser": advertiser_id}
    return await write(session, query, values) is not None
