"""Another email address: asked for with the password, proven by a link, told to the old one."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live, mail
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    contacts,
    letters,
    links,
    proving,
    repository,
    rules,
    sessions,
)
from rewards_app.features.accounts.service import (
    MAILS_PER_ACCOUNT,
    MAILS_PER_ADDRESS,
)
from rewards_app.models import Account

PATH = "/email"
OF_THE_OLD_ADDRESS = (links.VERIFY, links.RESET, links.USE, links.STOP)


async def ask(
    session: AsyncSession, actor: Actor, typed: str, password: str, caller: Caller, *, now: datetime
) -> str:
    """Mail a link to the new address, and to the present one a link that stops it.

    Whether the new one has an account is told to its owner alone. Call it before anything else
    of the transaction, as `proving.prove`.
    """
    email = typed.strip().lower()
    refuse_unfit(email, actor)
    await proving.prove(session, actor, password, caller, now=now)
    await limits.spend(MAILS_PER_ADDRESS, "mail", caller.source)
    await limits.spend(MAILS_PER_ACCOUNT, "mail", str(actor.user_id))
    await limits.spend(MAILS_PER_ACCOUNT, "mail", email)
    account = await _account(session, actor.user_id)
    await links.use_up(session, account.id, links.USE, links.STOP, now=now)
    if await repository.account_by_email(session, email):
        await _tell_who_has_it(session, email, account.language)
    else:
        link = _link(session, account, links.USE, email, now=now)
        await letters.tell(session, account, "email_confirm", link=link, to=email)
    await letters.tell(
        session,
        account,
        "email_asked",
        link=_link(session, account, links.STOP, email, now=now),
        email=email,
        **letters.circumstances(caller, account.language, now=now),
    )
    return email


def refuse_unfit(email: str, actor: Actor) -> None:
    if email == actor.email:
        raise rules.SameAddress("email")
    contacts.refuse_bad_email(email)


async def _tell_who_has_it(session: AsyncSession, email: str, language: str) -> None:
    link = f"{settings().origin}/auth?mode=login"
    await mail.send(session, mail.Letter(email, language, "already_registered", link))


def _link(
    session: AsyncSession, account: Account, purpose: str, email: str, *, now: datetime
) -> str:
    token = links.new(session, account, purpose, new_email=email, now=now)
    return f"{PATH}?do={'use' if purpose == links.USE else 'stop'}&token={token}"


async def use(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> str:
    """The link proves the new address: it is the account's from now on, and is returned.

    Links that were mailed to the old address open nothing any more; nor do providers, who vouched
    for it: whoever owns it there may be somebody else, as a former employer is.
    """
    link = await links.used(session, token, links.USE, caller, now=now)
    assert link.new_email, "such a link has an address"
    account = await links.owner(session, link)
    before = account.email
    if not await repository.move_to(session, account.id, link.new_email, now=now):
        raise rules.AddressTakenMeanwhile
    await links.use_up(session, account.id, *OF_THE_OLD_ADDRESS, now=now)
    await repository.drop_identities(session, account.id)
    told = letters.circumstances(caller, account.language, now=now)
    await letters.tell(session, account, "email_changed", to=before, email=link.new_email, **told)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account.id))
    return link.new_email


async def stop(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> None:
    """The owner of the present address says no: the link to the new one opens nothing."""
    link = await links.used(session, token, links.STOP, caller, now=now)
    await links.use_up(session, link.account_id, links.USE, now=now)


async def _account(session: AsyncSession, account_id: UUID) -> Account:
    account = await repository.account_by_id(session, account_id)
    assert account is not None, "who acts, and what is mailed a link, has an account"
    return account
