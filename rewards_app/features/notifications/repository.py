"""Notifications and what people chose about them, in the database."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.actor import Role
from rewards_app.core.database import AsyncSession, lookup, rows, run
from rewards_app.core.ids import new_id
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import (
    BY_MAIL_UNLESS_CHOSEN,
    SAID_WHERE_THEY_LEAD,
    Chosen,
    Kind,
    Topic,
)
from rewards_app.models import Notification, NotificationChoice


async def add(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    *,
    params: Mapping[str, Any],
    link: str,
    cause: str,
    mail_at: datetime | None,
    now: datetime,
) -> bool:
    """False when the same cause has told this person before."""
    row = insert(Notification).values(
        id=new_id(),
        account_id=account_id,
        kind=kind.value,
        params=dict(params),
        link=link,
        cause=cause,
        mail_at=mail_at,
        created_at=now,
    )
    added = await run(session, row.on_conflict_do_nothing().returning(col(Notification.id)))
    return added.first() is not None


FORGOTTEN: LiteralString = """
select 1 from account_closures where account_id = %(account)s and erased_at is not null
"""


async def is_forgotten(session: AsyncSession, account_id: UUID) -> bool:
    """Nobody is left to be told: the account only holds what books need."""
    return bool(await rows(session, FORGOTTEN, {"account": account_id}))


async def newest(
    session: AsyncSession, account_id: UUID, *, before: UUID | None, limit: int
) -> Sequence[Notification]:
    query = select(Notification).where(Notification.account_id == account_id)
    if before:
        query = query.where(col(Notification.id) < before)
    return (await session.exec(query.order_by(col(Notification.id).desc()).limit(limit))).all()


UNREAD: LiteralString = """
select count(*) from (select from notifications
    where account_id = %s and read_at is null limit %s) as unread
"""


async def unread(account_id: UUID, *, most: int) -> int:
    found = await lookup(UNREAD, (account_id, most))
    return found[0] if found else 0


async def read(
    session: AsyncSession, account_id: UUID, notification_id: UUID | None, *, now: datetime
) -> bool:
    """One, or all; False where nothing of theirs was unread."""
    query = update(Notification).where(
        col(Notification.account_id) == account_id, col(Notification.read_at).is_(None)
    )
    if notification_id:
        query = query.where(col(Notification.id) == notification_id)
    done = await session.exec(query.values(read_at=now, mail_at=None))
    return bool(done.rowcount)


async def read_there(
    session: AsyncSession, account_id: UUID, links: Collection[str], *, now: datetime
) -> bool:
    """What leads to one of `links` and says no more than what is there; False where nothing did."""
    query = update(Notification).where(
        col(Notification.account_id) == account_id,
        col(Notification.read_at).is_(None),
        col(Notification.link).in_(links),
        col(Notification.kind).in_(SAID_WHERE_THEY_LEAD),
    )
    done = await session.exec(query.values(read_at=now, mail_at=None))
    return bool(done.rowcount)


async def choices(session: AsyncSession, account_id: UUID) -> dict[str, bool]:
    """What somebody chose about mails, by topic."""
    query = select(NotificationChoice.topic, NotificationChoice.by_mail)
    found = await session.exec(query.where(NotificationChoice.account_id == account_id))
    return dict(found.all())


async def choose(session: AsyncSession, account_id: UUID, topic: Chosen, by_mail: bool) -> None:
    row = insert(NotificationChoice).values(
        account_id=account_id, topic=topic.value, by_mail=by_mail
    )
    await run(
        session,
        row.on_conflict_do_update(
            index_elements=["account_id", "topic"], set_={"by_mail": row.excluded.by_mail}
        ),
    )


@dataclass(frozen=True, slots=True)
class Recipient:
    account_id: UUID
    email: str
    language: str


RECIPIENT: LiteralString = """
select account.id, account.email, account.language from accounts account
    left join notification_choices choice
        on choice.account_id = account.id and choice.topic = %(topic)s
where account.id = %(account)s and account.email_verified_at is not null
    and account.closed_at is null
    and coalesce(choice.by_mail, %(default)s)
"""


async def recipient(session: AsyncSession, account_id: UUID, topic: Topic) -> Recipient | None:
    """Where a mail about `topic` goes; None where none is wanted, or nobody proved the address."""
    values = {
        "account": account_id,
        "topic": topic.value,
        "default": topic in BY_MAIL_UNLESS_CHOSEN,
    }
    found = await rows(session, RECIPIENT, values)
    return Recipient(*found[0]) if found else None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who has mails, and what about depends on."""

    role: Role
    language: str
    acts_for_company: bool


READER: LiteralString = """
select role, language,
    exists (select from advertiser_members member where member.account_id = account.id)
from accounts account where id = %(account)s and closed_at is null
"""


async def reader(session: AsyncSession, account_id: UUID) -> Reader | None:
    """None for an account that is gone, or is being deleted."""
    found = await rows(session, READER, {"account": account_id})
    return Reader(Role(found[0][0]), *found[0][1:]) if found else None


@dataclass(frozen=True, slots=True)
class Due:
    """A notification that a mail is to tell."""

    id: UUID
    account_id: UUID
    kind: Kind
    params: Mapping[str, Any]
    link: str

    @property
    def place(self) -> Place:
        return Place(self.account_id, self.link)


DUE: LiteralString = """
select id, account_id, kind, params, link from notifications
where mail_at <= %(now)s order by mail_at limit %(limit)s for update skip locked
"""


async def due(session: AsyncSession, *, limit: int, now: datetime) -> list[Due]:
    """Locked: nobody else tells them meanwhile."""
    found = await rows(session, DUE, {"now": now, "limit": limit})
    return [
        Due(id_, account_id, Kind(kind), params, link)
        for id_, account_id, kind, params, link in found
    ]


MAILED_LAST: LiteralString = """
select max(mailed_at) from notifications
where account_id = %(account)s and mailed_at > %(since)s
    and split_part(split_part(link, '#', 1), '&', 1) = %(place)s
"""


async def mailed_last(
    session: AsyncSession, account_id: UUID, place: str, *, since: datetime
) -> datetime | None:
    values = {"account": account_id, "place": place, "since": since}
    return (await rows(session, MAILED_LAST, values))[0][0]


async def put_off(session: AsyncSession, ids: Collection[UUID], until: datetime) -> None:
    query = update(Notification).where(col(Notification.id).in_(ids))
    await session.exec(query.values(mail_at=until))


async def note_mailed(session: AsyncSession, ids: Collection[UUID], at: datetime | None) -> None:
    """They were told by mail, or never will be."""
    query = update(Notification).where(col(Notification.id).in_(ids))
    await session.exec(query.values(mail_at=None, mailed_at=at))
