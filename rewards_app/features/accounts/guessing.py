"""Passwords that are tried: each counts as wrong before it is looked at, until it is right.

A browser that the account knows counts apart, by the same numbers: whoever goes on guessing
elsewhere keeps its owner out of new browsers alone, and of those until a mailed link was used.
"""

from dataclasses import dataclass

import structlog

from rewards_app.core import limits
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.sealed import fingerprint, short_mark
from rewards_app.features.accounts import rules, session_repository
from rewards_app.features.alerts import soon
from rewards_app.features.alerts.rules import Kind
from rewards_app.models import Account

_log = structlog.get_logger(__name__)

FAILURES_PER_ADDRESS = limits.parse("10/minute")
FAILURES_PER_ACCOUNT = limits.parse("5/5minutes")
RESETS_REMEMBERED = limits.parse("1/hour")
SIGN_IN = "sign-in"
KNOWN_BROWSER = "sign-in-known"
RESET_HERE = "reset-here"


@dataclass(frozen=True, slots=True)
class Guess:
    """One password for one account. Many at once gain nothing: it is counted already."""

    caller: Caller
    counted_as: tuple[str, ...]

    async def was_right(self) -> None:
        """Clears what counted before it for the account; of the address, only this one."""
        await limits.forget(FAILURES_PER_ACCOUNT, *self.counted_as)
        await limits.give_back(FAILURES_PER_ADDRESS, SIGN_IN, self.caller.source)

    async def was_none(self) -> None:
        """Something of ours broke before anybody knew."""
        await limits.give_back(FAILURES_PER_ACCOUNT, *self.counted_as)
        await limits.give_back(FAILURES_PER_ADDRESS, SIGN_IN, self.caller.source)

    async def was_wrong(self, account: Account | None, *, may_log_address: bool) -> None:
        place = short_mark(self.caller.address)
        _log.warning("sign_in.failed", place=place, known=account is not None)
        await self._alert_of_burst(account, may_log_address=may_log_address)

    async def _alert_of_burst(self, account: Account | None, *, may_log_address: bool) -> None:
        """Once a limit is reached: for whoever guesses, and for whom is guessed at.

        Five failures may be the owner's own, whose address is theirs to tell; ten are no mistake.
        """
        address = self.caller.address
        if await limits.is_used_up(FAILURES_PER_ADDRESS, SIGN_IN, self.caller.source):
            soon.alert(
                Kind.SIGN_INS_FAILED,
                about=f"address:{fingerprint(address)}",
                address=address,
                params={"failures": FAILURES_PER_ADDRESS.amount},
            )
        if account and await limits.is_used_up(FAILURES_PER_ACCOUNT, *self.counted_as):
            soon.alert(
                Kind.ACCOUNT_LOCKED,
                about=f"account:{account.id}",
                account_id=account.id,
                address=address if may_log_address else None,
                params={
                    "failures": FAILURES_PER_ACCOUNT.amount,
                    "minutes": FAILURES_PER_ACCOUNT.get_expiry() // 60,
                },
            )


async def begin(session: AsyncSession, email: str, caller: Caller) -> Guess:
    """Count a guess, or refuse to look at it: what is refused is none of the address's either."""
    await limits.spend(FAILURES_PER_ADDRESS, SIGN_IN, caller.source)
    try:
        counted_as = await _counted_as(session, email, caller)
        await limits.spend(FAILURES_PER_ACCOUNT, *counted_as)
    except Exception as failure:
        await limits.give_back(FAILURES_PER_ADDRESS, SIGN_IN, caller.source)
        if isinstance(failure, TooManyAttempts):
            raise rules.AccountLocked(count=failure.params["count"]) from None
        raise
    return Guess(caller, counted_as)


async def let_in(email: str, caller: Caller) -> None:
    """A mailed link was used here for a new password: nothing that failed before holds it back,
    nor what fails elsewhere from now on."""
    await limits.forget(FAILURES_PER_ACCOUNT, SIGN_IN, email)
    if caller.door_hash:
        await limits.forget(FAILURES_PER_ACCOUNT, KNOWN_BROWSER, email, caller.door_hash)
        await limits.forget(RESETS_REMEMBERED, RESET_HERE, email, caller.door_hash)
        await limits.spend(RESETS_REMEMBERED, RESET_HERE, email, caller.door_hash)


async def _counted_as(session: AsyncSession, email: str, caller: Caller) -> tuple[str, ...]:
    if caller.door_hash and (
        await session_repository.knows_door(session, email, caller.door_hash)
        or await limits.is_used_up(RESETS_REMEMBERED, RESET_HERE, email, caller.door_hash)
    ):
        return KNOWN_BROWSER, email, caller.door_hash
    return SIGN_IN, email
