"""Whom a topic or a reply calls, and whose profile it leads to: mentions, authors."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol
from uuid import UUID

from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import Param
from rewards_app.features.accounts.handle_rules import mentioned_in
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.desk_rules import link_of
from rewards_app.features.forum.rules import MOST_MENTIONS
from rewards_app.features.forum.talk import Thing
from rewards_app.features.guardians import service as guardians
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import NOBODY, UNNAMED, Kind


class Caller(Protocol):
    """Who speaks."""

    @property
    def user_id(self) -> UUID: ...
    @property
    def name(self) -> str: ...


async def mention(
    session: AsyncSession,
    actor: Caller,
    text: str,
    *,
    post_id: UUID,
    reply_id: UUID | None = None,
    title: str,
    now: datetime,
) -> set[UUID]:
    """Tell the first few whom `text` calls, nobody twice for the same text; who they are."""
    handles = _called_in(text)
    if not handles:
        return set()
    people = set(await repository.called(session, handles)) - {actor.user_id}
    for person in sorted(people):
        await notifications.tell(
            session,
            person,
            Kind.MENTION,
            link=place_of(post_id, reply_id),
            cause=f"mention:{reply_id or post_id}",
            now=now,
            who=name_of(actor.name),
            title=title or UNNAMED,
        )
    return people


async def answer(
    session: AsyncSession,
    actor: Caller,
    author_id: UUID,
    *,
    post_id: UUID,
    reply_id: UUID,
    title: str,
    now: datetime,
) -> None:
    """Tell the author of a topic that somebody replied."""
    await notifications.tell(
        session,
        author_id,
        Kind.REPLY,
        link=place_of(post_id, reply_id),
        cause=f"reply:{reply_id}",
        now=now,
        who=name_of(actor.name),
        title=title or UNNAMED,
    )


def name_of(author: str) -> Param:
    """As those read it who are told of them: who deleted their account has none."""
    return author or [NOBODY]


async def leading_somewhere(session: AsyncSession, texts: Iterable[str]) -> frozenset[str]:
    """The handles that these texts call whose profile may be opened: the others stay text."""
    handles = {handle for text in texts for handle in _called_in(text)}
    if not handles:
        return frozenset()
    found = await repository.leading_somewhere(session, sorted(handles))
    seen = await guardians.seen_among(session, found.values(), now=utc_now())
    return frozenset(handle for handle, account_id in found.items() if account_id in seen)


async def as_others_open(
    session: AsyncSession, found: Sequence[Thing], *, now: datetime
) -> list[Thing]:
    """A profile that waits for a guardian is nobody's to open, whatever its switch says."""
    asked = {one.author_id for one in found if one.is_public}
    seen = await guardians.seen_among(session, asked, now=now)
    return [replace(one, is_public=one.author_id in seen) for one in found]


def _called_in(text: str) -> list[str]:
    return mentioned_in(text)[:MOST_MENTIONS]


def place_of(post_id: UUID, reply_id: UUID | None = None) -> str:
    return f"{link_of(post_id)}#reply-{reply_id}" if reply_id else link_of(post_id)


async def reply_is_out(
    session: AsyncSession,
    actor: Caller,
    text: str,
    topic_author: UUID,
    *,
    post_id: UUID,
    reply_id: UUID,
    title: str,
    now: datetime,
) -> None:
    """A reply is shown: whom it mentions hears of it, and the topic's author; each once."""
    told = await mention(
        session, actor, text, post_id=post_id, reply_id=reply_id, title=title, now=now
    )
    if topic_author not in {actor.user_id, *told}:
        await answer(
            session, actor, topic_author, post_id=post_id, reply_id=reply_id, title=title, now=now
        )
