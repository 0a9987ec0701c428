"""Signing in a person whom a provider vouches for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rewards_app.core import live
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.features.accounts import (
    contacts,
    name_rules,
    repository,
    rules,
    sessions,
    steps,
    taking_over,
)
from rewards_app.features.arrivals import service as arrivals
from rewards_app.features.arrivals.rules import LED_BY
from rewards_app.features.legal import service as legal
from rewards_app.i18n import languages
from rewards_app.models import Account


@dataclass(frozen=True, slots=True)
class Vouched:
    """What a provider says of a person; only a verified email says who it is."""

    provider: str
    subject: str
    email: str
    name: str


SAID = ("language", "type", "addresses", LED_BY)
"""The names under which the address of a provider's button says what is wished."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What our page knew of somebody who left for a provider; nothing, where they came past it."""

    language: str = languages.DEFAULT
    kind: rules.AccountKind = rules.AccountKind.PLAYER
    may_log_address: bool = False
    led_by: str = ""
    """The campaign of the visit, where it may be counted."""
    has_read: bool = False
    """What an account accepts stood beside the button."""


def wishes_from(said: Mapping[str, Any]) -> Wishes:
    """What is not known to us is as if it was not said."""
    if "language" not in said:
        return Wishes()
    return Wishes(
        language=languages.known(str(said["language"])),
        kind=rules.kind_from(str(said.get("type"))),
        may_log_address=said.get("addresses") == "yes",
        led_by=str(said.get(LED_BY, "")),
        has_read=True,
    )


def vouched_from(provider: str, claims: Mapping[str, Any]) -> Vouched:
    subject, email = str(claims.get("sub") or ""), str(claims.get("email") or "").strip().lower()
    if not subject or not email or claims.get("email_verified") is not True:
        raise rules.ProviderRefused
    contacts.refuse_bad_email(email)
    name = name_rules.untyped_name(str(claims.get("name") or ""), rules.name_in(email))
    return Vouched(provider, subject[:255], email, name)


async def sign_in(
    session: AsyncSession, person: Vouched, wishes: Wishes, caller: Caller, *, now: datetime
) -> steps.Ticket | steps.Step:
    """For the account of this person, which is made on their first visit, as they wished it."""
    account = await _known(session, person) or await _joined(
        session, person, wishes, caller, now=now
    )
    may_log_address = wishes.may_log_address
    return await steps.first(session, account, caller, may_log_address=may_log_address, now=now)


async def _known(session: AsyncSession, person: Vouched) -> Account | None:
    """Locked: while it was waited for, its owner may have sent the provider away."""
    found = await repository.account_by_identity(session, person.provider, person.subject)
    if found is None:
        return None
    await lock_row(session, Account, found.id)
    return await repository.account_by_identity(session, person.provider, person.subject)


async def _joined(
    session: AsyncSession, person: Vouched, wishes: Wishes, caller: Caller, *, now: datetime
) -> Account:
    account = await repository.locked_by_email(session, person.email) or await _added(
        session, person, wishes, caller, now=now
    )
    if account.email_verified_at is None:
        await _make_theirs(session, account, person, wishes, now=now)
    await repository.add_identity(session, account.id, person.provider, person.subject, now=now)
    return account


async def _make_theirs(
    session: AsyncSession, account: Account, person: Vouched, wishes: Wishes, *, now: datetime
) -> None:
    """They come as on a first visit."""
    await taking_over.make_theirs(session, account, _account_for(person, wishes, now=now))
    if wishes.has_read:
        await legal.note_reading(session, account.id, at_sign_up=True, now=now)


async def _added(
    session: AsyncSession, person: Vouched, wishes: Wishes, caller: Caller, *, now: datetime
) -> Account:
    account = _account_for(person, wishes, now=now)
    if not await repository.add_account(session, account):
        # Who presses twice comes twice, and finds what they made a moment ago.
        known = await repository.locked_by_email(session, person.email)
        if known is None:
            raise rules.ProviderRefused
        return known
    if wishes.has_read:
        await legal.note_reading(session, account.id, at_sign_up=True, now=now)
    await arrivals.note_sign_up(session, wishes.led_by, caller, now=now)
    live.announce_after(session, sessions.ACCOUNT_ADDED)
    return account


def _account_for(person: Vouched, wishes: Wishes, *, now: datetime) -> Account:
    return taking_over.proven_account(
        person.email, person.name, kind=wishes.kind, language=wishes.language, now=now
    )
