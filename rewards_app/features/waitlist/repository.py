"""The waiting people in the database: each function is one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from rewards_app.core.database import AsyncSession, lookup, plan_for_these_values, rows, write
from rewards_app.core.like import literally
from rewards_app.features.waitlist import rules, sheet
from rewards_app.features.waitlist.rules import Place
from rewards_app.features.waitlist.sheet import Waiting

# What friends are thanked with counts from the moment on that their own address is confirmed.
JOIN: LiteralString = """
insert into waitlist (id, email, user_agent, language, notified, created_at, asked_at, referred_by)
values (%(id)s, %(email)s, %(user_agent)s, %(language)s, false, %(now)s, %(now)s,
    (select id from waitlist where code = %(friend)s for key share))
on conflict (email) do nothing
returning id
"""


async def join(
    session: AsyncSession,
    entry_id: UUID,
    email: str,
    *,
    user_agent: str,
    language: str,
    friend: str | None,
    now: datetime,
) -> bool:
    """False where the address waits already; of a hundred at once one joins."""
    values = {"id": entry_id, "email": email, "user_agent": user_agent, "language": language}
    return bool(await write(session, JOIN, values | {"friend": friend, "now": now}))


ASK_AGAIN: LiteralString = """
update waitlist set asked_at = %(now)s
where email = %(email)s and confirmed_at is null and asked_at <= %(asked_before)s
returning id, language
"""


async def ask_again(session: AsyncSession, email: str, *, now: datetime) -> tuple[UUID, str] | None:
    """Who is asked once more, if it is time for that."""
    values = {"email": email, "asked_before": now - rules.ASK_AGAIN_AFTER, "now": now}
    found = await write(session, ASK_AGAIN, values)
    return (found[0], found[1]) if found else None


CONFIRM: LiteralString = """
update waitlist set confirmed_at = %(now)s, stands_at = %(now)s, code = %(code)s
where id = %(id)s and confirmed_at is null
returning referred_by
"""


async def confirm(
    session: AsyncSession, entry_id: UUID, code: str, *, now: datetime
) -> tuple[UUID | None] | None:
    """Once: by whom they were sent, if by anybody; None where there was nothing to confirm."""
    found = await write(session, CONFIRM, {"id": entry_id, "code": code, "now": now})
    return (found[0],) if found else None


THANK: LiteralString = """
update waitlist set referrals = referrals + 1,
    stands_at = stands_at - case when referrals < %(most)s then %(ahead)s else interval '0' end
where id = %(id)s and confirmed_at is not null
returning id
"""


async def thank(session: AsyncSession, entry_id: UUID) -> None:
    """A friend confirmed: a day ahead, as often as that is possible."""
    values = {"most": rules.FRIENDS_THAT_MOVE, "ahead": rules.AHEAD_PER_FRIEND}
    await write(session, THANK, {"id": entry_id, **values})


# Whoever was told that the doors are open stands in line no more.
PLACE: LiteralString = """
select 1 + (select count(*) from waitlist ahead
        where ahead.confirmed_at is not null and not ahead.notified
            and (ahead.stands_at, ahead.id) < (own.stands_at, own.id)),
    (select count(*) from waitlist where confirmed_at is not null and not notified),
    own.referrals, own.code, own.notified
from waitlist own where own.id = %(id)s and own.confirmed_at is not null
"""


async def place(session: AsyncSession, entry_id: UUID) -> Place | None:
    found = await rows(session, PLACE, {"id": entry_id})
    return Place(*found[0]) if found else None


# Who confirms is locked before who sent them, and letters are told in the order of the line.
LOCK_AROUND: LiteralString = """
select id from waitlist
where id = %(id)s or referred_by = %(id)s
    or id = (select referred_by from waitlist where id = %(id)s)
