"""The people of a company: its owner invites colleagues, who then act for it, too."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live, mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.sealed import fingerprint
from rewards_app.core.settings import settings
from rewards_app.features.advertiser import (
    company_repository,
    fields,
    leaving,
    membership,
    people_repository,
    people_rules,
    rules,
)
from rewards_app.features.advertiser.membership import CHANGED, MemberRole, Membership
from rewards_app.features.advertiser.people_repository import Invitation, Member
from rewards_app.features.advertiser.people_rules import Way

INVITATIONS = limits.parse("20 per hour")
ATTEMPTS = limits.parse("60/hour")
"""Also those that are refused."""
INVITED_BY_ONE = limits.parse("5/day")
"""How often one company invites an address: what others send it is none of its business."""
INVITED_BY_ALL = limits.parse("20/day")
"""How often all companies together do: nobody's letter box is filled from here."""


@dataclass(frozen=True, slots=True)
class People:
    members: Sequence[Member]
    invitations: Sequence[Invitation]


async def people_of(session: AsyncSession, actor: Actor) -> People:
    """Whoever acts for the company sees who else does; the owner also sees who is invited."""
    company = await membership.own_company(session, actor)
    members = await people_repository.members(session, company.advertiser_id)
    if company.role is not MemberRole.OWNER:
        return People(members, [])
    invitations = await people_repository.invitations(session, company.advertiser_id)
    return People(members, invitations)


async def invite(
    session: AsyncSession,
    actor: Actor,
    form: Mapping[str, str],
    *,
    language: str,
    now: datetime,
) -> str:
    """Mail a link to a colleague; the address as it is kept."""
    company = await membership.owned_company(session, actor)
    email = fields.email_from(form.get("colleague", ""), "colleague")
    await company_repository.lock(session, company.advertiser_id)
    known = await people_of(session, actor)
    if email in [member.email for member in known.members]:
        raise people_rules.IsMember("colleague")
    is_new = email not in [invitation.email for invitation in known.invitations]
    count = len(known.members) + len(known.invitations)
    if is_new and count >= people_rules.MOST_PEOPLE:
        raise people_rules.TooManyPeople(most=people_rules.MOST_PEOPLE)
    await _send(session, actor, company, email, language, now=now)
    return email


async def invite_again(
    session: AsyncSession, actor: Actor, invitation_id: UUID, *, language: str, now: datetime
) -> str:
    """A new link, by which the old one is worth nothing."""
    company = await membership.owned_company(session, actor)
    email = await people_repository.email_of(session, company.advertiser_id, invitation_id)
    if email is None:
        raise people_rules.UnknownInvitation
    await _send(session, actor, company, email, language, now=now)
    return email


async def _send(
    session: AsyncSession,
    actor: Actor,
    company: Membership,
    email: str,
    language: str,
    *,
    now: datetime,
) -> None:
    await _count(str(company.advertiser_id), fingerprint(email))
    token = secrets.token_urlsafe(32)
    until = now + people_rules.INVITATION_LASTS
    await people_repository.invite(
        session, company.advertiser_id, email, digest(token), actor.user_id, until=until, now=now
    )
    letter = mail.Letter(
        email,
        language,
        "invitation",
        link=f"{settings().origin}/advertiser?invite={token}",
        params={"company": company.company, "name": actor.name, "email": email},
        about=str(actor.user_id),
    )
    await mail.send(session, letter)
    live.announce_after(session, CHANGED, str(company.advertiser_id))


async def _count(company: str, address: str) -> None:
    """An invitation that one limit refuses is counted by none of them, but as an attempt."""
    await limits.spend(ATTEMPTS, "inviting", company)
    counted: list[tuple[limits.RateLimitItem, tuple[str, ...]]] = [
        (INVITATIONS, ("invite", company)),
        (INVITED_BY_ONE, ("invited-by", company, address)),
        (INVITED_BY_ALL, ("invited", address)),
    ]
    for number, (limit, who) in enumerate(counted):
        try:
            await limits.spend(limit, *who)
        except TooManyAttempts:
            for spent, by in counted[:number]:
                await limits.give_back(spent, *by)
            raise


