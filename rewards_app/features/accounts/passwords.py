"""A new password, chosen by whoever is signed in; without one yet, a first one."""

from datetime import datetime

from rewards_app.core import hashing, limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import contacts, letters, links, proving, repository, sessions
from rewards_app.features.accounts.password_rules import SamePassword, refuse_weak
from rewards_app.models import Account

NEW_ONES = limits.parse("20/hour")


async def refuse_bad(account: Account, password: str) -> None:
    """Refuse what `account` may not have for a password.

    Whether it is guessable is asked within limits: that holds up everybody.
    """
    about = (account.email, account.display_name)
    refuse_weak(password, about=about)
    await limits.spend(NEW_ONES, "new-password", str(account.id))
    contacts.refuse_guessable(password, about=about)


async def change(
    session: AsyncSession, actor: Actor, old: str, new: str, caller: Caller, *, now: datetime
) -> None:
    """Give the actor's account the password `new`. Every other session of it ends.

    So does a change of the address that is under way: somebody else may have asked for it.

    Call it before anything else of the transaction, as `proving.prove`.
    """
    await proving.prove(session, actor, old, caller, now=now)
    account = await repository.account_by_id(session, actor.user_id)
    assert account is not None, "who acts has an account"
    if account.password_hash and new == old:
        raise SamePassword
    await refuse_bad(account, new)
    name = "password_changed" if account.password_hash else "password_set"
    account.password_hash = await hashing.hashed(new)
    account.password_changed_at = now
    session.add(account)
    await links.use_up(session, account.id, links.RESET, links.USE, now=now)
    await sessions.end_all(session, account.id, now=now, keep=actor.session_id)
    live.announce_after(session, sessions.SESSIONS_CHANGED, str(account.id))
    await _tell(session, account, name, caller, now=now)


async def _tell(
    session: AsyncSession, account: Account, name: str, caller: Caller, *, now: datetime
) -> None:
    told = letters.circumstances(caller, account.language, now=now)
    await letters.tell(session, account, name, link=letters.RESETTING, **told)