order by stands_at nulls first, id for update
"""


async def lock_around(session: AsyncSession, entry_id: UUID) -> None:
    """Nobody changes them, who sent them or whom they sent before this transaction ends."""
    await rows(session, LOCK_AROUND, {"id": entry_id})


# They may join again, and count again then: the thanks for them go along.
LEAVE: LiteralString = """
with gone as (
    delete from waitlist where id = %(id)s returning email, referred_by, confirmed_at
), unthanked as (
    update waitlist set referrals = referrals - 1,
        stands_at = stands_at + case when referrals <= %(most)s then %(ahead)s
            else interval '0' end
    from gone
    where waitlist.id = gone.referred_by and gone.confirmed_at is not null and referrals > 0
)
select email from gone
"""


async def leave(session: AsyncSession, entry_id: UUID) -> str | None:
    """Whose row is gone, if it was there."""
    values = {"most": rules.FRIENDS_THAT_MOVE, "ahead": rules.AHEAD_PER_FRIEND}
    found = await write(session, LEAVE, {"id": entry_id, **values})
    return found[0] if found else None


MOVE: LiteralString = "update waitlist set email = %(email)s where id = %(id)s returning id"


async def move(session: AsyncSession, entry_id: UUID, email: str) -> bool:
    """False where that address waits already."""
    try:
        async with session.begin_nested():
            await write(session, MOVE, {"id": entry_id, "email": email})
    except IntegrityError:
        return False
    return True


async def entry_of(session: AsyncSession, email: str) -> UUID | None:
    query: LiteralString = "select id from waitlist where email = %(email)s"
    found = await rows(session, query, {"email": email})
    return found[0][0] if found else None


ONLY_TYPED: LiteralString = """
select id from waitlist where email = %(email)s and confirmed_at is null
"""


async def only_typed(session: AsyncSession, email: str) -> UUID | None:
    found = await rows(session, ONLY_TYPED, {"email": email})
    return found[0][0] if found else None


async def is_there(session: AsyncSession, entry_id: UUID) -> bool:
    return bool(await rows(session, "select 1 from waitlist where id = %(id)s", {"id": entry_id}))


UNQUEUE: LiteralString = """
delete from procrastinate_jobs where status = 'todo' and task_name = 'send_mail'
    and args->>'recipient' = %(email)s and args->>'name' = any(%(names)s)
returning id
"""


async def unqueue(session: AsyncSession, email: str, names: Sequence[str]) -> None:
    """Letters of ours to them that have not left."""
    await rows(session, UNQUEUE, {"email": email, "names": list(names)})


# Nobody was asked before they came: the older ones are found in the index.
FORGET: LiteralString = """
delete from waitlist
where confirmed_at is null and created_at < %(before)s and asked_at < %(before)s
returning id
"""


async def forget_unconfirmed(session: AsyncSession, *, before: datetime) -> list[UUID]:
    return [row[0] for row in await rows(session, FORGET, {"before": before})]


_COLUMNS: LiteralString = (
    "select id, email, created_at, notified, confirmed_at is not null from waitlist"
)
_NEWEST: LiteralString = "order by created_at desc, id desc limit %(limit)s"
# Two plans: one that asks for both would get the index of neither.
NEWEST: LiteralString = f"{_COLUMNS} {_NEWEST}"
OLDER: LiteralString = f"""
{_COLUMNS} where (created_at, id) < (%(at)s, %(id)s) {_NEWEST}
"""


_BEGINS: LiteralString = r"email like %(begins)s escape '\'"
FOUND: LiteralString = f"{_COLUMNS} where {_BEGINS} {_NEWEST}"
OLDER_FOUND: LiteralString = f"""
{_COLUMNS} where {_BEGINS} and (created_at, id) < (%(at)s, %(id)s) {_NEWEST}
"""


async def newest(
    session: AsyncSession, *, begins: str = "", before: sheet.Cursor | None, limit: int
) -> list[Waiting]:
    at, entry_id = before or (None, None)
    known = {"at": at, "id": entry_id, "limit": limit}
    if not begins:
        return _people(await rows(session, NEWEST if before is None else OLDER, known))
    await plan_for_these_values(session)
    query = FOUND if before is None else OLDER_FOUND
    return _people(await rows(session, query, known | {"begins": f"{literally(begins.lower())}%"}))


def _people(found: Sequence[Any]) -> list[Waiting]:
    return [Waiting(*row) for row in found]


# Set to what was decided on, not to the opposite of what is there: pressed twice is pressed once.
MARK: LiteralString = """
update waitlist set notified = %(notified)s,
    notified_at = case when %(notified)s then %(now)s::timestamptz end
