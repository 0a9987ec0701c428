"""Switching off mails like one of ours without signing in: by a link that only its mail knows.

Whoever forwards a mail lets others switch its topics off, and on again, and do nothing else.
"""

import base64
import binascii
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.sealed import fingerprints
from rewards_app.core.settings import settings
from rewards_app.features.notifications import repository, rules
from rewards_app.features.notifications.rules import BY_MAIL_UNLESS_CHOSEN, Chosen

PATH = "/unsubscribe"
BETWEEN = "+"
BYTES_OF_ID = 16
BYTES_OF_MARK = 16
LONGEST_TOKEN = 100


def link_for(account_id: UUID, topics: Collection[Chosen]) -> str:
    """It never expires: a mail may be read years later."""
    about = BETWEEN.join(sorted(topic.value for topic in topics))
    return f"{settings().origin}{PATH}?token={token_for(account_id, about)}"


def token_for(account_id: UUID, about: str) -> str:
    return _tokens(account_id, about)[0]


def _tokens(account_id: UUID, about: str) -> list[str]:
    """By each of our keys, the present one first."""
    marks = fingerprints(f"unsubscribe {account_id} {about}")
    known = (
        account_id.bytes + bytes.fromhex(mark)[:BYTES_OF_MARK] + about.encode() for mark in marks
    )
    return [base64.urlsafe_b64encode(one).decode().rstrip("=") for one in known]


def read(token: str) -> tuple[UUID, list[str]] | None:
    """Whom and which topics a token of ours names; None for any other."""
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    try:
        known = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        account_id = UUID(bytes=known[:BYTES_OF_ID])
        about = known[BYTES_OF_ID + BYTES_OF_MARK :].decode()
    except (binascii.Error, ValueError):
        return None
    is_ours = any(
        hmac.compare_digest(token.encode(), ours.encode()) for ours in _tokens(account_id, about)
    )
    return (account_id, about.split(BETWEEN)) if is_ours else None


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a token is about, in the language of its recipient."""

    topics: Sequence[Chosen]
    language: str
    by_mail: bool
    """Whether mails of any of them come."""


async def find(session: AsyncSession, token: str) -> Subscription | None:
    found = await _known(session, token)
    if found is None:
        return None
    account_id, topics, language = found
    chosen = await repository.choices(session, account_id)
    by_mail = any(chosen.get(one.value, one in BY_MAIL_UNLESS_CHOSEN) for one in topics)
    return Subscription(topics, language, by_mail)


async def choose(session: AsyncSession, token: str, *, by_mail: bool) -> Subscription | None:
    """Switched off, or on again; a second time it changes nothing."""
    found = await _known(session, token)
    if found is None:
        return None
    account_id, topics, language = found
    for topic in topics:
        await repository.choose(session, account_id, topic, by_mail)
    return Subscription(topics, language, by_mail)


async def _known(session: AsyncSession, token: str) -> tuple[UUID, Sequence[Chosen], str] | None:
    """None also for an account that is gone, or may no more have mails of these topics."""
    named = read(token)
    reader = await repository.reader(session, named[0]) if named else None
    if named is None or reader is None:
        return None
    theirs = rules.topics_of(reader.role, acts_for_company=reader.acts_for_company)
    topics = [one for one in theirs if one.value in named[1]]
    return (named[0], topics, reader.language) if topics else None
