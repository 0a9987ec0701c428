"""Signed-in players in the database of the app that is being measured."""

import asyncio
import os
from pathlib import Path

from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.postgres import embedded
from rewards_app.core.settings import settings
from rewards_app.features.accounts import repository
from rewards_app.features.legal import service as legal
from rewards_app.models import Account
from tests.people import a_browser, signed_in

PEOPLE = 501


def make_people(data: Path) -> list[str]:
    """The secret of each one's session. The app runs on `data` meanwhile."""
    os.environ["DATABASE_URL"] = embedded.url_of_running(data)
    os.environ["DATA_DIR"] = str(data)
    settings.cache_clear()
    return asyncio.run(people(PEOPLE))


async def people(count: int) -> list[str]:
    """The secrets of their sessions, in the database of the settings."""
    try:
        return [await _one(number) for number in range(count)]
    finally:
        await dispose_engine()


async def _one(number: int) -> str:
    """A player without a password: hashing hundreds would take longer than the bench."""
    now = utc_now()
    account = Account(
        email=f"player{number}@example.com",
        email_verified_at=now,
        birth_date="1998-05-17",
        age_verified_at=now,
        username=f"Player {number}",
        display_name=f"Player {number}",
    )
    async with transaction() as session:
        await repository.add_account(session, account)
        await legal.note_reading(session, account.id, at_sign_up=True, now=now)
    browser = a_browser(str(number), address=f"10.0.{number // 250}.{number % 250}")
    return await signed_in(account.id, browser, now=now)
