"""What proves a person besides a password: codes of an app, backup codes, passkeys. Pure."""

import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from string import ascii_uppercase, digits
from uuid import UUID

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.alerts.rules import plain

CODE_PERIOD = timedelta(seconds=30)
STEPS_BESIDE = 1
"""A clock may be half a minute off, either way."""
BACKUP_CODES, BACKUP_CODE_LENGTH = 10, 8
BACKUP_LETTERS = "".join(sorted({*ascii_uppercase, *digits} - {*"I1O0"}))
"""Without those that are taken for others: I and 1, O and 0."""
SETUP_LIFETIME = timedelta(minutes=30)
CHALLENGE_LIFETIME = timedelta(minutes=5)
MOST_PASSKEYS = 10
LONGEST_PASSKEY_NAME = 60
LONGEST_ANSWER = 16_000
TIME_TO_STOP = timedelta(hours=24)
"""Whoever hears that support agreed has so long to stop it, however late it was decided."""
SHORTEST_REASON, LONGEST_REASON = 5, 500
BETWEEN = re.compile(r"[\s\-\u2010-\u2015]")
"""What people type between the parts of a code."""


class Factor(StrEnum):
    AUTHENTICATOR = "authenticator"
    BACKUP_CODE = "backup_code"
    PASSKEY = "passkey"


class Purpose(StrEnum):
    """What a device signs for: an answer for one is none for another."""

    ADD = "add"
    SIGN_IN = "sign_in"


class ResetStatus(StrEnum):
    """How far a wish to sign in without the second factor has come."""

    WAITING = "waiting"
    GRANTED = "granted"
    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class Trouble(StrEnum):
    """Why a browser brought no passkey, as it says itself."""

    CANCELLED = "cancelled"
    UNSUPPORTED = "unsupported"
    KNOWN = "known"
    """That device holds one for this account already."""
    FAILED = "failed"


class WrongCode(DomainError):
    """The same for a wrong code, a used one, an old one and somebody else's."""

    code = "factors.wrong_code"
    is_recorded = True
    """Of too many its owner is mailed."""


class FactorLocked(DomainError):
    """Too many tries for this account; `count` minutes later the next one is accepted."""

    code = "factors.locked"


class PasskeyRefused(DomainError):
    """Whatever was wrong with the answer. What it answered is used up all the same."""

    code = "factors.passkey_refused"
    is_recorded = True


class PasskeyTrouble(DomainError):
    """The browser brought none: its owner said no, or it cannot."""

    code = "factors.passkey_cancelled"


class PasskeyUnsupported(PasskeyTrouble):
    code = "factors.passkey_unsupported"


class PasskeyKnown(PasskeyTrouble):
    code = "factors.passkey_known"


class PasskeyFailed(PasskeyTrouble):
    code = "factors.passkey_failed"


class NoPasskey(DomainError):
    """The account has none, or no longer."""

    code = "factors.no_passkey"


class TooManyPasskeys(DomainError):
    code = "factors.too_many_passkeys"


class BadPasskeyName(DomainError):
    code = "factors.bad_passkey_name"


class AlreadySetUp(DomainError):
    """An authenticator app is there already: it goes before another one comes."""

    code = "factors.already_set_up"


class SetupExpired(DomainError):
    """Nothing is being set up, or no longer."""

    code = "factors.setup_expired"


class NoFactor(DomainError):
    """There is nothing that codes could stand in for."""

    code = "factors.none"


class ResetUnknown(DomainError):
    """There is no such wish, or the link never was one of ours."""

    code = "factors.reset_unknown"


class ResetOver(DomainError):
    """It was decided, stopped or done meanwhile."""

    code = "factors.reset_over"


class OwnReset(DomainError):
    """Nobody decides about their own account."""

    code = "factors.own_reset"


class ReasonMissing(FieldRefused):
    """Whoever decides says why: it stays written down."""

    code = "factors.reason_missing"


class UnknownEmail(DomainError):
    """For the command line."""

    code = "factors.unknown_email"


TROUBLES: dict[str, type[PasskeyTrouble]] = {
    Trouble.CANCELLED.value: PasskeyTrouble,
    Trouble.UNSUPPORTED.value: PasskeyUnsupported,
    Trouble.KNOWN.value: PasskeyKnown,
}


@dataclass(frozen=True, slots=True)
class KnownPasskey:
    id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Status:
    """What stands between a stolen password and this account."""

    authenticator_since: datetime | None
    passkeys: Sequence[KnownPasskey]
    codes_left: int
    codes_made_at: datetime | None

    @property
    def is_on(self) -> bool:
        return self.authenticator_since is not None or bool(self.passkeys)


@dataclass(frozen=True, slots=True)
class Used:
    """What somebody has shown; `codes_left` are the backup codes that are left after it."""

    factor: Factor
    codes_left: int


def trouble(said: str) -> PasskeyTrouble:
    return TROUBLES.get(said, PasskeyFailed)()


def normal(typed: str) -> str:
    """As it is kept: people type spaces, dashes and small letters."""
    return BETWEEN.sub("", typed).upper()[:40]


def looks_like_backup_code(typed: str) -> bool:
    return len(typed) == BACKUP_CODE_LENGTH and set(typed) <= {*BACKUP_LETTERS}


def reason_from(raw: str) -> str:
    reason = " ".join(raw.split())
    if not SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        raise ReasonMissing("reason", least=SHORTEST_REASON, most=LONGEST_REASON)
    return reason


def ready_once_granted(ready_at: datetime, *, now: datetime) -> datetime:
    return max(ready_at, now + TIME_TO_STOP)


def step_at(now: datetime) -> int:
    return int(now.timestamp() // CODE_PERIOD.total_seconds())


def matching_step(typed: str, *, code_at: Callable[[int], str], now: datetime) -> int | None:
    """The period whose code this is. Every period is compared, so that time tells nothing."""
    present = step_at(now)
    steps = range(present - STEPS_BESIDE, present + STEPS_BESIDE + 1)
    matches = [step for step in steps if _are_equal(code_at(step), typed)]
    return matches[-1] if matches else None


def _are_equal(known: str, typed: str) -> bool:
    return hmac.compare_digest(known.encode(), typed.encode())


def made_codes() -> list[str]:
    """Ten backup codes, all different."""
    made: dict[str, None] = {}
    while len(made) < BACKUP_CODES:
        made["".join(secrets.choice(BACKUP_LETTERS) for _ in range(BACKUP_CODE_LENGTH))] = None
    return list(made)


def passkey_name(raw: str) -> str:
    name = plain(raw)
    if not 0 < len(name) <= LONGEST_PASSKEY_NAME:
        raise BadPasskeyName(most=LONGEST_PASSKEY_NAME)
    return name


def is_copy(*, known: int, said: int) -> bool:
    """A device counts its uses upwards, or not at all: any other number is a copy's."""
    return bool(known or said) and said <= known
