"""A sign-in on its way: what opens at once, and what waits for one thing more to be shown.

A step is known to the browser alone that showed the password, for ten minutes. Its token opens
nothing by itself.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from rewards_app.core import limits
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import (
    closing,
    letters,
    repository,
    rules,
    session_repository,
    sessions,
    token_repository,
)
from rewards_app.features.factors import resets
from rewards_app.features.factors import rules as factor_rules
from rewards_app.features.factors import service as factors
from rewards_app.features.factors.rules import Factor, Purpose, Used
from rewards_app.models import Account, SignInStep

_log = structlog.get_logger(__name__)

STEPS_PER_ADDRESS = limits.parse("30/minute")
FAILURES_PER_ADDRESS = limits.parse("20/10minutes")
LOOKS_PER_ADDRESS = limits.parse("120/minute")
LETTERS_PER_LOCK = limits.parse("1/5minutes")
LETTERS_OF_A_DAY = limits.parse("20/day")
"""Whoever guesses all day long does not fill the owner's mailbox, too."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Everything was shown: this opens a session."""

    secret: str


@dataclass(frozen=True, slots=True)
class Unverified:
    """The password is right, but the email was never proven."""

    is_player: bool = True


@dataclass(frozen=True, slots=True)
class Withheld:
    """The same where known accounts are hidden: told as a wrong password, once it is kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing more is asked; `token` tells which sign-in it is about."""

    token: str


