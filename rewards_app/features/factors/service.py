"""Second factors: setting them up, taking them away, and showing one.

Who may do that is asked by whoever calls; mails to the owner are theirs, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.alerts import soon
from rewards_app.features.alerts.rules import Kind
from rewards_app.features.factors import codes, passkeys, repository, rules, totp
from rewards_app.features.factors.rules import Factor, Purpose, Status, Used
from rewards_app.models import Authenticator, Passkey, PasskeyChallenge

__all__ = [
    "CHANGED",
    "Factor",
    "Purpose",
    "Setup",
    "Status",
    "Used",
    "add_passkey",
    "begin_authenticator",
    "check_code",
    "check_passkey",
    "confirm_authenticator",
    "is_locked",
    "is_on",
    "new_codes",
    "passkey_options",
    "remove_authenticator",
    "remove_everything",
    "remove_passkey",
    "rename_passkey",
    "status",
]

_log = structlog.get_logger(__name__)

CHANGED = "second_factor_changed"
"""Published with the account's id when signing in begins, or ceases, to ask for more."""
TRIES_PER_ACCOUNT = limits.parse("5/5minutes")


@dataclass(frozen=True, slots=True)
class Setup:
    """What an app needs to show codes; `qr` is an address for an image."""

    secret: str
    uri: str
    qr: str


async def status(session: AsyncSession, account_id: UUID) -> Status:
    app = await repository.authenticator_of(session, account_id)
    codes = await repository.codes_of(session, account_id)
    keys = await repository.passkeys_of(session, account_id)
    return Status(
        authenticator_since=app.confirmed_at if app else None,
        passkeys=[
            rules.KnownPasskey(key.id, key.name, key.created_at, key.last_used_at) for key in keys
        ],
        codes_left=codes.left,
        codes_made_at=codes.made_at,
    )


async def is_on(session: AsyncSession, account_id: UUID) -> bool:
    """Whether signing in asks for more than the password; no other change comes in between."""
    return await repository.lock_account(session, account_id)


async def begin_authenticator(
    session: AsyncSession, account_id: UUID, label: str, *, now: datetime
) -> Setup:
    """A fresh secret, which counts once a code of it was shown."""
    await repository.lock_account(session, account_id)
    app = await repository.authenticator_of(session, account_id)
    if app and app.confirmed_at:
        raise rules.AlreadySetUp
    app = app or Authenticator(account_id=account_id, secret="")
    app.secret, app.last_step, app.created_at = totp.a_secret(), 0, now
    session.add(app)
    uri = totp.uri(app.secret, label)
    return Setup(app.secret, uri, totp.picture(uri))


async def confirm_authenticator(
    session: AsyncSession, account_id: UUID, code: str, *, now: datetime
) -> list[str]:
    """The app shows the right codes: it counts. Ten backup codes where it is the first factor."""
    await _spend_try(account_id)
    had_factor = await repository.lock_account(session, account_id)
    app = await repository.authenticator_of(session, account_id)
    if app and app.confirmed_at:
        raise rules.AlreadySetUp
    if app is None or app.created_at + rules.SETUP_LIFETIME <= now:
        raise rules.SetupExpired
    step = totp.matching_step(app.secret, rules.normal(code), now=now)
    if step is None:
        raise rules.WrongCode
    app.confirmed_at, app.last_step = now, step
    session.add(app)
    await session.flush()
    await _forget_tries(account_id)
    return await _after_adding(session, account_id, had_factor=had_factor, now=now)