async def withdraw(session: AsyncSession, actor: Actor, invitation_id: UUID) -> None:
    company = await membership.owned_company(session, actor)
    if not await people_repository.withdraw(session, company.advertiser_id, invitation_id):
        raise people_rules.UnknownInvitation
    live.announce_after(session, CHANGED, str(company.advertiser_id))


async def remove(session: AsyncSession, actor: Actor, account_id: UUID) -> None:
    """They act for the company no more, in pages that are open, too."""
    company = await membership.owned_company(session, actor)
    if not await people_repository.remove(session, company.advertiser_id, account_id):
        raise people_rules.UnknownMember
    _announce_gone(session, company, account_id)


async def leave(session: AsyncSession, actor: Actor, *, now: datetime) -> Membership:
    """The actor acts for the company no more, and is free for another; its owner stays.

    An owner who is deleting their account may be all that is left: then what runs waits.
    """
    company = await membership.own_company(session, actor)
    await leaving.pause(session, actor.user_id, now)
    if not await people_repository.remove(session, company.advertiser_id, actor.user_id):
        raise people_rules.UnknownMember
    _announce_gone(session, company, actor.user_id)
    return company


def _announce_gone(session: AsyncSession, company: Membership, account_id: UUID) -> None:
    live.announce_after(session, CHANGED, str(company.advertiser_id))
    # They are none of its people any more, and their frame still says so.
    live.announce_after(session, CHANGED, str(account_id))


async def invitation_for(
    session: AsyncSession, actor: Actor, token: str, *, now: datetime
) -> Invitation | None:
    """What waits for the actor's own address: the link's, or else the newest.

    The link alone opens nothing: whoever was mailed it has proven the same address.
    """
    if actor.role is Role.ADMIN:
        return None
    return await people_repository.for_email(session, actor.email, digest(token), now=now)


async def way_in(session: AsyncSession, actor: Actor) -> tuple[Way, str]:
    """What becomes of an invitation, and the name of the company that is in its way."""
    own = await membership.membership_of(session, actor.user_id)
    if own is None:
        return Way.FREE, ""
    members = await people_repository.members(session, own.advertiser_id)
    return people_rules.way_past(own.status, is_theirs_alone=len(members) == 1), own.company


async def accept(
    session: AsyncSession, actor: Actor, invitation_id: UUID, *, now: datetime
) -> Invitation:
    """From now on the actor acts for the company; the invitation is used up.

    An application of theirs that was rejected stays behind: they may take it up again later.
    """
    if actor.role is Role.ADMIN:
        raise people_rules.UnknownInvitation
    found = await people_repository.lock(session, invitation_id, actor.email, now=now)
    if found is None:
        raise people_rules.UnknownInvitation
    await people_repository.withdraw(session, found.advertiser_id, found.id)
    await _leave_what_was_rejected(session, actor, now=now)
    is_added = await company_repository.add_member(
        session, actor.user_id, found.advertiser_id, MemberRole.MEMBER, now=now
    )
    if not is_added:
        raise rules.ActsAlready
    live.announce_after(session, CHANGED, str(found.advertiser_id))
    live.announce_after(session, CHANGED, str(actor.user_id))
    return found


async def _leave_what_was_rejected(session: AsyncSession, actor: Actor, *, now: datetime) -> None:
    """Unless it waits again meanwhile, or somebody approved it."""
    own = await membership.membership_of(session, actor.user_id)
    if own is None:
        return
    await company_repository.lock(session, own.advertiser_id)
    way, _ = await way_in(session, actor)
    if way is not Way.LEAVES:
        raise rules.ActsAlready
    await company_repository.leave(session, actor.user_id, own.advertiser_id, now=now)
    live.announce_after(session, CHANGED, str(own.advertiser_id))