where id = %(id)s and notified <> %(notified)s and confirmed_at is not null
returning email
"""


async def mark(
    session: AsyncSession, entry_id: UUID, *, notified: bool, now: datetime
) -> str | None:
    """Whose row was changed, if it was."""
    found = await write(session, MARK, {"id": entry_id, "notified": notified, "now": now})
    return found[0] if found else None


async def one(session: AsyncSession, entry_id: UUID) -> Waiting | None:
    query: LiteralString = f"{_COLUMNS} where id = %(id)s"
    found = await rows(session, query, {"id": entry_id})
    return Waiting(*found[0]) if found else None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many wait, by what becomes of them; who deletes their account is not to be told."""

    unconfirmed: int
    to_tell: int
    told: int


# Who keeps the account after all is told when the doors are opened the next time.
_STAYS: LiteralString = """
not exists (select from accounts account
    where account.email = waitlist.email and account.closed_at is not null)
"""
COUNTS: LiteralString = f"""
select count(*) filter (where confirmed_at is null),
    count(*) filter (where confirmed_at is not null and not notified and {_STAYS}),
    count(*) filter (where confirmed_at is not null and notified)
from waitlist
"""  # noqa: S608  (all parts are ours)


async def counts(session: AsyncSession) -> Counts:
    return Counts(*(await rows(session, COUNTS, {}))[0])


OPEN: LiteralString = """
insert into opened_doors (id, opened_at) values (1, %(now)s) on conflict (id) do nothing
returning id
"""


ONE_OPENING_AT_A_TIME: LiteralString = "select pg_advisory_xact_lock(hashtext('opened_doors'))"


async def lock_doors(session: AsyncSession) -> None:
    """Nobody else opens them before this transaction ends."""
    await write(session, ONE_OPENING_AT_A_TIME, {})


async def note_open(session: AsyncSession, *, now: datetime) -> None:
    """The first time is kept."""
    await write(session, OPEN, {"now": now})


async def are_open() -> bool:
    return await lookup("select 1 from opened_doors", {}) is not None


# Not until its job has ended: the last letters are announced a moment before that.
IS_TELLING: LiteralString = f"""
select 1 from procrastinate_jobs job
where job.task_name = %(task)s and job.status in ('todo', 'doing') and exists (
    select from waitlist
    where confirmed_at <= (job.args->>'until')::timestamptz and not notified and {_STAYS}
) limit 1
"""  # noqa: S608  (all parts are ours)


async def is_telling(session: AsyncSession, task: str) -> bool:
    return bool(await rows(session, IS_TELLING, {"task": task}))


_TO_TELL: LiteralString = f"confirmed_at <= %(until)s and not notified and {_STAYS}"
IS_ANYBODY_LEFT: LiteralString = f"select 1 from waitlist where {_TO_TELL} limit 1"  # noqa: S608  (all parts are ours)
# Whoever is being changed just now is waited for, not left out.
TAKE: LiteralString = f"""
with taken as (
    select id from waitlist where {_TO_TELL} order by stands_at, id limit %(limit)s for update
)
update waitlist set notified = true, notified_at = %(now)s
from taken where waitlist.id = taken.id
returning waitlist.id, email, language
"""  # noqa: S608  (all parts are ours)


async def take_to_tell(
    session: AsyncSession, *, until: datetime, limit: int, now: datetime
) -> list[tuple[UUID, str, str]]:
    """The next in line who confirmed until then, marked as told."""
    values = {"until": until, "limit": limit, "now": now}
    return [(row[0], row[1], row[2]) for row in await rows(session, TAKE, values)]


async def is_anybody_left(session: AsyncSession, *, until: datetime) -> bool:
    return bool(await rows(session, IS_ANYBODY_LEFT, {"until": until}))
