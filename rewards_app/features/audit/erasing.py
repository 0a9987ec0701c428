"""Erasing the words of lines that name somebody who is forgotten; the chain stays whole."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows

# Names are nobody's alone: where a line is about, or by, another account of that name, it stays.
ERASE: LiteralString = """
update audit_entries entry set actor_name = '', label = '', before = '{}', after = '{}',
    reason = '', salt = '', erased_at = %(now)s
from (
    select number, concat_ws(' ', actor_name, label, before::text, after::text, reason) as words
    from audit_entries where erased_at is null
) as said
where said.number = entry.number and (
    actor_id = %(account)s or about = any(%(abouts)s) or said.words ~* %(only_theirs)s
    or said.words ~* %(names)s and not exists (
        select from accounts namesake
        where namesake.id <> %(account)s and lower(namesake.display_name) = any(%(lower_names)s)
            and (namesake.id = entry.actor_id or entry.about = 'account:' || namesake.id)
    )
)
returning entry.number
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

    `only_theirs` are words that nobody else has: an address, a handle. How many lines it emptied;
    what was emptied before is left.
    """
    values = {
        "account": account_id,
        "abouts": list(abouts),
        "only_theirs": as_whole_words(only_theirs),
        "names": as_whole_words(names),
        "lower_names": [name.lower() for name in names],
        "now": now,
    }
    return len(await rows(session, ERASE, values))


def as_whole_words(wanted: Collection[str]) -> str:
    """A pattern for PostgreSQL that finds each of them, but not as a part of another word."""
    known = [re.escape(one) for one in wanted if one]
    return rf"(^|[^[:alnum:]_])({'|'.join(known)})($|[^[:alnum:]_])" if known else NOTHING
