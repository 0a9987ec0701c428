"""Signing up: an account that waits until its address is proven."""

from datetime import datetime

import structlog

from rewards_app.core import hashing, jobs, limits, live
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.core.sealed import seal
from rewards_app.core.settings import settings
from rewards_app.features.accounts import (
    contacts,
    letters,
    links,
    mailed_links,
    name_rules,
    repository,
    rules,
    sessions,
)
from rewards_app.features.arrivals import service as arrivals
from rewards_app.features.legal import service as legal
from rewards_app.models import Account

_log = structlog.get_logger(__name__)

SIGN_UPS_PER_ADDRESS = limits.parse("20/10minutes")
SIGNING_UP = "accounts.finish_sign_up"


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
    await mailed_links.mail_new(session, account, links.VERIFY, door_hash=door_hash, now=now)
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
        await letters.tell_whose_it_is(
            session, account.email, "already_registered", language=account.language
        )


async def _may_mail(email: str) -> bool:
    return await mailed_links.is_within(
        mailed_links.MAILS_PER_ACCOUNT, "mail", links.VERIFY, email
    ) and await mailed_links.is_within(mailed_links.MAILS_OF_A_DAY, "mailbox", email)


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
    return name_rules.untyped_name(rules.name_in(wanted.email), neutral=wanted.role.value)
