"""What waiting people are mailed: whether they mean it, and that the doors are open."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.waitlist import links, rules

CONFIRM, OPEN = "waitlist_confirm", "waitlist_open"
NAMES = (CONFIRM, OPEN)
SIGN_UP = "/auth?mode=signup"


async def ask(
    session: AsyncSession, entry_id: UUID, email: str, language: str, *, asked_at: datetime
) -> None:
    letter = Letter(
        email,
        language,
        CONFIRM,
        links.to_confirm(entry_id, asked_at),
        {"days": rules.CONFIRM_WITHIN.days, "kept": rules.UNCONFIRMED_ARE_KEPT.days},
        unsubscribe=links.to_leave(entry_id, language),
    )
    await mail.send(session, letter)


async def tell_open(session: AsyncSession, entry_id: UUID, email: str, language: str) -> None:
    letter = Letter(
        email,
        language,
        OPEN,
        f"{settings().origin}{SIGN_UP}",
        unsubscribe=links.to_leave(entry_id, language),
    )
    await mail.send(session, letter, is_to_many=True)
