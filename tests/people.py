"""Made people: accounts with known passwords, and the browsers they come with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import UUID

from rewards_app.core import hashing
from rewards_app.core.actor import Role
from rewards_app.core.caller import Caller, digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository, rules, service, sessions
from rewards_app.features.legal import service as legal
from rewards_app.models import Account

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
PASSWORD = "Tall-Otter7-rides!"


def born_years_ago(years: int) -> str:
    """Some days more: they are as old tomorrow, and when the year has ended meanwhile."""
    return (utc_now() - years * timedelta(days=366)).date().isoformat()


def a_browser(name: str = "a", **changes: str) -> Caller:
    known = {
        "tab": f"tab-{name}",
        "address": "127.0.0.1",
        "user_agent": f"browser {name}",
        "door_hash": digest(f"door {name}"),
    }
    return Caller(**known | changes)


A_FORM = rules.SignUpForm(
    email="maja@example.com",
    password=PASSWORD,
    name="Maja",
    phone="070-174 06 05",
    phone_country="SE",
    age="21",
    gender="Female",
    country="SE",
)


def a_sign_up(email: str = A_FORM.email, **changes: str) -> rules.SignUp:
    kind = rules.kind_from(changes.pop("kind", "player"))
    form = replace(A_FORM, email=email, **changes)
    return rules.validated_sign_up(kind, form, countries={"SE", "US"})


@cache
def _hash_of(password: str) -> str:
    """As the app itself makes it, but once: it takes longer than the rest of an account."""
    return hashing._hasher.hash(password)


async def an_account(
    email: str = "maja@example.com",
    role: Role = Role.PLAYER,
    *,
    password: str = PASSWORD,
    name: str = "Maja",
    is_verified: bool = True,
    born: str | None = "1998-05-17",
    knows_the_rules: bool = True,
    now: datetime = NOON,
) -> Account:
    account = Account(
        email=email,
        email_verified_at=now if is_verified else None,
        password_hash=_hash_of(password),
        password_changed_at=now,
        birth_date=born,
        age_verified_at=now if born else None,
        role=role.value,
        username=name,
        display_name=name,
        created_at=now,
    )
    async with transaction() as session:
        await repository.add_account(session, account)
        if knows_the_rules:
            await legal.note_reading(session, account.id, at_sign_up=True, now=now)
    return account


async def signed_in(
    account_id: UUID, browser: Caller, *, may_log_address: bool = False, now: datetime = NOON
) -> str:
    """The secret of a new session of the account in `browser`."""
    async with transaction() as session:
        ticket = await sessions.issue_ticket(
            session, account_id, browser, may_log_address=may_log_address, now=now
        )
    async with transaction() as session:
        secret = await sessions.redeem_ticket(session, ticket, browser, now=now)
    assert secret is not None
    return secret


__all__ = ["NOON", "PASSWORD", "a_browser", "a_sign_up", "an_account", "service", "signed_in"]
