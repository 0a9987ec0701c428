"""Waiting for the doors to open: joining, confirming, leaving, and being told."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import jobs, limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import contacts
from rewards_app.features.accounts import rules as accounts
from rewards_app.features.audit import erasing
from rewards_app.features.audit import service as audit
from rewards_app.features.waitlist import letters, links, repository, rules, sheet
from rewards_app.features.waitlist.repository import Counts
from rewards_app.features.waitlist.rules import Place
from rewards_app.features.waitlist.sheet import Waiting

_log = structlog.get_logger(__name__)

CHANGED = "waitlist_changed"
TELLING = "waitlist.open"
A_PAGE = 25
READ_AT_ONCE = 1000
TOLD_AT_ONCE = 100
JOINS_A_MINUTE = limits.parse("5 per minute")
JOINS_AN_HOUR = limits.parse("30 per hour")
MAILS_A_DAY = limits.parse("3 per day")
LINKS_PER_ADDRESS = limits.parse("30/10minutes")


class UnknownEntry(DomainError):
    """Nobody waits under this number."""

    code = "waitlist.unknown"
    title = "admin.waitlist.error"


class NotConfirmed(DomainError):
    """This address never said that it waits: it is told nothing."""

    code = "waitlist.not_confirmed"
    title = "admin.waitlist.error"


class NotUpdated(DomainError):
    """Something broke on our side."""

    code = "waitlist.not_updated"
    title = "admin.waitlist.error"


class NotLoaded(DomainError):
    """Something broke on our side."""

    code = "waitlist.not_loaded_text"
    title = "admin.waitlist.not_loaded"


class NobodyToTell(DomainError):
    """Whoever confirmed was told."""

    code = "waitlist.not_needed"
    title = "admin.waitlist.error"


class NotTwice(DomainError):
    """The letters are on their way already."""

    code = "waitlist.not_twice"
    title = "admin.waitlist.error"


async def join(
    session: AsyncSession,
    typed: str,
    caller: Caller,
    *,
    language: str,
    friend: str = "",
    now: datetime,
) -> str:
    """Put an address on the list and ask by mail whether it is meant; until then it only waits.

    Answers the address as it is kept.
    """
    email = rules.email_from(typed)
    _refuse_unfit(email)
    await limits.spend(JOINS_A_MINUTE, "waitlist", caller.source)
    await limits.spend(JOINS_AN_HOUR, "waitlist", caller.source)
    entry_id = new_id()
    is_new = await repository.join(
        session,
        entry_id,
        email,
        user_agent=caller.user_agent,
        language=language,
        friend=rules.friends_code(friend),
        now=now,
    )
    if not is_new:
        await _ask_again(session, email, now=now)
        raise rules.AlreadyWaiting
    await limits.spend(MAILS_A_DAY, "waitlist-mail", email)
    await letters.ask(session, entry_id, email, language, asked_at=now)
    live.announce_after(session, CHANGED)
    return email


def _refuse_unfit(email: str) -> None:
    try:
        contacts.refuse_bad_email(email)
    except accounts.BadEmail:
        raise rules.InvalidEmail from None
    except accounts.DisposableEmail as refusal:
        refusal.title = rules.InvalidEmail.title
        raise


async def _ask_again(session: AsyncSession, email: str, *, now: datetime) -> None:
    """Whoever did not find the first mail gets another; the page says the same either way."""
    if await limits.is_used_up(MAILS_A_DAY, "waitlist-mail", email):
        return
    asked = await repository.ask_again(session, email, now=now)
    if asked:
        await limits.spend(MAILS_A_DAY, "waitlist-mail", email)
        await letters.ask(session, asked[0], email, asked[1], asked_at=now)


async def confirm(session: AsyncSession, token: str, caller: Caller, *, now: datetime) -> Place:
    """The link was opened: they stand in line. A second time it shows the place of now."""
    await limits.spend(LINKS_PER_ADDRESS, "waitlist-link", caller.source)
    known = links.who_confirms(token)
    if known is None:
        raise rules.WaitingLinkOver
    entry_id, asked_at = known
    if rules.is_confirmed_in_time(asked_at, now=now):
        await _confirm(session, entry_id, now=now)
    place = await repository.place(session, entry_id)
    if place is None:
        raise rules.WaitingLinkOver
    return place


async def _confirm(session: AsyncSession, entry_id: UUID, *, now: datetime) -> None:
    confirmed = await repository.confirm(session, entry_id, _new_code(), now=now)
    if confirmed is None:
        return
    if confirmed[0]:
        await repository.thank(session, confirmed[0])
    live.announce_after(session, CHANGED)


def _new_code() -> str:
    letters_of_it = (secrets.choice(rules.LETTERS_OF_A_CODE) for _ in range(rules.LENGTH_OF_A_CODE))
    return "".join(letters_of_it)


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a link to leave is about: in which language, and whether they still wait."""

    language: str
    waits: bool


async def who_would_leave(session: AsyncSession, token: str) -> Leaving | None:
    known = links.who_leaves(token)
    if known is None:
        return None
    return Leaving(known[1], await repository.is_there(session, known[0]))


async def leave(session: AsyncSession, token: str, *, now: datetime) -> Leaving | None:
    """Nothing of them is kept: not the row, no letter that waits, no name in the audit log."""
    known = links.who_leaves(token)
    if known is None:
        return None
    entry_id, language = known
    await _leave_whole(session, entry_id, now=now)
    return Leaving(language, waits=False)


async def _leave_whole(session: AsyncSession, entry_id: UUID, *, now: datetime) -> None:
    email = await _leave(session, entry_id)
    if email:
        await repository.unqueue(session, email, letters.NAMES)
        await _forget_words(session, [entry_id], now=now)


