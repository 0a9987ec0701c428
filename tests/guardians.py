"""The young, and what their guardians said."""

from datetime import timedelta

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.features.guardians.rules import Status
from rewards_app.models import Account, GuardianConsent
from tests.people import NOON


async def is_born(actor: Actor, day: str) -> None:
    async with transaction() as session:
        account = await session.get(Account, actor.user_id)
        assert account is not None
        account.birth_date = day
        session.add(account)


async def has_told(actor: Actor, *, sign_up_age: int | None) -> None:
    """No birth date, and perhaps an age when they signed up."""
    async with transaction() as session:
        account = await session.get(Account, actor.user_id)
        assert account is not None
        account.birth_date, account.age_verified_at = None, None
        account.sign_up_age = sign_up_age
        session.add(account)


async def has_consent(actor: Actor, status: Status = Status.GIVEN) -> None:
    async with transaction() as session:
        session.add(
            GuardianConsent(
                account_id=actor.user_id,
                email="mum@example.com",
                name="Anna Berg",
                status=status.value,
                token_hash=digest(f"{actor.user_id}"),
                expires_at=NOON + timedelta(days=7),
                answered_at=NOON,
                created_at=NOON,
            )
        )
