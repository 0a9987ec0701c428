"""The forum in figures: topics, writers, who talks now, what moderation changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.ids import first_id_since
from rewards_app.features.forum import counts
from rewards_app.features.forum.rules import CATEGORIES, ONLINE_WITHIN

COUNTED: LiteralString = "select name, value from forum_counts"
NOW: LiteralString = """
select (select count(*) from forum_posts where id >= %(since)s and state = 'shown')
        + (select count(*) from forum_replies where id >= %(since)s and state = 'shown'),
    (select count(*) from forum_posts where violations <> '[]'::jsonb)
        + (select count(*) from forum_replies where violations <> '[]'::jsonb)
"""


@dataclass(frozen=True, slots=True)
class Figures:
    posts: int
    writers: int
    online_now: int
    """Topics and replies of the last quarter of an hour."""
    moderated: int
    by_category: dict[str, int]


async def figures(session: AsyncSession, *, now: datetime) -> Figures:
    known = dict(map(tuple, await rows(session, COUNTED, {})))
    since = first_id_since(now - ONLINE_WITHIN)
    online, moderated = (await rows(session, NOW, {"since": since}))[0]
    by_category = {one: known.get(counts.of_category(one), 0) for one in CATEGORIES}
    return Figures(
        sum(by_category.values()), known.get(counts.WRITERS, 0), online, moderated, by_category
    )
