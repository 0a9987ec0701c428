"""Telling somebody something, once for each cause; what they were told; what they want by mail."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import forgetting, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param
from rewards_app.features.notifications import letters, places, repository, rules, unsubscribing
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import (
    ABOUT,
    BY_MAIL_UNLESS_CHOSEN,
    GATHERED,
    Chosen,
    CompanyTopic,
    Kind,
)
from rewards_app.models import Notification

TOLD = "notified"
"""Announced with the account's id, when it was told something or has read it."""
A_PAGE = 20
MOST_COUNTED = 100
READ_ONES = forgetting.rows_of("notifications", "id", "read_at < %(before)s")
UNREAD_ONES = forgetting.rows_of(
    "notifications", "id", "read_at is null and created_at < %(before)s"
)


async def tell(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    *,
    link: str,
    cause: str,
    now: datetime,
    **params: Param,
) -> bool:
    """Tell this person, by mail too where they want that; False when this cause did it before."""
    topic = ABOUT[kind].topic
    to = await repository.recipient(session, account_id, topic) if topic else None
    if to is None and await repository.is_forgotten(session, account_id):
        return False
    is_gathered = topic in GATHERED
    is_new = await repository.add(
        session,
        account_id,
        kind,
        params=params,
        link=link,
        cause=cause,
        mail_at=now if to and is_gathered else None,
        now=now,
    )
    if not is_new:
        return False
    if to and not is_gathered:
        await letters.tell(session, to, kind, params, link)
    live.announce_after(session, TOLD, str(account_id))
    return True


@dataclass(frozen=True, slots=True)
class Told:
    """A stretch of what somebody was told, newest first; `next_before` leads to the older rest."""

    shown: Sequence[Notification]
    gone: Set[UUID]
    """Those that lead to nothing any more: nobody reads a title there."""
    named: Mapping[UUID, Param]
    """Those about somebody who is called otherwise by now, and how."""
    next_before: UUID | None

    def said_by(self, one: Notification) -> dict[str, Param]:
        """What its words take, as it is told by now."""
        params = rules.untitled(one.params) if one.id in self.gone else one.params
        return rules.named(params, self.named[one.id]) if one.id in self.named else params


async def told(
    session: AsyncSession, account_id: UUID, *, before: UUID | None = None, limit: int = A_PAGE
) -> Told:
    found = await repository.newest(session, account_id, before=before, limit=limit + 1)
    shown = found[:limit]
    there = {Place(account_id, one.link) for one in shown}
    gone, named = await places.gone(session, there), await places.named_now(session, there)
    return Told(
        shown,
        {one.id for one in shown if Place(account_id, one.link) in gone},
        {one.id: named[at] for one in shown if (at := Place(account_id, one.link)) in named},
        shown[-1].id if len(found) > limit else None,
    )


async def unread(account_id: UUID) -> int:
    """How much somebody has not read, counted up to a hundred."""
    return await repository.unread(account_id, most=MOST_COUNTED)


async def read(
    session: AsyncSession, actor: Actor, notification_id: UUID | None = None, *, now: datetime
) -> None:
    """Their own one is read, or everything of theirs; again it changes nothing."""
    if await repository.read(session, actor.user_id, notification_id, now=now):
        live.announce_after(session, TOLD, str(actor.user_id))


async def read_there(
    session: AsyncSession, account_id: UUID, links: Collection[str], *, now: datetime
) -> None:
    """Whoever is shown what `links` lead to has read that, and needs no mail about it."""
    if await repository.read_there(session, account_id, links, now=now):
        live.announce_after(session, TOLD, str(account_id))


async def choices(session: AsyncSession, actor: Actor) -> dict[Chosen, bool]:
    """Whether mails come about each topic that concerns them."""
    chosen = await repository.choices(session, actor.user_id)
    return {
        topic: chosen.get(topic.value, topic in BY_MAIL_UNLESS_CHOSEN)
        for topic in await _topics_of(session, actor)
    }


async def _topics_of(session: AsyncSession, actor: Actor) -> Sequence[Chosen]:
    reader = await repository.reader(session, actor.user_id)
    acts = reader is not None and reader.acts_for_company
    return rules.topics_of(actor.role, acts_for_company=acts)


async def choose(session: AsyncSession, actor: Actor, topic: str, by_mail: bool) -> None:
    chosen = rules.topic_from(topic, await _topics_of(session, actor))
    await repository.choose(session, actor.user_id, chosen, by_mail)


def unsubscribe_link(account_id: UUID, topic: CompanyTopic) -> str:
    """For letters of other slices that somebody can do without."""
    return unsubscribing.link_for(account_id, [topic])


async def forget(*, now: datetime) -> int:
    """Forget what was read long ago, and what nobody has read for longer; so many."""
    read_ones = await forgetting.forget(READ_ONES, before=now - rules.READ_ONES_ARE_KEPT)
    unread_ones = await forgetting.forget(UNREAD_ONES, before=now - rules.UNREAD_ONES_ARE_KEPT)
    return read_ones + unread_ones