async def remove_authenticator(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """Whether there was one."""
    await repository.lock_account(session, account_id)
    removed = await repository.remove_authenticator(session, account_id)
    await _after_removing(session, account_id, now=now)
    return removed


async def new_codes(session: AsyncSession, account_id: UUID, *, now: datetime) -> list[str]:
    """Ten codes in the place of all that were there before. They are readable only now."""
    if not await repository.lock_account(session, account_id):
        raise rules.NoFactor
    return await codes.made(session, account_id, now=now)


async def passkey_options(
    session: AsyncSession, account_id: UUID, purpose: Purpose, label: str = "", *, now: datetime
) -> dict[str, Any]:
    """What a browser is asked: to make a passkey called `label`, or to show one."""
    known = [key.credential_id for key in await repository.passkeys_of(session, account_id)]
    options = _to_add(account_id, label, known) if purpose is Purpose.ADD else _to_show(known)
    await repository.forget_old_challenges(session, account_id, now=now)
    session.add(
        PasskeyChallenge(
            account_id=account_id,
            purpose=purpose.value,
            challenge=passkeys.challenge_in(options),
            expires_at=now + rules.CHALLENGE_LIFETIME,
        )
    )
    return options


def _to_add(account_id: UUID, label: str, known: Sequence[bytes]) -> dict[str, Any]:
    if len(known) >= rules.MOST_PASSKEYS:
        raise rules.TooManyPasskeys(most=rules.MOST_PASSKEYS)
    return passkeys.to_add(account_id, label, known)


def _to_show(known: Sequence[bytes]) -> dict[str, Any]:
    if not known:
        raise rules.NoPasskey
    return passkeys.to_show(known)


async def add_passkey(
    session: AsyncSession, account_id: UUID, name: str, answer: str, *, now: datetime
) -> list[str]:
    """Keep the public half of a new passkey. Ten backup codes where it is the first factor."""
    called = rules.passkey_name(name)
    challenge = await _taken_challenge(session, account_id, Purpose.ADD, answer, now=now)
    added = passkeys.added(answer, challenge)
    if await repository.is_known(session, added.credential_id):
        raise rules.PasskeyRefused
    had_factor = await repository.lock_account(session, account_id)
    if len(await repository.passkeys_of(session, account_id)) >= rules.MOST_PASSKEYS:
        raise rules.TooManyPasskeys(most=rules.MOST_PASSKEYS)
    session.add(
        Passkey(
            account_id=account_id,
            credential_id=added.credential_id,
            public_key=added.public_key,
            uses=added.uses,
            name=called,
            transports=added.transports,
            created_at=now,
        )
    )
    await session.flush()
    return await _after_adding(session, account_id, had_factor=had_factor, now=now)


async def rename_passkey(
    session: AsyncSession, account_id: UUID, passkey_id: UUID, name: str
) -> None:
    if not await repository.rename_passkey(
        session, account_id, passkey_id, rules.passkey_name(name)
    ):
        raise rules.NoPasskey


async def remove_passkey(
    session: AsyncSession, account_id: UUID, passkey_id: UUID, *, now: datetime
) -> str:
    """What it was called."""
    await repository.lock_account(session, account_id)
    name = await repository.remove_passkey(session, account_id, passkey_id)
    if name is None:
        raise rules.NoPasskey
    await _after_removing(session, account_id, now=now)
    return name


async def remove_everything(session: AsyncSession, account_id: UUID, *, now: datetime) -> bool:
    """From now on a password is enough again; whether it was not before."""
    was_on = await repository.lock_account(session, account_id)
    await repository.remove_authenticator(session, account_id)
    await repository.remove_passkeys(session, account_id)
    await _after_removing(session, account_id, now=now)
    return was_on


async def check_code(
    session: AsyncSession, account_id: UUID, typed: str, *, apart: str = "", now: datetime
) -> Used:
    """Use the code up, of the app or a backup code. Every wrong one is refused the same way.

    Both are looked for each time, so that the time tells nothing either. A browser that the account
    knows is counted `apart`: whoever guesses elsewhere does not keep its owner out of it.
    """
    await _spend_try(account_id, apart)
    code = rules.normal(typed)
    app = await repository.authenticator_of(session, account_id)
    secret = app.secret if app and app.confirmed_at else None
    step = totp.matching_step(secret, code, now=now)
    is_of_app = await repository.use_step(session, account_id, step or 0)
    is_backup = await codes.use(session, account_id, code, now=now)
    if not is_of_app and not is_backup:
        await _note_failure(account_id, apart)
        raise rules.WrongCode
    await _forget_tries(account_id, apart)
    left = (await repository.codes_of(session, account_id)).left
    return Used(Factor.AUTHENTICATOR if is_of_app else Factor.BACKUP_CODE, left)


async def is_locked(account_id: UUID, apart: str = "") -> bool:
    """Whether the next try would be refused unseen; does not count."""
    return await limits.is_used_up(TRIES_PER_ACCOUNT, *_counted_as(account_id, apart))


async def check_passkey(
    session: AsyncSession,
    account_id: UUID,
    purpose: Purpose,
    answer: str,
    *,
    apart: str = "",
    now: datetime,
) -> Used:
    """Believe a passkey of this account that has signed what was asked, once."""
    await _spend_try(account_id, apart)
    challenge = await _taken_challenge(session, account_id, purpose, answer, now=now)
    key = await repository.lock_passkey(session, account_id, passkeys.said_in(answer).credential_id)
    if key is None:
        raise rules.PasskeyRefused
    uses = passkeys.uses_in(answer, challenge, key.public_key)
    if rules.is_copy(known=key.uses, said=uses):
        _alert_of_copy(account_id, key)
        raise rules.PasskeyRefused
    key.uses, key.last_used_at = uses, now
    session.add(key)
    await _forget_tries(account_id, apart)
    return Used(Factor.PASSKEY, (await repository.codes_of(session, account_id)).left)


async def _taken_challenge(
    session: AsyncSession, account_id: UUID, purpose: Purpose, answer: str, *, now: datetime
) -> bytes:
    challenge = passkeys.said_in(answer).challenge
    ends_at = await repository.take_challenge(session, account_id, purpose.value, challenge)
    if ends_at is None or ends_at <= now:
        raise rules.PasskeyRefused
    return challenge


async def _after_adding(
    session: AsyncSession, account_id: UUID, *, had_factor: bool, now: datetime
) -> list[str]:
    await repository.keep_in_step(session, account_id, now=now)
    if had_factor:
        return []
    await live.publish(session, CHANGED, str(account_id))
    return await codes.made(session, account_id, now=now)


async def _after_removing(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    if not await repository.keep_in_step(session, account_id, now=now):
        await repository.remove_codes(session, account_id)
        await live.publish(session, CHANGED, str(account_id))


async def _spend_try(account_id: UUID, apart: str = "") -> None:
    """Counted before it is looked at: many at once are no more than five."""
    try:
        await limits.spend(TRIES_PER_ACCOUNT, *_counted_as(account_id, apart))
    except TooManyAttempts as refusal:
        raise rules.FactorLocked(count=refusal.params["count"]) from None


async def _forget_tries(account_id: UUID, apart: str = "") -> None:
    await limits.forget(TRIES_PER_ACCOUNT, *_counted_as(account_id, apart))


def _counted_as(account_id: UUID, apart: str) -> tuple[str, ...]:
    return ("second-factor", str(account_id), *((apart,) if apart else ()))


async def _note_failure(account_id: UUID, apart: str) -> None:
    """Whoever is asked for a code knows the password already: that is worth an alert."""
    _log.warning("second_factor.wrong_code", account_id=str(account_id))
    if await is_locked(account_id, apart):
        soon.alert(
            Kind.FACTOR_GUESSED,
            about=f"account:{account_id}",
            account_id=account_id,
            params={"failures": TRIES_PER_ACCOUNT.amount},
        )


def _alert_of_copy(account_id: UUID, key: Passkey) -> None:
    _log.warning("second_factor.passkey_copied", account_id=str(account_id))
    soon.alert(
        Kind.PASSKEY_COPIED,
        about=f"passkey:{key.id}",
        account_id=account_id,
        params={"name": key.name},
    )
