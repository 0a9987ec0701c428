"""Erasing the words of lines that name somebody who is forgotten; the chain stays whole."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows

# A name is nobody's alone, and may be any word: it counts where it is all that a label says, and
# where the line is about no account; else somebody could choose a name to have others' lines gone.
ERASE: LiteralString = """
update audit_entries entry set actor_name = '', label = '', before = '{}', after = '{}',
    reason = '', salt = '', erased_at = %(now)s
from (
    select number, concat_ws(' ', actor_name, label, before::text, after::text, reason) as words
    from audit_entries where erased_at is null
) as said
where said.number = entry.number and (
    actor_id = %(account)s or about = any(%(abouts)s) or said.words ~* %(only_theirs)s
    or lower(label) = any(%(names)s) and not starts_with(about, 'account:')
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
    names: Collection[str],
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
        "names": [name.lower() for name in names if name],
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
