"""Accounts: signing up, proving an address, signing in, a new password, a new role."""

from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import hashing, jobs, limits, live, mail
from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession, lock_row
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.sealed import seal
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    contacts,
    guessing,
    letters,
    links,
    repository,
    roles,
    rules,
    session_repository,
    sessions,
    steps,
    token_repository,
)
from rewards_app.features.accounts.password_rules import PasswordAge, password_notice, refuse_weak
from rewards_app.features.arrivals import service as arrivals
from rewards_app.features.legal import service as legal
from rewards_app.models import Account, EmailLink

_log = structlog.get_logger(__name__)

SIGN_UPS_PER_ADDRESS = limits.parse("20/10minutes")
MAILS_PER_ACCOUNT = limits.parse("5/5minutes")
MAILS_PER_ADDRESS = limits.parse("20/10minutes")
MAILS_OF_A_DAY = limits.parse("20/day")
"""Of mails that keep nobody out where they do not come; `links.are_enough` is for the others."""
LINKS_BY_SIGN_IN = limits.parse("1/5minutes")
SIGNING_UP = "accounts.finish_sign_up"
MAILING_LINK = "accounts.mail_link"


async def sign_up(
    session: AsyncSession,
    wanted: rules.SignUp,
    caller: Caller,
    *,
    language: str,
    led_by: str = "",
    now: datetime,
) -> None:
    """Make an account that waits for its email to be verified, and mail the link.

    It is one more of the campaign that it was `led_by`, and knows nothing of it.

    Where known accounts are hidden a job does both, and each counts as a mail, whether there was an
    account or not.
    """
    await limits.spend(SIGN_UPS_PER_ADDRESS, "sign-up", caller.source)
    contacts.refuse_bad_email(wanted.email)
    contacts.refuse_guessable(wanted.password, about=wanted.about)
    account = new_account(wanted, await hashing.hashed(wanted.password), language, now=now)
    if settings().hide_known_accounts:
        await _leave_to_job(session, account, caller)
    elif not await _add(session, account, caller.door_hash):
        raise rules.EmailTaken
    await arrivals.note_sign_up(session, led_by, caller, now=now)


async def _add(session: AsyncSession, account: Account, door_hash: str) -> bool:
    """False where the address has an account, or is kept for one."""
    now = account.created_at
    if not await repository.add_account(session, account):
        return False
    await legal.note_reading(session, account.id, at_sign_up=True, now=now)
    await _mail_link(session, account, links.VERIFY, door_hash=door_hash, now=now)
    live.announce_after(session, sessions.ACCOUNT_ADDED)
    _log.info("account.created", account_id=str(account.id), role=account.role)
    return True


async def _leave_to_job(session: AsyncSession, account: Account, caller: Caller) -> None:
    """What is done here takes as long whether the address has an account or not."""
    await jobs.later(
        session,
        SIGNING_UP,
        urgency=jobs.Urgency.LETTER,
        # Readable, so that it goes with whoever has the address.
        email=account.email,
        sealed=seal(account.model_dump_json()),
        door_hash=caller.door_hash,
        may_mail=await _may_mail(account.email),
    )


async def finish_sign_up(
    session: AsyncSession, account: Account, door_hash: str, *, may_mail: bool
) -> None:
    """The job's part; done a second time it changes nothing, and mails nobody."""
    if await repository.account_by_id(session, account.id):
        return
    if not await _add(session, account, door_hash) and may_mail:
        await _tell_who_has_it(session, account.email, account.language)


async def _may_mail(email: str) -> bool:
    return await _counts(MAILS_PER_ACCOUNT, "mail", email) and await _counts(
        MAILS_OF_A_DAY, "mailbox", email
    )


async def _counts(limit: limits.RateLimitItem, *who: str) -> bool:
    """Whether it is within the limit; a refusal would tell that there is an account."""
    try:
        await limits.spend(limit, *who)
    except TooManyAttempts:
        return False
    return True


async def _tell_who_has_it(session: AsyncSession, email: str, language: str) -> None:
    link = f"{settings().origin}/auth?mode=login"
    await mail.send(session, mail.Letter(email, language, "already_registered", link))


def new_account(
    wanted: rules.SignUp, password_hash: str, language: str, *, now: datetime
) -> Account:
    player = wanted.player
    name = player.name if player else _name_of_mailbox(wanted)
    return Account(
        id=new_id(),
        email=wanted.email,
        password_hash=password_hash,
        password_changed_at=now,
        role=wanted.role.value,
        asked_for_admin=wanted.asked_for_admin,
        username=name,
        display_name=name,
        phone=contacts.normal_phone(player.phone, player.phone_country) if player else None,
        sign_up_age=player.age if player else None,
        gender=player.gender.value if player else None,
        country=player.country if player else "SE",
        language=language,
        created_at=now,
    )


def _name_of_mailbox(wanted: rules.SignUp) -> str:
    return rules.untyped_name(rules.name_in(wanted.email), neutral=wanted.role.value)


