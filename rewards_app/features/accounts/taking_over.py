"""Taking over the account of an address that whoever signed up with it never proved."""

from datetime import datetime

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import handles, roles, rules, sessions
from rewards_app.features.legal import service as legal
from rewards_app.models import Account

TYPED = (
    *("password_hash", "password_changed_at", "email_verified_at", "username", "display_name"),
    *("phone", "sign_up_age", "gender", "country", "language"),
)
"""What an account has of whoever signed up with its address."""


def proven_account(
    email: str,
    name: str,
    *,
    kind: rules.AccountKind = rules.AccountKind.PLAYER,
    language: str,
    now: datetime,
) -> Account:
    """A new one of somebody who has shown that the address is theirs, and typed nothing."""
    return Account(
        id=new_id(),
        email=email,
        email_verified_at=now,
        password_changed_at=now,
        role=rules.role_at_signup(kind).value,
        asked_for_admin=kind is rules.AccountKind.ADMIN,
        language=language,
        username=name,
        display_name=name,
        created_at=now,
    )


async def make_theirs(session: AsyncSession, account: Account, theirs: Account) -> None:
    """Somebody typed this address without owning it: all that they typed is as in `theirs`.

    Nor does their password open it. A role that somebody else chose for it is its owner's.
    """
    is_as_signed_up = account.role in rules.ROLES_AT_SIGNUP and not await roles.was_given(
        session, account.id
    )
    for name in (*TYPED, *(("role", "asked_for_admin") if is_as_signed_up else ())):
        setattr(account, name, getattr(theirs, name))
    session.add(account)
    await session.flush()
    await handles.claim_anew(session, account.id, account.username)
    await legal.forget_readings(session, account.id)
    live.announce_after(session, sessions.ACCOUNT_CHANGED, str(account.id))
