"""The forum's figures, changed in the transaction of what changes them."""

from collections.abc import Mapping
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, write

WRITERS = "writers"


def of_category(category: str) -> str:
    return f"category:{category}"


WRITER: LiteralString = """
insert into forum_writers (account_id, posts, replies)
values (%(account)s, greatest(%(posts)s, 0), greatest(%(replies)s, 0))
on conflict (account_id) do update set posts = forum_writers.posts + %(posts)s,
    replies = forum_writers.replies + %(replies)s
returning posts + replies
"""
ADD: LiteralString = """
insert into forum_counts (name, value) values (%(name)s, %(by)s)
on conflict (name) do update set value = forum_counts.value + excluded.value
"""


async def note(
    session: AsyncSession,
    author_id: UUID,
    *,
    posts: int = 0,
    replies: int = 0,
    changes: Mapping[str, int],
) -> None:
    """So many more of this author are shown, or fewer; `changes` are of the figures, by name."""
    found = await write(session, WRITER, {"account": author_id, "posts": posts, "replies": replies})
    shown, by = found[0], posts + replies
    writers = int(shown > 0) - int(shown - by > 0)
    for name, change in sorted({**changes, WRITERS: writers}.items()):
        if change:
            await _add(session, name, change)


async def _add(session: AsyncSession, name: str, by: int) -> None:
    connection = await session.connection()
    await connection.exec_driver_sql(ADD, {"name": name, "by": by})  # pyright: ignore[reportArgumentType]
