"""Links that are mailed: each for one purpose, of one account, used once and in time."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core import limits
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import repository, rules, token_repository
from rewards_app.models import Account, EmailLink

A_DAY = timedelta(days=1)
MAILED_A_DAY = 20
PER_ADDRESS = limits.parse("30/10minutes")
"""Of links that are none of ours."""
OVER = (
    rules.LinkExpired,
    rules.LinkUsed,
    rules.AddressMoved,
    rules.AddressTakenMeanwhile,
)
"""Told where a link opens nothing any more, also when it is tried again."""

VERIFY, RESET = "verify", "reset"
USE, STOP = "email", repository.KEEPS_ADDRESS
LIFETIMES = {
    VERIFY: rules.VERIFICATION_LIFETIME,
    RESET: rules.RESET_LIFETIME,
    USE: timedelta(hours=1),
    STOP: timedelta(hours=24),
}


def new(
    session: AsyncSession,
    account: Account,
    purpose: str,
    *,
    new_email: str | None = None,
    door_hash: str = "",
    now: datetime,
) -> str:
    """The secret that is mailed; only its hash is kept."""
    token = secrets.token_urlsafe(32)
    session.add(
        EmailLink(
            token_hash=digest(token),
            account_id=account.id,
            purpose=purpose,
            new_email=new_email,
            door_hash=door_hash,
            created_at=now,
            expires_at=now + LIFETIMES[purpose],
        )
    )
    return token


async def are_enough(
    session: AsyncSession, account_id: UUID, purpose: str, *, now: datetime
) -> bool:
    """Whether another one would only fill the mailbox, whoever asks for it.

    Not while none of them opens anything: that would keep its owner out.
    """
    mailed, still_open = await token_repository.links_mailed(
        session, account_id, purpose, since=now - A_DAY, now=now
    )
    return mailed >= MAILED_A_DAY and still_open > 0


async def used(
    session: AsyncSession, token: str, purpose: str, caller: Caller, *, now: datetime
) -> EmailLink:
    link = await known(session, token, purpose, caller)
    use(session, link, now=now)
    return link


async def known(session: AsyncSession, token: str, purpose: str, caller: Caller) -> EmailLink:
    """One of ours, whether it still opens something or not."""
    await limits.spend(PER_ADDRESS, "link", caller.source)
    link = await token_repository.lock_link(session, digest(token), purpose)
    if link is None:
        raise rules.LinkExpired
    await limits.give_back(PER_ADDRESS, "link", caller.source)
    return link


def refuse_over(link: EmailLink, *, now: datetime) -> None:
    if link.expires_at <= now:
        raise rules.LinkExpired
    if link.used_at:
        raise rules.LinkUsed


def use(session: AsyncSession, link: EmailLink, *, now: datetime) -> None:
    refuse_over(link, now=now)
    link.used_at = now
    session.add(link)


async def use_up(
    session: AsyncSession,
    account_id: UUID,
    *purposes: str,
    since: datetime | None = None,
    now: datetime,
) -> None:
    """Links for these purposes open nothing any more: all, or those made at `since` or later."""
    await token_repository.use_up_links(session, account_id, purposes, since=since, now=now)


async def owner(session: AsyncSession, link: EmailLink) -> Account:
    account = await repository.account_by_id(session, link.account_id)
    assert account is not None, "a link goes with its account"
    return account
