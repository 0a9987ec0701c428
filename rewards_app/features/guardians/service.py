"""Asking a guardian, and what they answer: given, refused, or taken back.

A link names one request by a secret of which only the hash is kept. Opening it changes nothing.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession, lock_row, transaction
from rewards_app.core.ids import new_id
from rewards_app.core.sealed import fingerprint
from rewards_app.features.accounts import age, contacts
from rewards_app.features.accounts import service as accounts
from rewards_app.features.guardians import letters, repository, rules
from rewards_app.features.guardians.rules import Status
from rewards_app.features.legal.rules import Document
from rewards_app.features.legal.rules import newest as newest_edition
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import Kind
from rewards_app.models import Account, GuardianConsent

_log = structlog.get_logger(__name__)

CHANGED = "guardian_changed"
"""Announced with the account's id when its guardian was asked, or has answered."""
CARD = "/gdpr"
ASKED_PER_GUARDIAN = limits.parse("5/day")
LINKS_PER_ADDRESS = limits.parse("30/10minutes")


async def needs_guardian(account_id: UUID, now: datetime) -> bool:
    """Whether this person is 13 to 15, by what is known of their age."""
    born, today = await age.known_of(account_id, now=now)
    return rules.is_needed(born, today=today)


async def has_consent(session: AsyncSession, account_id: UUID) -> bool:
    return await repository.is_given(session, account_id)