async def move(session: AsyncSession, before: str, email: str, now: datetime) -> None:
    """Whose account moves to another address waits there; a place that it has already counts.

    An address that was only typed there has none.
    """
    entry_id = await repository.entry_of(session, before)
    if entry_id is None:
        return
    typed_id = await repository.only_typed(session, email)
    if typed_id and await repository.place(session, entry_id):
        await _leave_whole(session, typed_id, now=now)
    if await repository.move(session, entry_id, email):
        live.announce_after(session, CHANGED)
    else:
        await _leave_whole(session, entry_id, now=now)


async def _leave(session: AsyncSession, entry_id: UUID) -> str | None:
    """Who sent them is thanked for them no more: they count anew if they come back."""
    await repository.lock_around(session, entry_id)
    email = await repository.leave(session, entry_id)
    if email:
        live.announce_after(session, CHANGED)
    return email


async def forget_address(session: AsyncSession, email: str) -> None:
    """Whoever is forgotten waits no more; who forgets them sees to letters and words."""
    entry_id = await repository.entry_of(session, email)
    if entry_id:
        await _leave(session, entry_id)


async def forget(session: AsyncSession, *, now: datetime) -> int:
    """Delete who did not confirm in a month; so many."""
    gone = await repository.forget_unconfirmed(session, before=now - rules.UNCONFIRMED_ARE_KEPT)
    if gone:
        await _forget_words(session, gone, now=now)
        live.announce_after(session, CHANGED)
    return len(gone)


async def _forget_words(session: AsyncSession, gone: Sequence[UUID], *, now: datetime) -> None:
    await erasing.erase_about(session, [f"waitlist:{one}" for one in gone], now=now)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some of them, the newest first; `next_before` leads to the older rest."""

    shown: Sequence[Waiting]
    next_before: sheet.Cursor | None


async def newest(
    session: AsyncSession,
    *,
    begins: str = "",
    before: sheet.Cursor | None = None,
    limit: int | None = None,
) -> Stretch:
    """`begins` is what their address begins with, in any case."""
    most = limit or A_PAGE
    found = await repository.newest(session, begins=begins, before=before, limit=most + 1)
    shown = found[:most]
    return Stretch(shown, shown[-1].cursor if len(found) > most else None)


async def counts(session: AsyncSession) -> Counts:
    return await repository.counts(session)


async def is_telling(session: AsyncSession) -> bool:
    """Whether the letters that the doors are open are on their way."""
    return await repository.is_telling(session, TELLING)


async def mark(
    session: AsyncSession, actor: Actor, entry_id: UUID, *, notified: bool, now: datetime
) -> None:
    """Note that somebody was told, or was not after all; the same again changes nothing."""
    email = await repository.mark(session, entry_id, notified=notified, now=now)
    if email is None:
        await _refuse_unmarkable(session, entry_id)
        return
    await audit.record(
        session,
        actor,
        audit.Action.WAITLIST_NOTIFIED,
        f"waitlist:{entry_id}",
        label=email,
        before={"notified": not notified},
        after={"notified": notified},
        now=now,
    )
    live.announce_after(session, CHANGED)


async def _refuse_unmarkable(session: AsyncSession, entry_id: UUID) -> None:
    entry = await repository.one(session, entry_id)
    if entry is None:
        raise UnknownEntry
    if not entry.is_confirmed:
        raise NotConfirmed


async def are_open() -> bool:
    """Whether letters that the doors are open were ever sent: nobody waits for that since."""
    return await repository.are_open()


async def open_doors(session: AsyncSession, actor: Actor, *, now: datetime) -> int:
    """Have everybody told who confirmed until now and was not; how many they are.

    From the first time on the front page says that the doors are open. Of two at once one does it.
    """
    await repository.lock_doors(session)
    if await is_telling(session):
        raise NotTwice
    people = (await counts(session)).to_tell
    if not people:
        raise NobodyToTell
    await repository.note_open(session, now=now)
    await jobs.later(session, TELLING, until=now.isoformat())
    await audit.record(
        session,
        actor,
        audit.Action.WAITLIST_OPENED,
        "waitlist",
        after={"people": people},
        now=now,
    )
    live.announce_after(session, CHANGED)
    return people


async def tell_some(session: AsyncSession, *, until: datetime, now: datetime) -> bool:
    """The next in line: marked and mailed in one transaction. False once nobody is left."""
    taken = await repository.take_to_tell(session, until=until, limit=TOLD_AT_ONCE, now=now)
    for entry_id, email, language in taken:
        await letters.tell_open(session, entry_id, email, language)
    live.announce_after(session, CHANGED)
    _log.info("waitlist.told", people=len(taken))
    return await repository.is_anybody_left(session, until=until)


async def note_export(session: AsyncSession, actor: Actor, name: str, *, now: datetime) -> None:
    """The list leaves with somebody: that is kept."""
    await audit.record(
        session,
        actor,
        audit.Action.WAITLIST_EXPORTED,
        "waitlist",
        label=name,
        now=now,
    )


async def exported(session: AsyncSession) -> AsyncGenerator[str]:
    """The sheet piece by piece, the newest first: no list is too long for it.

    Whoever did not confirm never said that they wait, and is not in it.
    """
    yield sheet.heading()
    before: sheet.Cursor | None = None
    while True:
        found = await repository.newest(session, before=before, limit=READ_AT_ONCE)
        confirmed = [one for one in found if one.is_confirmed]
        if confirmed:
            yield sheet.lines_of(confirmed)
        if len(found) < READ_AT_ONCE:
            return
        before = found[-1].cursor
