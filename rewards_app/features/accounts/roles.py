"""Giving an account another role: asked one after the other, written down, known at once.

Its sessions go on: what they may do is asked at every event, so that nothing is left in them.
"""

from datetime import datetime
from uuid import UUID

import structlog
from sqlalchemy import text
from sqlmodel import col, select

from rewards_app.core import live, mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, lock_row, run
from rewards_app.features.accounts import letters, role_rules, sessions
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import log
from rewards_app.features.audit import service as audit
from rewards_app.i18n.mail_text import words
from rewards_app.models import Account, AccountRestriction, Advertiser, AdvertiserMember

_log = structlog.get_logger(__name__)

# Two admins who take the role from each other at the same moment would leave none.
ONE_AT_A_TIME = text("select pg_advisory_xact_lock(hashtext('roles'))")


async def change(
    session: AsyncSession,
    actor: Actor | None,
    account_id: UUID,
    role: Role,
    reason: str,
    *,
    seen: Role | None = None,
    now: datetime,
) -> bool:
    """Whether anything has changed; nobody is `actor` where the command line asks.

    Whoever has `seen` what it is decides on that alone, and not on what others made of it since.

    Open tabs of that person follow within seconds, and a mail tells them what they are now.
    """
    await run(session, ONE_AT_A_TIME)
    account = await lock_row(session, Account, account_id)
    if account is None or mail.is_forgotten(account.email):
        raise role_rules.UnknownAccount
    person = await _person(session, account)
    if seen and person.role is not seen:
        raise role_rules.DecidedMeanwhile
    role_rules.refuse_wrong(actor, person, role, await _admins(session))
    if not role_rules.changes_something(person, role):
        return False
    before = {"role": account.role, "asked_for_admin": account.asked_for_admin}
    account.role, account.asked_for_admin = role.value, False
    session.add(account)
    await audit.record(
        session,
        actor,
        audit.Action.ROLE_CHANGED,
        f"account:{account.id}",
        label=account.display_name,
        before=before,
        after={"role": role.value, "asked_for_admin": False},
        reason=reason,
        now=now,
    )
    if person.role is not role:
        await _alert(session, actor, account, person.role, now=now)
        await _tell(session, account, person.role)
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account.id))
    _log.warning("account.role_changed", account_id=str(account.id), role=role.value)
    return True


async def was_given(session: AsyncSession, account_id: UUID) -> bool:
    """Whether somebody else has chosen what the account is."""
    about = log.Search(action=audit.Action.ROLE_CHANGED, about=f"account:{account_id}")
    found = await log.find(session, about)
    return any(line.is_erased or line.before["role"] != line.after["role"] for line in found.shown)


COMMAND_LINE = "rewards promote"


async def _alert(
    session: AsyncSession, actor: Actor | None, account: Account, before: Role, *, now: datetime
) -> None:
    """Every change of power is looked at: each is an alert of its own."""
    by = actor.name if actor else COMMAND_LINE
    if account.role == Role.ADMIN.value:
        await alerts.raise_alert(
            session,
            alerts.Kind.ADMIN_MADE,
            account_id=account.id,
            now=now,
            name=account.display_name,
            by=by,
        )
        return
    await alerts.raise_alert(
        session,
        alerts.Kind.ROLE_CHANGED,
        account_id=account.id,
        now=now,
        name=account.display_name,
        before=[f"roles.{before}"],
        after=[f"roles.{account.role}"],
        by=by,
    )


async def _tell(session: AsyncSession, account: Account, before: Role) -> None:
    names = {
        name: words(f"roles.{role}", account.language)
        for name, role in (("before", before.value), ("role", account.role))
    }
    await letters.tell_of_decision(session, account, "role_changed", link="/", **names)


async def _person(session: AsyncSession, account: Account) -> role_rules.Person:
    suspended = select(AccountRestriction.id).where(
        AccountRestriction.account_id == account.id,
        AccountRestriction.kind == "suspended",
        col(AccountRestriction.ended_at).is_(None),
    )
    company = (
        select(Advertiser.company_name)
        .join(AdvertiserMember, col(AdvertiserMember.advertiser_id) == Advertiser.id)
        .where(
            AdvertiserMember.account_id == account.id,
            # What was rejected is nobody's company, and stays with whom it was rejected to.
            Advertiser.status != "rejected",
        )
    )
    return role_rules.Person(
        account.id,
        Role(account.role),
        account.asked_for_admin,
        is_verified=account.email_verified_at is not None,
        is_suspended=(await session.exec(suspended)).first() is not None,
        acts_for=(await session.exec(company)).first() or "",
    )


async def _admins(session: AsyncSession) -> set[UUID]:
    query = select(Account.id).where(
        Account.role == Role.ADMIN.value, col(Account.closed_at).is_(None)
    )
    return set((await session.exec(query)).all())
