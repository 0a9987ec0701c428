"""What is done about an account: pausing what it earns, suspending it, and lifting that again.

Each tells the account's owner why by mail, shows in their open tabs, and leaves a line in the
audit log. Nothing that was promised ends: paid orders are delivered, held coins come back by the
usual ways, and an ad that was begun before earning was paused is still paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.errors import DomainError
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, GROUNDS, Kind
from rewards_app.features.ads import stopping
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action, Origin
from rewards_app.features.fraud import cases_repository
from rewards_app.features.fraud import measure_rules as rules
from rewards_app.features.signals.rules import Rule
from rewards_app.features.support import appeals
from rewards_app.i18n.mail_text import words
from rewards_app.i18n.written import together
from rewards_app.models import Account

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Measure:
    """How a restriction is called in its letters, its lines of the log, and its alert."""

    begun: Action
    begun_letter: str
    lifted: Action
    lifted_letter: str
    alert: alerts.Kind


MEASURES: dict[Kind, _Measure] = {
    Kind.EARNING_PAUSED: _Measure(
        Action.EARNING_PAUSED,
        "earning_paused",
        Action.EARNING_RESUMED,
        "earning_resumed",
        alerts.Kind.EARNING_PAUSED,
    ),
    Kind.SUSPENDED: _Measure(
        Action.SUSPENDED,
        "account_suspended",
        Action.RESTORED,
        "account_restored",
        alerts.Kind.ACCOUNT_SUSPENDED,
    ),
}

COMPANY_LETTER = "company_suspended"
"""Who acts for a company cannot act; its campaigns go on."""
BOTH_LETTER = "account_suspended_company"
"""For a player who acts for one, too."""
STILL_SUSPENDED_LETTER = "earning_resumed_suspended"
"""For a player who earns nothing all the same, until the account is restored."""
SAW = "restrictions.saw"
"""Stands before what the rules saw."""


async def pause_earning(
    session: AsyncSession,
    actor: Actor | None,
    account_id: UUID,
    reason: str,
    *,
    risk_score: int | None = None,
    grounds: Sequence[Rule] = (),
    now: datetime,
) -> UUID | None:
    """The player starts no ad from now on. The restriction's id.

    `actor` None is the app by itself: it is given no words but a key of the catalogue and the
    rules that decided, and what it did before, or may not do, is None and changes nothing. An
    admin is told so instead.
    """
    return await _begin(
        session,
        actor,
        account_id,
        Kind.EARNING_PAUSED,
        reason,
        risk_score=risk_score,
        grounds=grounds,
        now=now,
    )


async def suspend(
    session: AsyncSession,
    actor: Actor | None,
    account_id: UUID,
    reason: str,
    *,
    risk_score: int | None = None,
    grounds: Sequence[Rule] = (),
    now: datetime,
) -> UUID | None:
    """The account reads why, appeals and leaves, no more; as above. Its running ad is given up."""
    begun = await _begin(
        session,
        actor,
        account_id,
        Kind.SUSPENDED,
        reason,
        risk_score=risk_score,
        grounds=grounds,
        now=now,
    )
    if begun:
        await stopping.stop_watching(session, account_id, now=now)
    return begun


async def resume_earning(
    session: AsyncSession, actor: Actor, seen: UUID, reason: str, *, now: datetime
) -> None:
    """The player can earn again. `seen` is the restriction that was decided on, here and below."""
    await _lift(session, actor, seen, Kind.EARNING_PAUSED, reason, now=now)


async def restore(
    session: AsyncSession, actor: Actor, seen: UUID, reason: str, *, now: datetime
) -> None:
    """The account does again what it could do before; paused earning stays paused."""
    await _lift(session, actor, seen, Kind.SUSPENDED, reason, now=now)


async def _begin(
    session: AsyncSession,
    actor: Actor | None,
    account_id: UUID,
    kind: Kind,
    reason: str,
    *,
    risk_score: int | None,
    grounds: Sequence[Rule],
    now: datetime,
) -> UUID | None:
    try:
        account = await _locked(session, account_id)
        rules.refuse_measure(actor, account_id, Role(account.role), kind)
        why = rules.reason_from(reason) if actor else reason
        begun = await restrictions.begin(
            session,
            account_id,
            kind,
            why,
            by=actor.user_id if actor else None,
            risk_score=risk_score,
            grounds=grounds,
            now=now,
        )
        if begun is None:
            raise rules.DecidedMeanwhile
    except DomainError as refusal:
        if actor:
            raise
        _log.info("measure.not_taken", kind=kind.value, why=refusal.code)
        return None
    measure, in_english = MEASURES[kind], _in_words(why, grounds, "en")
    await _record(session, actor, measure.begun, account, kind, in_english, is_on=True, now=now)
    if actor is None:
        await alerts.raise_alert(
            session,
            measure.alert,
            about=about(account_id),
            account_id=account_id,
            now=now,
            risk=risk_score or 0,
        )
    letter = await _begun_letter(session, account, kind)
    await _tell(session, account, letter, _in_words(why, grounds, account.language))
    return begun


async def _begun_letter(session: AsyncSession, account: Account, kind: Kind) -> str:
    if kind is Kind.SUSPENDED:
        if account.role == Role.COMPANY:
            return COMPANY_LETTER
        if await cases_repository.company_of(session, account.id):
            return BOTH_LETTER
    return MEASURES[kind].begun_letter


async def _lift(
    session: AsyncSession, actor: Actor, seen: UUID, kind: Kind, reason: str, *, now: datetime
) -> None:
    account_id = await restrictions.owner_of(session, seen, kind)
    if account_id is None:
        raise rules.DecidedMeanwhile
    rules.refuse_decision(actor, account_id)
    why = rules.reason_from(reason)
    account = await _locked(session, account_id)
    ended = await restrictions.end(session, account_id, kind, why, by=actor.user_id, now=now)
    if ended != seen:
        raise rules.DecidedMeanwhile
    await appeals.settle(session, seen, account_id, why, by=actor.user_id, now=now)
    measure = MEASURES[kind]
    await alerts.settle(session, measure.alert, about=about(account_id), by=actor.user_id, now=now)
    await _record(session, actor, measure.lifted, account, kind, why, is_on=False, now=now)
    await _tell(session, account, await _lifted_letter(session, account_id, kind), why)


async def _lifted_letter(session: AsyncSession, account_id: UUID, kind: Kind) -> str:
    if Kind.SUSPENDED in await restrictions.in_force(session, account_id):
        return STILL_SUSPENDED_LETTER
    return MEASURES[kind].lifted_letter


def about(account_id: UUID) -> str:
    return f"account:{account_id}"


async def _locked(session: AsyncSession, account_id: UUID) -> Account:
    if account := await lock_row(session, Account, account_id):
        return account
    raise rules.UnknownAccount


async def _record(
    session: AsyncSession,
    actor: Actor | None,
    action: Action,
    account: Account,
    kind: Kind,
    reason: str,
    *,
    is_on: bool,
    now: datetime,
) -> None:
    await audit.record(
        session,
        actor,
        action,
        about(account.id),
        label=account.display_name,
        before={kind.value: not is_on},
        after={kind.value: is_on},
        reason=reason,
        origin=Origin.AUTOMATION,
        now=now,
    )


async def _tell(session: AsyncSession, account: Account, letter: str, reason: str) -> None:
    """Queue the letter to the account's owner, in their language.

    Nobody else's address learns of it, nor somebody who has left.
    """
    if account.email_verified_at is None or account.closed_at:
        return
    params = {"why": reason, "support": settings().support_email}
    link = f"{settings().origin}/"
    await mail.send(
        session, Letter(account.email, account.language, letter, link=link, params=params)
    )


def _in_words(reason: str, grounds: Sequence[Rule], language: str) -> str:
    """What an admin wrote, or what every automatic one says and what the rules saw."""
    if reason != AUTOMATIC_REASON:
        return reason
    saw = [words(f"{GROUNDS}{rule}", language) for rule in grounds]
    if not saw:
        return words(reason, language)
    return f"{words(reason, language)} {words(SAW, language)} {together(saw, language)}."
