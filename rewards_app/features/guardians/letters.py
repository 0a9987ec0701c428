"""What guardians are mailed: the question, and how to take an answer back."""

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.guardians import rules
from rewards_app.models import Account, GuardianConsent

PAGE = "/guardian"


async def ask(session: AsyncSession, account: Account, email: str, token: str) -> None:
    params = {
        **_named(account, account.language),
        "days": rules.ANSWER_WITHIN.days,
        "kept": rules.UNANSWERED_ARE_KEPT.days,
    }
    letter = Letter(
        email, account.language, "guardian_request", _link(token), params, about=str(account.id)
    )
    await mail.send(session, letter)


async def confirm(
    session: AsyncSession, account: Account, consent: GuardianConsent, token: str
) -> None:
    letter = Letter(
        consent.email,
        consent.language,
        "guardian_given",
        _link(token),
        _named(account, consent.language),
        about=str(account.id),
    )
    await mail.send(session, letter)


async def confirm_withdrawn(
    session: AsyncSession, account: Account, consent: GuardianConsent, *, is_grown: bool
) -> None:
    letter = Letter(
        consent.email,
        consent.language,
        "guardian_withdrawn_grown" if is_grown else "guardian_withdrawn",
        params=_named(account, consent.language),
        about=str(account.id),
    )
    await mail.send(session, letter)


def _link(token: str) -> str:
    return f"{settings().origin}{PAGE}?token={token}"


def _named(account: Account, language: str) -> dict[str, str | int]:
    return {
        "name": account.display_name,
        "support": settings().support_email,
        "privacy": mail.read_in(language, f"{settings().origin}/privacy"),
    }
