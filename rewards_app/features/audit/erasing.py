"""Erasing the words of lines that name somebody who is forgotten; the chain stays whole."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows

# A name is nobody's alone, and may be any word: no line goes for it, or somebody could choose one
# to have others' lines gone. What is theirs is found by its id.
ERASE: LiteralString = """
update audit_entries entry set actor_name = '', label = '', before = '{}', after = '{}',
    reason = '', salt = '', erased_at = %(now)s
from (
    select number, concat_ws(' ', actor_name, label, before::text, after::text, reason) as words
    from audit_entries where erased_at is null
) as said
where said.number = entry.number and (
    actor_id = %(account)s or about = any(%(abouts)s) or said.words ~* %(only_theirs)s
    or replace(lower(said.words), 'ß', 'ss') ~* %(only_theirs)s
)
returning entry.number
"""
ERASE_ABOUT: LiteralString = """
update audit_entries set actor_name = '', label = '', before = '{}', after = '{}',
    reason = '', salt = '', erased_at = %(now)s
where about = any(%(abouts)s) and erased_at is null
returning number
"""
NOTHING = "$.^"
"""A pattern that no text has."""


async def erase(
    session: AsyncSession,
    account_id: UUID,
    *,
    abouts: Collection[str],
    only_theirs: Collection[str],
    now: datetime,
) -> int:
    """Empty every line by this account, about these things, or that says one of these words.

    `only_theirs` are words that nobody else has: an address, a handle with its sign. How many
    lines it emptied; what was emptied before is left.
    """
    values = {
        "account": account_id,
        "abouts": list(abouts),
        "only_theirs": as_whole_words(only_theirs),
        "now": now,
    }
    return len(await rows(session, ERASE, values))


async def erase_about(session: AsyncSession, abouts: Collection[str], *, now: datetime) -> int:
    """Empty every line about these things: what they name has left, and has no account."""
    return len(await rows(session, ERASE_ABOUT, {"abouts": list(abouts), "now": now}))


def as_whole_words(wanted: Collection[str]) -> str:
    """A pattern for PostgreSQL that finds each of them, but not as a part of another word."""
    known = [re.escape(one) for one in wanted if one]
    return rf"(^|[^[:alnum:]_])({'|'.join(known)})($|[^[:alnum:]_])" if known else NOTHING
