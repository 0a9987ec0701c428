"""One topic with its replies, as the address names it."""

from typing import Any
from uuid import UUID

from rewards_app.core import tabs
from rewards_app.core.access import Identifier, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.features.forum import desk_rules, likes, replies, seen, topics
from rewards_app.features.forum.desk_rules import NotThere
from rewards_app.features.forum.rules import FORUM_ROLES

QUERY = "id"
MISSING, SHOWN = "missing", "shown"
MOST_AT_ONCE = 600
"""Replies on one page; the list is sent again with each change."""


class TopicState(AppState):
    found: str = ""
    """Empty until it is known, then MISSING or SHOWN."""
    topic: dict[str, Any] = {}
    replies: list[dict[str, Any]] = []
    """Oldest first."""
    next_after: str = ""
    settled: int = 0
    settled_of: str = ""
    """The topic or reply whose like was answered last, whatever came of it."""

    @allow(*FORUM_ROLES)
    async def load(self):
        asked = id_from(self.router.url.query_parameters.get(QUERY, ""))
        if asked is None or str(asked) != self.topic.get("id", ""):
            self.found, self.topic, self.replies, self.next_after = "", {}, [], ""
            yield
        if asked is None:
            self.found = MISSING
            return
        # What happens in other topics does not concern this tab.
        tabs.care(self._caller.tab, str(asked))
        await self._look(asked)

    @allow(*FORUM_ROLES, passive=True)
    async def refresh(self):
        """As much as is shown is read again."""
        if self.topic:
            await self._look(UUID(self.topic["id"]), at_least=len(self.replies))

    @allow(*FORUM_ROLES)
    async def load_more(self, after: Identifier):
        """Later ones; asked twice for the same ones, they come once."""
        if str(after) != self.next_after:
            return
        await self._look(UUID(self.topic["id"]), at_least=len(self.replies) + 1)

    @allow(*FORUM_ROLES)
    async def load_all(self):
        """Up to the last one."""
        if self.topic:
            await self._look(UUID(self.topic["id"]), at_least=MOST_AT_ONCE)

    @allow(*FORUM_ROLES)
    async def like(self, target: str, thing_id: Identifier, is_liked: bool):
        self.settled, self.settled_of = self.settled + 1, str(thing_id)
        async with transaction() as session:
            count = await likes.like(
                session,
                self._actor,
                desk_rules.target_from(target),
                thing_id,
                is_liked,
                now=utc_now(),
            )
        known = {"likes": count, "is_liked": is_liked}
        if self.topic.get("id") == str(thing_id):
            self.topic = self.topic | known
        self.replies = [row | known if row["id"] == str(thing_id) else row for row in self.replies]

    async def _look(self, post_id: UUID, *, at_least: int = 1) -> None:
        """A topic that was hidden or deleted is not there, whoever has its address."""
        try:
            async with transaction() as session:
                topic = await topics.topic(session, self._actor, post_id)
                rows, following = await self._read(session, post_id, at_least)
        except NotThere:
            self._keep(found=MISSING, topic={}, replies=[], next_after="")
            return
        self._keep(
            found=SHOWN,
            topic=seen.post_row(topic),
            replies=rows,
            next_after=str(following or ""),
        )

    async def _read(
        self, session: AsyncSession, post_id: UUID, at_least: int
    ) -> tuple[list[dict[str, Any]], UUID | None]:
        rows: list[dict[str, Any]] = []
        after: UUID | None = None
        while True:
            found = await replies.replies_to(session, self._actor, post_id, after=after)
            rows += [seen.reply_row(reply) for reply in found.items]
            after = found.next_cursor
            if after is None or len(rows) >= min(at_least, MOST_AT_ONCE):
                return rows, after