async def sign_in(
    session: AsyncSession,
    email: str,
    password: str,
    caller: Caller,
    *,
    may_log_address: bool,
    now: datetime,
) -> steps.Outcome:
    """A ticket for the person who knows the password, or what else is asked of them first."""
    async with hashing.slots:
        account = await _checked(
            session, email.strip().lower(), password, caller, may_log_address=may_log_address
        )
    # Not before: who waits for the account may not keep others from hashing.
    account = await _unless_changed(session, account)
    if _is_hidden(account):
        if await _counts(LINKS_BY_SIGN_IN, "sign-in-link", account.email):
            await mail_verification(session, account, now=now)
        return steps.Withheld()
    if account.password_hash and hashing.is_outdated(account.password_hash):
        account.password_hash = await hashing.hashed(password)
        session.add(account)
    if account.email_verified_at is None:
        return steps.Unverified(is_player=account.role in PLAYING_ROLES)
    return await steps.first(session, account, caller, may_log_address=may_log_address, now=now)


async def _checked(
    session: AsyncSession, email: str, password: str, caller: Caller, *, may_log_address: bool
) -> Account:
    guess = await guessing.begin(session, email, caller)
    try:
        account = await repository.account_by_email(session, email)
        is_right = await hashing.matches(password, account.password_hash if account else None)
    except Exception:
        await guess.was_none()
        raise
    if account and is_right and not _is_hidden(account):
        await guess.was_right()
        return account
    await guess.was_wrong(account, may_log_address=may_log_address)
    if not account or not is_right:
        raise rules.InvalidCredentials
    return account


def _is_hidden(account: Account) -> bool:
    """Anybody may have made it, to see whether the address has one with another password."""
    return settings().hide_known_accounts and account.email_verified_at is None


async def _unless_changed(session: AsyncSession, account: Account) -> Account:
    """To check a password takes a moment, in which its owner may have chosen another one."""
    checked = account.password_hash
    locked = await lock_row(session, Account, account.id)
    if locked is None or locked.password_hash != checked:
        raise rules.InvalidCredentials
    return locked


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
    await _mail_link(session, account, links.VERIFY, door_hash=door_hash, now=now)


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
    await _spend_mail(email, caller)
    address = email.strip().lower()
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
    account = await repository.account_by_email(session, email)
    if account is None:
        return
    if purpose == links.VERIFY:
        if account.email_verified_at is None:
            await mail_verification(session, account, now=now)
    elif not await links.are_enough(session, account.id, links.RESET, now=now):
        await _mail_link(session, account, links.RESET, now=now)


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

    So does a change of the address that is under way: somebody else may have asked for it.
    """
    link = await links.used(session, token, links.RESET, caller, now=now)
    account = await links.owner(session, link)
    about = (account.email, account.display_name)
    refuse_weak(password, about=about)
    contacts.refuse_guessable(password, about=about)
    account.password_hash = await hashing.hashed(password)
    account.password_changed_at = now
    account.email_verified_at = account.email_verified_at or now
    session.add(account)
    await guessing.let_in(account.email, caller)
    await links.use_up(session, account.id, links.RESET, links.USE, now=now)
    await sessions.end_all(session, account.id, now=now)


async def promote(
    session: AsyncSession, email: str, role: Role, reason: str = "", *, now: datetime
) -> bool:
    """For the command line: give the account of `email` a role; False when there is none."""
    account = await repository.account_by_email(session, email.strip().lower())
    if account is None:
        return False
    await roles.change(session, None, account.id, role, reason, now=now)
    return True


async def _spend_mail(email: str, caller: Caller) -> None:
    await limits.spend(MAILS_PER_ADDRESS, "mail", caller.source)
    await limits.spend(MAILS_PER_ACCOUNT, "mail", email.strip().lower())


async def _mail_link(
    session: AsyncSession, account: Account, purpose: str, *, door_hash: str = "", now: datetime
) -> None:
    token = links.new(session, account, purpose, door_hash=door_hash, now=now)
    link = f"{settings().origin}{letters.MAILED}?mode={purpose}&token={token}"
    await mail.send(session, mail.Letter(account.email, account.language, purpose, link))


async def find(session: AsyncSession, account_id: UUID) -> Account | None:
    return await repository.account_by_id(session, account_id)


async def rename(session: AsyncSession, account_id: UUID, name: str) -> bool:
    """Show the account under another name; open tabs learn it. False where nothing is different.

    Its username and its handle stay.
    """
    account = await repository.account_by_id(session, account_id)
    assert account is not None, "who acts has an account"
    wished = rules.name_from(name, account.language)
    if wished == account.display_name:
        return False
    account.display_name = wished
    session.add(account)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    return True


async def players() -> int:
    """Accounts that may play."""
    return await repository.count_of([role.value for role in PLAYING_ROLES])


async def password_age(account_id: UUID, *, now: datetime) -> PasswordAge | None:
    """None where nothing expires, and for who signs in with a provider only."""
    changed_at = await repository.password_changed_at(account_id)
    days = settings().password_rotation_days
    return password_notice(changed_at, days, now) if changed_at else None


async def count_by_role(session: AsyncSession) -> dict[str, int]:
    return await repository.accounts_by_role(session)


async def sign_ups_since(session: AsyncSession, since: datetime) -> int:
    return await repository.sign_ups_since(session, since)


async def open_sessions(
    session: AsyncSession, *, now: datetime, account_id: UUID | None = None
) -> int:
    return await session_repository.live_session_count(
        session, active_since=now - rules.IDLE_LIMIT, account_id=account_id
    )
