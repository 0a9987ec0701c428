"""Signing in again without the second factor: asked for, decided by support, done after a wait.

The owner has a mail at every step, with a link that stops it. Each step is written down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlmodel import col, func, select

from rewards_app.core import limits, live, mail
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.ids import new_id
from rewards_app.core.routes import SIGN_IN
from rewards_app.core.sealed import fingerprints
from rewards_app.core.settings import settings
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit
from rewards_app.features.factors import rules, service
from rewards_app.features.factors.rules import ResetStatus
from rewards_app.i18n import written
from rewards_app.models import Account, FactorReset

_log = structlog.get_logger(__name__)

CHANGED = "factor_resets_changed"
"""Announced when one is asked for, decided, stopped or done."""
LINKS_PER_ADDRESS = limits.parse("30/10minutes")
ASKED_PER_ACCOUNT = limits.parse("3/day")
DONE_AT_ONCE = 100
OPEN = (ResetStatus.WAITING.value, ResetStatus.GRANTED.value)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A wish that is not over, as support sees it."""

    id: UUID
    account_id: UUID
    name: str
    email: str
    status: ResetStatus
    asked_at: datetime
    ready_at: datetime


async def ask(session: AsyncSession, account_id: UUID, *, now: datetime) -> datetime:
    """Before when nothing happens, whatever support decides. Asking twice changes nothing."""
    account = await lock_row(session, Account, account_id)
    assert account is not None, "a wish goes with its account"
    known = await _open_of(session, account_id)
    if known:
        return known.ready_at
    await limits.spend(ASKED_PER_ACCOUNT, "factor-reset", str(account_id))
    reset = _new_reset(account_id, now)
    session.add(reset)
    await session.flush()
    await alerts.raise_alert(
        session,
        alerts.Kind.FACTOR_RESET_ASKED,
        about=_about(account_id),
        account_id=account_id,
        now=now,
    )
    await _write_down(session, None, audit.Action.FACTOR_RESET_ASKED, account, now=now)
    await _tell(session, account, "asked", reset)
    live.announce_after(session, CHANGED)
    return reset.ready_at


def _new_reset(account_id: UUID, now: datetime) -> FactorReset:
    known = new_id()
    return FactorReset(
        id=known,
        account_id=account_id,
        cancel_hash=digest(_cancel_token(known)),
        ready_at=now + timedelta(hours=settings().factor_reset_hours),
        created_at=now,
    )