Outcome = Ticket | Unverified | Withheld | Step


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sign-in waits for."""

    factor: bool
    has_app: bool = False
    has_passkey: bool = False
    erased_at: datetime | None = None
    """When the account that its owner deletes is erased, where that is what is left to say."""


async def first(
    session: AsyncSession,
    account: Account,
    caller: Caller,
    *,
    may_log_address: bool,
    now: datetime,
) -> Ticket | Step:
    """For somebody whose password, or whose provider, was believed just now."""
    if not account.second_factor_at and not account.closed_at:
        return Ticket(
            await sessions.issue_ticket(
                session, account.id, caller, may_log_address=may_log_address, now=now
            )
        )
    await limits.spend(STEPS_PER_ADDRESS, "sign-in-step", caller.source)
    await token_repository.forget_old_steps(session, account.id, now=now)
    token = secrets.token_urlsafe(32)
    session.add(
        SignInStep(
            token_hash=digest(token),
            account_id=account.id,
            door_hash=caller.door_hash,
            may_log_address=may_log_address,
            expires_at=now + rules.STEP_LIFETIME,
        )
    )
    return Step(token)


async def asked(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> Asked:
    """What the step waits for."""
    await limits.spend(LOOKS_PER_ADDRESS, "sign-in-look", caller.source)
    step, account = await _live(session, token, caller, now=now)
    if not _needs_factor(step, account):
        return Asked(factor=False, erased_at=await closing.due_at(session, account.id))
    known = await factors.status(session, account.id)
    return Asked(
        factor=True,
        has_app=known.authenticator_since is not None,
        has_passkey=bool(known.passkeys),
    )


async def answer_code(
    session: AsyncSession, token: str, typed: str, caller: Caller, *, now: datetime
) -> Ticket | Step:
    """With a code of the app, or a backup code, of which the owner is told.

    They are told of the wrong one that locks it, too.
    """
    step, account = await _live(session, token, caller, now=now)
    if _needs_factor(step, account):
        await limits.refuse_over(FAILURES_PER_ADDRESS, "second-factor", caller.source)
        apart = await _door_that_is_known(session, account, caller)
        try:
            used = await factors.check_code(session, account.id, typed, apart=apart, now=now)
        except factor_rules.WrongCode:
            await limits.spend(FAILURES_PER_ADDRESS, "second-factor", caller.source)
            if await factors.is_locked(account.id, apart):
                await _tell_of_guessing(session, account, apart, caller, now=now)
            raise
        await _accept(session, step, account, used, caller, now=now)
    return await _go_on(session, step, account, token, caller, now=now)


async def passkey_options(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> dict[str, Any]:
    await limits.spend(LOOKS_PER_ADDRESS, "sign-in-look", caller.source)
    step, account = await _live(session, token, caller, now=now)
    if not _needs_factor(step, account):
        raise factor_rules.NoPasskey
    return await factors.passkey_options(session, account.id, Purpose.SIGN_IN, now=now)


async def answer_passkey(
    session: AsyncSession, token: str, answer: str, caller: Caller, *, now: datetime
) -> Ticket | Step:
    step, account = await _live(session, token, caller, now=now)
    if _needs_factor(step, account):
        apart = await _door_that_is_known(session, account, caller)
        used = await factors.check_passkey(
            session, account.id, Purpose.SIGN_IN, answer, apart=apart, now=now
        )
        await _accept(session, step, account, used, caller, now=now)
    return await _go_on(session, step, account, token, caller, now=now)


async def _door_that_is_known(session: AsyncSession, account: Account, caller: Caller) -> str:
    """Of a browser in which a second factor of the account was shown; else empty.

    Where somebody was in it before there was one, the password was enough: a thief may have it.
    """
    door, since = caller.door_hash, account.second_factor_at
    is_known = door and await session_repository.knows_door(
        session, account.email, door, since=since
    )
    return door if is_known else ""


async def ask_reset(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> datetime:
    """Whoever has neither asks support; before when nothing happens."""
    step, account = await _live(session, token, caller, now=now)
    if not _needs_factor(step, account):
        raise factor_rules.NoFactor
    return await resets.ask(session, account.id, now=now)


async def keep_account(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> Ticket:
    """The owner changed their mind: nothing is deleted, and they are signed in."""
    step, account = await _live(session, token, caller, now=now)
    if _needs_factor(step, account):
        raise rules.StepExpired
    await closing.reopen(session, account.id, now=now)
    return await _opened(session, step, caller, now=now)


async def leave(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> None:
    """The sign-in ends here; what it waited for is no longer asked."""
    step, _ = await _live(session, token, caller, now=now)
    await session.delete(step)


async def _live(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> tuple[SignInStep, Account]:
    """One sign-in goes on once: two answers to one step wait for each other."""
    step = await token_repository.lock_step(session, digest(token), caller.door_hash)
    if step is None or not caller.door_hash or step.expires_at <= now:
        raise rules.StepExpired
    account = await repository.account_by_id(session, step.account_id)
    if account is None:
        raise rules.StepExpired
    return step, account


def _needs_factor(step: SignInStep, account: Account) -> bool:
    return account.second_factor_at is not None and not step.has_factor


async def _accept(
    session: AsyncSession,
    step: SignInStep,
    account: Account,
    used: Used,
    caller: Caller,
    *,
    now: datetime,
) -> None:
    step.has_factor = True
    session.add(step)
    await resets.cancel_open(session, account.id, now=now)
    if used.factor is Factor.BACKUP_CODE:
        await letters.tell(
            session,
            account,
            "backup_code_used",
            link="/security?section=two-factor",
            count=used.codes_left,
            **letters.circumstances(caller, account.language, now=now),
        )
    _log.info("second_factor.shown", account_id=str(account.id), factor=used.factor.value)


async def _tell_of_guessing(
    session: AsyncSession, account: Account, apart: str, caller: Caller, *, now: datetime
) -> None:
    """Once a lock: whoever is asked for a code has shown the password already."""
    who = "factor-guessed", str(account.id)
    if await limits.spend_if_left(LETTERS_PER_LOCK, *who, apart) and await limits.spend_if_left(
        LETTERS_OF_A_DAY, *who
    ):
        told = letters.circumstances(caller, account.language, now=now)
        await letters.tell(session, account, "factor_guessed", link=letters.RESETTING, **told)


async def _go_on(
    session: AsyncSession,
    step: SignInStep,
    account: Account,
    token: str,
    caller: Caller,
    *,
    now: datetime,
) -> Ticket | Step:
    return Step(token) if account.closed_at else await _opened(session, step, caller, now=now)


async def _opened(
    session: AsyncSession, step: SignInStep, caller: Caller, *, now: datetime
) -> Ticket:
    await session.delete(step)
    return Ticket(
        await sessions.issue_ticket(
            session, step.account_id, caller, may_log_address=step.may_log_address, now=now
        )
    )