async def is_missing(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Whether something still waits for a guardian's word; at 16 nothing does."""
    if not await needs_guardian(account_id, now):
        return False
    return not await has_consent(session, account_id)


async def may_be_seen(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Whether others may open this person's page: nobody's of whose age nothing is known."""
    born, today = await age.known_of(account_id, now=now)
    if born is None:
        return False
    return not rules.is_needed(born, today=today) or await has_consent(session, account_id)


async def seen_among(
    session: AsyncSession, accounts: Collection[UUID], *, now: datetime
) -> set[UUID]:
    """Those of these people whose page others may open: for lists, which link to it."""
    if not accounts:
        return set()
    ages = await age.known_of_all(session, accounts, now=now)
    known = {account_id for account_id, (born, _) in ages.items() if born is not None}
    young = {one for one in known if rules.is_needed(ages[one].born, today=ages[one].today)}
    return known - young | (await repository.given_for(session, young) if young else set[UUID]())


async def refuse_without_consent(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    if await is_missing(session, account_id, now=now):
        raise rules.ConsentNeeded


async def refuse_buyers_without_consent(account_id: UUID, *, now: datetime) -> None:
    """The same for who buys: nearly nobody needs a guardian, and nothing is opened to see that."""
    if await needs_guardian(account_id, now):
        async with transaction() as session:
            await refuse_without_consent(session, account_id, now=now)


@dataclass(frozen=True, slots=True)
class Standing:
    """What its owner sees of the question; `status` is empty where nobody was asked."""

    is_needed: bool
    status: str = ""
    email: str = ""
    asked_at: datetime | None = None
    until: datetime | None = None
    answered_at: datetime | None = None


async def standing(session: AsyncSession, actor: Actor, *, now: datetime) -> Standing:
    is_needed = await needs_guardian(actor.user_id, now)
    consent = await repository.newest(session, actor.user_id)
    if consent is None:
        return Standing(is_needed)
    return Standing(
        is_needed,
        rules.shown_status(Status(consent.status), consent.expires_at, now=now),
        rules.masked(consent.email),
        consent.created_at,
        consent.expires_at,
        consent.withdrawn_at or consent.answered_at,
    )


async def ask(session: AsyncSession, actor: Actor, typed: str, *, now: datetime) -> None:
    """Mail the question to a guardian; whoever was asked before is asked no more."""
    if not await needs_guardian(actor.user_id, now):
        raise rules.NoGuardianNeeded
    email = rules.email_from(typed, own=actor.email)
    contacts.refuse_bad_email(email)
    # Whoever asks twice at once asks one after the other.
    await lock_row(session, Account, actor.user_id)
    if await repository.is_given(session, actor.user_id):
        raise rules.ConsentIsThere
    await _refuse_too_often(session, actor.user_id, email, now=now)
    await repository.replace_asked(session, actor.user_id)
    account = await accounts.find(session, actor.user_id)
    assert account is not None, "an actor has an account"
    token = secrets.token_urlsafe(32)
    session.add(_asked(account, email, token, now=now))
    await letters.ask(session, account, email, token)
    live.announce_after(session, CHANGED, str(account.id))
    _log.info("guardian.asked", account_id=str(account.id))


async def _refuse_too_often(
    session: AsyncSession, account_id: UUID, email: str, *, now: datetime
) -> None:
    today = await repository.count_since(session, account_id, now - timedelta(days=1))
    if today >= rules.ASKED_A_DAY:
        raise rules.AskedTooOften
    # From whichever account: nobody's letter box is filled from here.
    await limits.spend(ASKED_PER_GUARDIAN, "guardian", fingerprint(email))


def _asked(account: Account, email: str, token: str, *, now: datetime) -> GuardianConsent:
    return GuardianConsent(
        id=new_id(),
        account_id=account.id,
        email=email,
        token_hash=digest(token),
        language=account.language,
        edition=newest_edition(Document.PRIVACY).number,
        expires_at=now + rules.ANSWER_WITHIN,
        created_at=now,
    )


@dataclass(frozen=True, slots=True)
class Request:
    """What the page of a link shows: whose guardian is asked, and whether they said yes."""

    name: str
    is_given: bool
    language: str


async def request_of(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> Request:
    consent, account = await _found(session, token, caller, now=now)
    return Request(account.display_name, consent.status == Status.GIVEN, consent.language)


async def give(
    session: AsyncSession,
    token: str,
    typed_name: str,
    caller: Caller,
    *,
    is_guardian: bool,
    now: datetime,
) -> None:
    """The guardian signs; a new link comes by mail, with which they can take it back."""
    consent, account = await _found(session, token, caller, now=now)
    name = rules.signed_name(typed_name, is_guardian=is_guardian)
    next_token = secrets.token_urlsafe(32)
    is_first = await repository.answer(
        session,
        consent.id,
        digest(token),
        Status.GIVEN,
        name=name,
        edition=newest_edition(Document.PRIVACY).number,
        next_hash=digest(next_token),
        now=now,
    )
    if not is_first:
        raise rules.LinkOver
    await letters.confirm(session, account, consent, next_token)
    await _tell(session, account, consent, Kind.GUARDIAN_GAVE, now=now)


async def refuse(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> None:
    consent, account = await _found(session, token, caller, now=now)
    if not await repository.answer(session, consent.id, digest(token), Status.REFUSED, now=now):
        raise rules.LinkOver
    await _tell(session, account, consent, Kind.GUARDIAN_REFUSED, now=now)


async def withdraw(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> bool:
    """Take back what was given; whether things wait again from now on: at 16 nothing does."""
    consent, account = await _found(session, token, caller, now=now)
    if not await repository.withdraw(session, consent.id, digest(token), now=now):
        raise rules.LinkOver
    is_grown = not await needs_guardian(account.id, now)
    await letters.confirm_withdrawn(session, account, consent, is_grown=is_grown)
    kind = Kind.GUARDIAN_WITHDREW_GROWN if is_grown else Kind.GUARDIAN_WITHDREW
    await _tell(session, account, consent, kind, now=now)
    return not is_grown


async def _found(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> tuple[GuardianConsent, Account]:
    await limits.spend(LINKS_PER_ADDRESS, "guardian-link", caller.source)
    found = await repository.by_token(session, digest(token), now=now)
    if found is None:
        raise rules.LinkOver
    return found


async def _tell(
    session: AsyncSession, account: Account, consent: GuardianConsent, kind: Kind, *, now: datetime
) -> None:
    cause = f"guardian:{consent.id}:{kind}"
    await notifications.tell(session, account.id, kind, link=CARD, cause=cause, now=now)
    live.announce_after(session, CHANGED, str(account.id))
    _log.info("guardian.answered", account_id=str(account.id), answer=kind.value)


async def forget(session: AsyncSession, *, now: datetime) -> int:
    """Delete what guardians did not say yes to, a month after its link was over; so many."""
    over_since = now - rules.UNANSWERED_ARE_KEPT
    return await repository.forget_unanswered(session, over_since=over_since)