async def cancel(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> None:
    """By the link of a mail: the second factor stays."""
    reset = await stopped_by(session, token, caller)
    await _end(session, None, reset, ResetStatus.CANCELLED, now=now)


async def stopped_by(session: AsyncSession, token: str, caller: Caller) -> FactorReset:
    """The wish that the link of a mail stops, as long as it is open."""
    await limits.spend(LINKS_PER_ADDRESS, "factor-link", caller.source)
    query = select(FactorReset).where(FactorReset.cancel_hash == digest(token))
    reset = (await session.exec(query.with_for_update())).first()
    if reset is None:
        raise rules.ResetUnknown
    if reset.status not in OPEN:
        raise rules.ResetOver
    return reset


async def cancel_open(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Somebody has shown the second factor: there is nothing to reset. Whether there was a wish."""
    reset = await _open_of(session, account_id)
    if reset:
        await _end(session, None, reset, ResetStatus.CANCELLED, now=now)
    return reset is not None


async def drop_open(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """No factor is left to take away: its owner reads that, and not that one stays on."""
    if reset := await _open_of(session, account_id):
        await _end(session, None, reset, ResetStatus.CANCELLED, is_told=False, now=now)


async def waiting(session: AsyncSession) -> Sequence[Waiting]:
    """What support has to decide, and what it granted and is not done: the oldest first."""
    query = (
        select(FactorReset, Account)
        .join(Account, col(Account.id) == col(FactorReset.account_id))
        .where(col(FactorReset.status).in_(OPEN))
        .order_by(col(FactorReset.created_at), col(FactorReset.id))
        .limit(DONE_AT_ONCE)
    )
    return [
        Waiting(
            id=reset.id,
            account_id=account.id,
            name=account.display_name,
            email=account.email,
            status=ResetStatus(reset.status),
            asked_at=reset.created_at,
            ready_at=reset.ready_at,
        )
        for reset, account in (await session.exec(query)).all()
    ]


async def waiting_count(session: AsyncSession) -> int:
    """So many wait for a decision."""
    query = select(func.count()).where(FactorReset.status == ResetStatus.WAITING.value)
    return (await session.exec(query.select_from(FactorReset))).one()


async def grant(
    session: AsyncSession, actor: Actor, reset_id: UUID, reason: str, *, now: datetime
) -> datetime:
    """Support is sure of who asks; when it will be done."""
    reset = await _to_decide(session, actor, reset_id)
    why = rules.reason_from(reason)
    reset.status, reset.decided_by, reset.decided_at = ResetStatus.GRANTED.value, actor.user_id, now
    reset.ready_at = rules.ready_once_granted(reset.ready_at, now=now)
    session.add(reset)
    account = await _account(session, reset.account_id)
    await _settle_alert(session, actor, reset, now=now)
    await _write_down(
        session, actor, audit.Action.FACTOR_RESET_GRANTED, account, reason=why, now=now
    )
    await _tell(session, account, "granted", reset)
    live.announce_after(session, CHANGED)
    return reset.ready_at


async def refuse(
    session: AsyncSession, actor: Actor, reset_id: UUID, reason: str, *, now: datetime
) -> None:
    reset = await _to_decide(session, actor, reset_id)
    why = rules.reason_from(reason)
    reset.decided_by, reset.decided_at = actor.user_id, now
    await _end(session, actor, reset, ResetStatus.REFUSED, reason=why, now=now)


async def due(session: AsyncSession, *, now: datetime) -> Sequence[UUID]:
    """Whose wish was granted, and whose wait is over."""
    query = (
        select(FactorReset.account_id)
        .where(FactorReset.status == ResetStatus.GRANTED.value, col(FactorReset.ready_at) <= now)
        .order_by(col(FactorReset.ready_at))
        .limit(DONE_AT_ONCE)
    )
    return (await session.exec(query)).all()


async def perform(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Take the second factor of one of them away; False where the wish was stopped meanwhile."""
    await lock_row(session, Account, account_id)
    reset = await _open_of(session, account_id)
    if reset is None or reset.status != ResetStatus.GRANTED.value or reset.ready_at > now:
        return False
    await service.remove_everything(session, account_id, now=now)
    await _end(session, None, reset, ResetStatus.DONE, now=now)
    _log.warning("second_factor.reset", account_id=str(account_id))
    return True


async def turn_off(session: AsyncSession, email: str, reason: str, *, now: datetime) -> bool:
    """For the command line, whose user owns the database: at once. False where nothing was on."""
    account = (await session.exec(select(Account).where(Account.email == email))).first()
    if account is None:
        raise rules.UnknownEmail
    was_on = await service.remove_everything(session, account.id, now=now)
    await drop_open(session, account.id, now=now)
    if not was_on:
        return False
    await _write_down(
        session,
        None,
        audit.Action.SECOND_FACTOR_OFF,
        account,
        reason=reason,
        origin=audit.Origin.COMMAND_LINE,
        now=now,
    )
    await _tell_plainly(session, account, "done")
    return True


ENDINGS: dict[ResetStatus, tuple[audit.Action, str]] = {
    ResetStatus.CANCELLED: (audit.Action.FACTOR_RESET_CANCELLED, "cancelled"),
    ResetStatus.REFUSED: (audit.Action.FACTOR_RESET_REFUSED, "refused"),
    ResetStatus.DONE: (audit.Action.FACTOR_RESET_DONE, "done"),
}


async def _end(
    session: AsyncSession,
    actor: Actor | None,
    reset: FactorReset,
    status: ResetStatus,
    *,
    reason: str = "",
    is_told: bool = True,
    now: datetime,
) -> None:
    reset.status, reset.ended_at = status.value, now
    session.add(reset)
    account = await _account(session, reset.account_id)
    action, letter = ENDINGS[status]
    await _settle_alert(session, actor, reset, now=now)
    await _write_down(session, actor, action, account, reason=reason, now=now)
    if is_told:
        await _tell_plainly(session, account, letter)
    live.announce_after(session, CHANGED)


async def _settle_alert(
    session: AsyncSession, actor: Actor | None, reset: FactorReset, *, now: datetime
) -> None:
    """Support has nothing more to decide; the next wish is news."""
    await alerts.settle(
        session,
        alerts.Kind.FACTOR_RESET_ASKED,
        about=_about(reset.account_id),
        by=actor.user_id if actor else None,
        now=now,
    )


def _about(account_id: UUID) -> str:
    return f"account:{account_id}"


async def _to_decide(session: AsyncSession, actor: Actor, reset_id: UUID) -> FactorReset:
    query = select(FactorReset).where(FactorReset.id == reset_id).with_for_update()
    reset = (await session.exec(query.execution_options(populate_existing=True))).first()
    if reset is None:
        raise rules.ResetUnknown
    if reset.account_id == actor.user_id:
        raise rules.OwnReset
    if reset.status != ResetStatus.WAITING.value:
        raise rules.ResetOver
    return reset


async def _open_of(session: AsyncSession, account_id: UUID) -> FactorReset | None:
    query = select(FactorReset).where(
        FactorReset.account_id == account_id, col(FactorReset.status).in_(OPEN)
    )
    found = await session.exec(query.with_for_update().execution_options(populate_existing=True))
    return found.first()


async def _account(session: AsyncSession, account_id: UUID) -> Account:
    account = await session.get(Account, account_id)
    assert account is not None, "a wish goes with its account"
    return account


async def _write_down(
    session: AsyncSession,
    actor: Actor | None,
    action: audit.Action,
    account: Account,
    *,
    reason: str = "",
    origin: audit.Origin = audit.Origin.AUTOMATION,
    now: datetime,
) -> None:
    await audit.record(
        session,
        actor,
        action,
        _about(account.id),
        label=account.display_name,
        reason=reason,
        origin=origin,
        now=now,
    )


async def _tell(session: AsyncSession, account: Account, step: str, reset: FactorReset) -> None:
    """A letter whose link stops it."""
    day = written.day(reset.ready_at, account.language)
    moment = f"{day}, {written.time_of_day(reset.ready_at, account.language)}"
    stopping = f"/keep-factor?token={_cancel_token(reset.id, reset.cancel_hash)}"
    await _send(session, account, step, stopping, when=moment)


async def _tell_plainly(session: AsyncSession, account: Account, step: str) -> None:
    await _send(session, account, step, LINKS.get(step, "/security?section=two-factor"))


LINKS = {"refused": SIGN_IN, "cancelled": "/mailed?mode=renew"}
"""Where the letters lead that stop nothing: all others to Account Security."""


async def _send(
    session: AsyncSession, account: Account, step: str, link: str, **params: str
) -> None:
    await mail.send(
        session,
        mail.Letter(
            account.email,
            account.language,
            f"factor_reset_{step}",
            link=f"{settings().origin}{link}",
            params={"support": settings().support_email, **params},
        ),
    )


def _cancel_token(reset_id: UUID, kept: str | None = None) -> str:
    """Made again for each letter: only its hash is kept, which says by which key it was."""
    marks = fingerprints(f"factor reset:{reset_id}")
    return next((mark for mark in marks if digest(mark) == kept), marks[0])
