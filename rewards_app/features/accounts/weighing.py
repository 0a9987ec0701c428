"""How strong a password is while it is typed, by what decides in the end whether it may be used."""

from collections.abc import Sequence
from dataclasses import dataclass

from rewards_app.core import limits
from rewards_app.core.caller import Caller
from rewards_app.core.errors import DomainError, Param
from rewards_app.features.accounts import contacts, password_rules
from rewards_app.features.accounts.password_rules import KnownPassword, WeakPassword

ESTIMATES = limits.parse("60/minute")
LONG_ESTIMATES = limits.parse("10/minute")
"""Whoever types by hand seldom gets this far."""
IS_STRONG = "password.is_strong"


@dataclass(frozen=True, slots=True)
class Weight:
    """What the meter shows; `text` is the key of what it says."""

    score: int
    text: str
    params: dict[str, Param]

    @property
    def label(self) -> str:
        return password_rules.LABELS[self.score]


async def weigh(password: str, *, about: Sequence[str], caller: Caller) -> Weight:
    """`about` is what the person is called, as far as the page knows. Nothing of it is kept."""
    check = password_rules.check_password(password)
    refusal = await _refusal(password, about, caller)
    match refusal:
        case None:
            return Weight(check.score, IS_STRONG, {})
        case WeakPassword():
            # While it is typed, what is missing is told in the same words however short it is.
            return Weight(check.score, f"errors.{WeakPassword.code}", refusal.params)
        case KnownPassword():
            # As what begins with a common pattern: it keeps every rule, and is guessed at once.
            score = check.score - password_rules.COMMON_PATTERN_COST
            return Weight(score, refusal.text_key, {})
        case _:
            return Weight(check.score, refusal.text_key, refusal.params)


async def _refusal(password: str, about: Sequence[str], caller: Caller) -> DomainError | None:
    try:
        password_rules.refuse_weak(password, about=about)
        if await _may_estimate(password, caller):
            contacts.refuse_guessable(password, about=about)
    except DomainError as refusal:
        return refusal
    return None


async def _may_estimate(password: str, caller: Caller) -> bool:
    """Any client may ask as often as it likes; who types by hand is within it."""
    limit = ESTIMATES if len(password) <= contacts.LONG else LONG_ESTIMATES
    return await limits.spend_if_left(limit, "weigh", caller.source)
