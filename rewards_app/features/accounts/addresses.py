"""Another email address: asked for with the password, proven by a link, told to the old one.

For a day the old one brings the account back, by a link as well, and is nobody else's meanwhile;
later the operator does.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import (
    contacts,
    letters,
    links,
    proving,
    repository,
    rules,
    sessions,
)
from rewards_app.features.accounts.mailed_links import (
    MAILS_OF_A_DAY,
    MAILS_PER_ACCOUNT,
    MAILS_PER_ADDRESS,
)
from rewards_app.features.audit import service as audit
from rewards_app.models import Account, EmailLink

_log = structlog.get_logger(__name__)

PATH = "/email"
OF_THE_OLD_ADDRESS = (links.VERIFY, links.RESET, links.USE)
Along = Callable[[AsyncSession, str, str, datetime], Awaitable[None]]
TAKEN_ALONG: list[Along] = []
"""Slices above add what they know by an address alone: it is told the old one and the new one."""


def take_along(one: Along) -> None:
    """From now on this moves with every account."""
    if one not in TAKEN_ALONG:
        TAKEN_ALONG.append(one)


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
    for who in (str(actor.user_id), email):
        await limits.spend(MAILS_PER_ACCOUNT, "mail", links.USE, who)
        await limits.spend(MAILS_OF_A_DAY, "another-address", who)
    account = await _account(session, actor.user_id)
    await links.use_up(session, account.id, links.USE, now=now)
    if await _is_somebodys(session, email, account, now=now):
        await letters.tell_whose_it_is(
            session, email, "security_email_taken", language=account.language
        )
    else:
        link = _link(session, account, links.USE, email, now=now)
        await letters.tell(session, account, "email_confirm", link=link, to=email)
    await letters.tell(
        session,
        account,
        "email_asked",
        link=_link(session, account, links.STOP, account.email, now=now),
        email=email,
        **letters.circumstances(caller, account.language, now=now),
    )
    return email


async def _is_somebodys(
    session: AsyncSession, email: str, account: Account, *, now: datetime
) -> bool:
    if await repository.account_by_email(session, email):
        return True
    return await repository.is_kept(session, email, besides=account.id, now=now)


def refuse_unfit(email: str, actor: Actor) -> None:
    if email == actor.email:
        raise rules.SameAddress("email")
    contacts.refuse_bad_email(email)


def _link(
    session: AsyncSession, account: Account, purpose: str, email: str, *, now: datetime
) -> str:
    """To the account at `email`: by its proof, or as before."""
    token = links.new(session, account, purpose, new_email=email, now=now)
    return f"{PATH}?do={'use' if purpose == links.USE else 'stop'}&token={token}"


class Does(StrEnum):
    """What the button of a link does; each has its words under `auth.email.`."""

    USE = "use"
    STOP = "stop"
    BRING_BACK = "bring_back"


class Done(StrEnum):
    """What was done by links; each has its words there, too."""

    USED = "used"
    STOPPED = "stopped"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Meant:
    """What its owner would do by a link, or did; and where the account is then."""

    does: Does | Done
    email: str


async def meant(
    session: AsyncSession, token: str, purpose: str, caller: Caller, *, now: datetime
) -> Meant:
    """Looks only; a link that opens nothing any more says so at once, or what it has done."""
    link = await links.known(session, token, purpose, caller)
    assert link.new_email, "such a link has an address"
    has_moved = await _has_moved(session, link)
    try:
        _refuse_over(link, has_moved=has_moved, now=now)
    except links.OVER:
        done = await _done_by(session, link)
        if done is None:
            raise
        return Meant(done, link.new_email)
    if purpose == links.USE:
        return Meant(Does.USE, link.new_email)
    return Meant(Does.BRING_BACK if has_moved else Does.STOP, link.new_email)


async def _done_by(session: AsyncSession, link: EmailLink) -> Done | None:
    """As the account shows it, whichever of its links did it; None where that is nothing."""
    account = await links.owner(session, link)
    if account.email != link.new_email:
        return None
    if link.purpose == links.USE:
        return Done.USED
    # Whoever is brought back has no way in until they have chosen a new password.
    opens = account.password_hash or await repository.is_vouched_for(session, account.id)
    return None if opens else Done.BACK


async def _has_moved(session: AsyncSession, link: EmailLink) -> bool:
    """Whether the account has left the address that the link keeps."""
    account = await links.owner(session, link)
    return link.purpose == links.STOP and account.email != link.new_email


def _refuse_over(link: EmailLink, *, has_moved: bool, now: datetime) -> None:
    """Not in words that nothing was changed, where the account has moved."""
    try:
        links.refuse_over(link, now=now)
    except (rules.LinkExpired, rules.LinkUsed):
        if has_moved:
            raise rules.AddressMoved from None
        raise


async def use(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> str:
    """The link proves the new address: it is the account's from now on, and is returned.

    Links that were mailed to the old address open nothing any more, but what brings the account
    back; nor do providers, who vouched for it: whoever owns it there may be somebody else, as a
    former employer is.
    """
    link = await links.used(session, token, links.USE, caller, now=now)
    assert link.new_email, "such a link has an address"
    account = await links.owner(session, link)
    before = account.email
    if not await _move(session, account, link.new_email, now=now):
        raise rules.AddressTakenMeanwhile
    await links.use_up(session, account.id, *OF_THE_OLD_ADDRESS, now=now)
    await repository.drop_identities(session, account.id)
    await letters.tell(
        session,
        account,
        "email_changed",
        link=_link(session, account, links.STOP, before, now=now),
        to=before,
        email=link.new_email,
        **letters.circumstances(caller, account.language, now=now),
    )
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account.id))
    return link.new_email


async def _move(session: AsyncSession, account: Account, email: str, *, now: datetime) -> bool:
    """False where another account has the address."""
    before = account.email
    if not await repository.move_to(session, account.id, email, now=now):
        return False
    for along in TAKEN_ALONG:
        await along(session, before, email, now)
    return True


async def stop(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> str:
    """The owner of the address that the link went to says no: nothing moves the account from there.

    Where it has moved it comes back, and the address is returned. Of two who say no, the earlier
    owner is heard: their link outlasts that of the later one, who may be the thief.
    """
    link = await links.known(session, token, links.STOP, caller)
    account = await links.owner(session, link)
    assert link.new_email, "such a link has an address"
    has_moved = await _has_moved(session, link)
    _refuse_over(link, has_moved=has_moved, now=now)
    links.use(session, link, now=now)
    await links.use_up(session, account.id, links.USE, now=now)
    if not has_moved:
        return ""
    await links.use_up(session, account.id, links.STOP, since=link.created_at, now=now)
    if not await _bring_back(session, account, link.new_email, own=caller.session_hash, now=now):
        raise rules.AddressMoved
    return link.new_email


async def bring_back(
    session: AsyncSession, email: str, owners: str, reason: str, *, now: datetime
) -> bool:
    """For the command line, whose user is sure whose account it is; False where there is none."""
    account = await repository.locked_by_email(session, email.strip().lower())
    if account is None:
        return False
    to = owners.strip().lower()
    contacts.refuse_bad_email(to)
    await links.use_up(session, account.id, links.STOP, now=now)
    if not await _bring_back(session, account, to, now=now):
        raise rules.AddressTakenMeanwhile
    await audit.record(
        session,
        None,
        audit.Action.ADDRESS_BROUGHT_BACK,
        f"account:{account.id}",
        label=account.display_name,
        reason=reason,
        origin=audit.Origin.COMMAND_LINE,
        now=now,
    )
    return True


async def _bring_back(
    session: AsyncSession, account: Account, email: str, *, own: str = "", now: datetime
) -> bool:
    """Whoever moved it knew the password, and may have joined a provider: neither opens it now.

    False where another account has the address.
    """
    left = account.email
    if not await _move(session, account, email, now=now):
        return False
    account.password_hash = None
    session.add(account)
    await links.use_up(session, account.id, *OF_THE_OLD_ADDRESS, now=now)
    await repository.drop_identities(session, account.id)
    await sessions.end_all(session, account.id, now=now, own=own)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account.id))
    for one in dict.fromkeys((email, left)):
        await letters.tell(
            session, account, "email_back", link=letters.RESETTING, to=one, email=email
        )
    _log.warning("address.brought_back", account_id=str(account.id))
    return True


async def _account(session: AsyncSession, account_id: UUID) -> Account:
    account = await repository.account_by_id(session, account_id)
    assert account is not None, "who acts, and what is mailed a link, has an account"
    return account
