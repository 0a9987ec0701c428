"""What the owner of an account is mailed when something of its security changes."""

from datetime import datetime

from rewards_app.core import mail
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.routes import SIGN_IN
from rewards_app.core.settings import settings
from rewards_app.features.accounts import repository
from rewards_app.features.accounts.devices import device_of
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text
from rewards_app.models import Account

SECURITY = "/security"
MAILED = "/mailed"
"""The page of mailed links, for whoever is signed in where one is opened."""
RESETTING = f"{MAILED}?mode=renew"


async def tell(
    session: AsyncSession,
    account: Account,
    name: str,
    *,
    link: str = SECURITY,
    to: str = "",
    **params: str | int,
) -> None:
    """Mail `account` the letter `mails.security_<name>`; `link` is a path of ours.

    `to` is an address that is not, or no longer, the account's own.
    """
    await mail.send(
        session,
        mail.Letter(
            to or account.email,
            account.language,
            f"security_{name}",
            link=f"{settings().origin}{link}",
            params={"support": settings().support_email} | params,
        ),
    )


async def tell_whose_it_is(session: AsyncSession, email: str, name: str, *, language: str) -> None:
    """Mail an address that somebody typed the letter `mails.<name>`: another account has it.

    In the language of that one; in the asker's where it is only kept for one that left it.
    """
    owner = await repository.account_by_email(session, email)
    written_in = owner.language if owner else language
    await mail.send(session, mail.Letter(email, written_in, name, f"{settings().origin}{SIGN_IN}"))


async def tell_of_decision(
    session: AsyncSession, account: Account, name: str, *, link: str, **params: str
) -> None:
    """Mail `account` what was decided about it; its reason stays in the audit log.

    An address that nobody has proved learns of nothing, nor does somebody who has left.
    """
    if account.email_verified_at and not account.closed_at:
        await tell(session, account, name, link=link, **params)


def circumstances(caller: Caller, language: str, *, now: datetime) -> dict[str, str]:
    """With what, and when: the parameters `device` and `when` of most letters."""
    return {
        "device": device_words(caller.user_agent, language),
        "when": f"{written.day(now, language)}, {written.time_of_day(now, language)}",
    }


def device_words(user_agent: str, language: str) -> str:
    """Firefox on Windows; one word where the other cannot be told."""
    device = device_of(user_agent)
    if device.browser and device.system:
        return text("security.device", language, browser=device.browser, system=device.system)
    return device.browser or device.system or text("security.unknown_device", language)
