"""What people said of themselves at sign-up, and may correct: country, phone, gender."""

from collections.abc import Mapping
from dataclasses import fields

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import contacts, service, sessions
from rewards_app.features.accounts.rules import Details
from rewards_app.models import Account

_log = structlog.get_logger(__name__)

CHANGED = "details_changed"
"""Announced with the account's id: prices are shown in another money, too."""
CHANGES_PER_ACCOUNT = limits.parse("10/day")


async def details_of(session: AsyncSession, actor: Actor) -> Details:
    account = await service.find(session, actor.user_id)
    assert account is not None, "who acts has an account"
    return _told(account)


async def correct(session: AsyncSession, actor: Actor, form: Mapping[str, str]) -> bool:
    """Keep what was typed; open tabs learn it. False where nothing is different.

    Orders stay in kronor, as they were made.
    """
    known = await details_of(session, actor)
    wished = contacts.corrected(form, known)
    if wished == known:
        return False
    await limits.spend(CHANGES_PER_ACCOUNT, "details", str(actor.user_id))
    account = await service.locked_open(session, actor.user_id)
    account.country = wished.country
    account.phone, account.gender = wished.phone or None, wished.gender or None
    session.add(account)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account.id))
    live.announce_after(session, CHANGED, str(account.id))
    _log.info(
        "account.details_changed", account_id=str(account.id), changed=_changes(known, wished)
    )
    return True


def _told(account: Account) -> Details:
    return Details(account.country, account.phone or "", account.gender or "")


def _changes(before: Details, after: Details) -> list[str]:
    """Which of them, and not what they are."""
    names = (one.name for one in fields(Details))
    return [name for name in names if getattr(before, name) != getattr(after, name)]
