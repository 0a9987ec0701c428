"""Links that are mailed: they prove an address, or lead to a new password."""

from datetime import datetime

from rewards_app.core import hashing, jobs, limits, mail
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    guessing,
    letters,
    links,
    name_rules,
    passwords,
    repository,
    rules,
    sessions,
    taking_over,
    token_repository,
)
from rewards_app.models import Account, EmailLink

MAILS_PER_ACCOUNT = limits.parse("5/5minutes")
"""Of each of COUNTED_APART: who asks for one of them keeps nobody from another."""
MAILS_PER_ADDRESS = limits.parse("20/10minutes")
MAILS_OF_A_DAY = limits.parse("20/day")
"""Of mails that keep nobody out where they do not come; `links.are_enough` is for the others."""
COUNTED_APART = (links.VERIFY, links.RESET, links.USE)
MAILING_LINK = "accounts.mail_link"


async def send_verification_again(
    session: AsyncSession, email: str, caller: Caller, *, now: datetime
) -> None:
    """Mail a fresh link if the address waits for one; says nothing about whether it does."""
    await _ask_for_link(session, links.VERIFY, email, caller, now=now)


async def mail_verification(session: AsyncSession, account: Account, *, now: datetime) -> None:
    """A fresh link to prove the address; older ones are worth nothing any more.

    Whoever asks for it, it knows the browser that signed up. Of too many in a day none is mailed
    while the last one is good.
    """
    if await links.are_enough(session, account.id, links.VERIFY, now=now):
        return
    door_hash = await token_repository.door_of_last_link(session, account.id, links.VERIFY)
    await links.use_up(session, account.id, links.VERIFY, now=now)
    await mail_new(session, account, links.VERIFY, door_hash=door_hash, now=now)


async def open_verification(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> bool:
    """Whether opening the link has proven the address, as it does in the browser that signed up.

    Anywhere else it is only looked at: mail scanners open links, and whoever signed up, and knows
    the password, may be somebody else than the owner of the mailbox.
    """
    link = await links.known(session, token, links.VERIFY, caller)
    links.refuse_over(link, now=now)
    if not link.door_hash or link.door_hash != caller.door_hash:
        return False
    await _verify(session, link, now=now)
    return True


async def verify_email(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> None:
    """The link proves the address; used a second time it says so and changes nothing."""
    await _verify(session, await links.known(session, token, links.VERIFY, caller), now=now)


async def _verify(session: AsyncSession, link: EmailLink, *, now: datetime) -> None:
    links.use(session, link, now=now)
    account = await links.owner(session, link)
    account.email_verified_at = account.email_verified_at or now
    session.add(account)


async def request_reset(
    session: AsyncSession, email: str, caller: Caller, *, now: datetime
) -> None:
    """Mail a reset link if the address has an account; the answer is the same if not.

    Links that were mailed before still open, until a password was chosen: anybody may ask for
    another one, and would keep the owner out. Nor do too many keep them out: of these none is
    mailed while one that lies in the mailbox is good.
    """
    await _ask_for_link(session, links.RESET, email, caller, now=now)


async def _ask_for_link(
    session: AsyncSession, purpose: str, email: str, caller: Caller, *, now: datetime
) -> None:
    """Where known accounts are hidden a job looks whose the address is: time would tell, too."""
    address = email.strip().lower()
    await limits.spend(MAILS_PER_ADDRESS, "mail", caller.source)
    await limits.spend(MAILS_PER_ACCOUNT, "mail", purpose, address)
    if not settings().hide_known_accounts:
        await mail_link(session, purpose, address, now=now)
        return
    await jobs.later(
        session,
        MAILING_LINK,
        urgency=jobs.Urgency.LETTER,
        purpose=purpose,
        email=address,
        asked_at=now.isoformat(),
    )


async def mail_link(session: AsyncSession, purpose: str, email: str, *, now: datetime) -> None:
    """To the account of this address, if there is one that the link is of use for."""
    account = await repository.locked_by_email(session, email)
    if account is None:
        return
    if purpose == links.VERIFY:
        if account.email_verified_at is None:
            await mail_verification(session, account, now=now)
    elif not await links.are_enough(session, account.id, links.RESET, now=now):
        await mail_new(session, account, links.RESET, now=now)


async def whose_reset(
    session: AsyncSession, token: str, caller: Caller, *, now: datetime
) -> tuple[str, str]:
    """Email and name of whoever may choose a new password by this link; it stays unused."""
    link = await links.known(session, token, links.RESET, caller)
    links.refuse_over(link, now=now)
    account = await links.owner(session, link)
    return account.email, account.display_name


async def reset_password(
    session: AsyncSession, token: str, password: str, caller: Caller, *, now: datetime
) -> None:
    """Set a new password by a mailed link. Every session of the account ends.

    So does a change of the address that is under way: somebody else may have asked for it. Where
    the address was never proved, somebody else may have signed up with it: nothing of theirs stays.
    """
    link = await links.used(session, token, links.RESET, caller, now=now)
    account = await links.owner(session, link)
    if account.email_verified_at is None and not await _signed_up_here(session, account, caller):
        await _make_theirs(session, account, now=now)
    await passwords.refuse_bad(account, password)
    account.password_hash = await hashing.hashed(password)
    account.password_changed_at = now
    account.email_verified_at = account.email_verified_at or now
    session.add(account)
    await guessing.let_in(account.email, caller)
    await links.use_up(session, account.id, links.RESET, links.USE, now=now)
    await sessions.end_all(session, account.id, now=now, own=caller.session_hash)


async def _signed_up_here(session: AsyncSession, account: Account, caller: Caller) -> bool:
    door_hash = await token_repository.door_of_last_link(session, account.id, links.VERIFY)
    return bool(door_hash) and door_hash == caller.door_hash


async def _make_theirs(session: AsyncSession, account: Account, *, now: datetime) -> None:
    name = name_rules.untyped_name(rules.name_in(account.email))
    theirs = taking_over.proven_account(account.email, name, language=account.language, now=now)
    await taking_over.make_theirs(session, account, theirs)


async def mail_new(
    session: AsyncSession, account: Account, purpose: str, *, door_hash: str = "", now: datetime
) -> None:
    token = links.new(session, account, purpose, door_hash=door_hash, now=now)
    link = f"{settings().origin}{letters.MAILED}?mode={purpose}&token={token}"
    await mail.send(session, mail.Letter(account.email, account.language, purpose, link))


async def is_within(limit: limits.RateLimitItem, *who: str) -> bool:
    """Whether it is within the limit; a refusal would tell that there is an account."""
    try:
        await limits.spend(limit, *who)
    except TooManyAttempts:
        return False
    return True
