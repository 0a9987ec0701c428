"""What is mailed of notifications: decisions at once, lively topics gathered."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.notifications import places, repository, rules, unsubscribing
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.repository import Due, Recipient
from rewards_app.features.notifications.rules import ABOUT, Kind, Topic
from rewards_app.i18n.mail_text import text, words

SETTINGS = "/settings"
AT_ONCE = 500


async def tell(
    session: AsyncSession, to: Recipient, kind: Kind, params: Mapping[str, Any], link: str
) -> None:
    """Queue a letter that tells one thing, as the bell says it."""
    gone = await places.gone(session, {Place(to.account_id, link)})
    told = {
        "subject": text(f"notified.{kind}", to.language),
        "what": said(kind, rules.untitled(params) if gone else params, to.language),
    }
    topic = ABOUT[kind].topic
    await _send(session, to, {topic} if topic else set(), "notified", link, told)


async def tell_gathered(session: AsyncSession, *, now: datetime) -> int:
    """Queue what is due: one letter for each person and place. So many letters."""
    due = await repository.due(session, limit=AT_ONCE, now=now)
    found = await _as_named_now(session, await _still_there(session, due))
    letters = [
        await _tell_place(session, account_id, place, told, now=now)
        for (account_id, place), told in _by_place(found).items()
    ]
    return sum(letters)


async def _still_there(session: AsyncSession, due: Sequence[Due]) -> list[Due]:
    """What was hidden or deleted since it happened is mailed to nobody."""
    gone = await places.gone(session, {one.place for one in due})
    if gone:
        await repository.note_mailed(session, [one.id for one in due if one.place in gone], None)
    return [one for one in due if one.place not in gone]


async def _as_named_now(session: AsyncSession, due: Sequence[Due]) -> list[Due]:
    """Who has deleted their account since is mailed by no name, and nobody by a replaced one."""
    names = await places.named_now(session, {one.place for one in due})
    return [
        replace(one, params=rules.named(one.params, who)) if (who := names.get(one.place)) else one
        for one in due
    ]


def _by_place(found: Iterable[Due]) -> dict[tuple[UUID, str], list[Due]]:
    groups: dict[tuple[UUID, str], list[Due]] = defaultdict(list)
    for one in found:
        groups[one.account_id, rules.place_of(one.link)].append(one)
    return groups


async def _tell_place(
    session: AsyncSession, account_id: UUID, place: str, found: Sequence[Due], *, now: datetime
) -> bool:
    last = await repository.mailed_last(
        session, account_id, place, since=now - rules.ONE_MAIL_EVERY
    )
    if last:
        ids = [one.id for one in found]
        await repository.put_off(session, ids, last + rules.ONE_MAIL_EVERY)
        return False
    wanted: dict[UUID, Recipient] = {}
    for one in found:
        # They may have chosen otherwise since it happened.
        topic = ABOUT[one.kind].topic
        to = await repository.recipient(session, account_id, topic) if topic else None
        if to:
            wanted[one.id] = to
    told = [one for one in found if one.id in wanted]
    await repository.note_mailed(session, [one.id for one in found if one.id not in wanted], None)
    await repository.note_mailed(session, list(wanted), now)
    if told:
        await _send_gathered(session, wanted[told[0].id], told)
    return bool(told)


async def _send_gathered(session: AsyncSession, to: Recipient, told: Sequence[Due]) -> None:
    lines = [said(one.kind, one.params, to.language) for one in told]
    params = {
        "count": len(told),
        "title": str(told[-1].params.get("title", "")),
        "lines": "\n".join(f"• {line}" for line in lines),
    }
    topics = {topic for one in told if (topic := ABOUT[one.kind].topic)}
    await _send(session, to, topics, "gathered", told[-1].link, params, is_to_many=True)


async def _send(
    session: AsyncSession,
    to: Recipient,
    topics: Collection[Topic],
    name: str,
    link: str,
    params: Mapping[str, str | int],
    *,
    is_to_many: bool = False,
) -> None:
    origin = settings().origin
    filled = {**params, "settings": mail.read_in(to.language, f"{origin}{SETTINGS}")}
    stop = unsubscribing.link_for(to.account_id, topics) if topics else ""
    letter = Letter(
        to.email, to.language, name, link=f"{origin}{link}", params=filled, unsubscribe=stop
    )
    await mail.send(session, letter, is_to_many=is_to_many)


def said(kind: Kind, params: Mapping[str, Any], language: str) -> str:
    """As the bell says it."""
    return words(f"notifications.kinds.{kind}", language, **params).strip()
