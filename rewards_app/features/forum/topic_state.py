"""One topic with its replies, as the address names it."""

from math import ceil
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.features.forum import calls, desk_rules, likes, replies, seen, topics
from rewards_app.features.forum.desk_rules import NotThere
from rewards_app.features.forum.rules import FORUM_ROLES
from rewards_app.features.forum.talk import Post
from rewards_app.features.notifications import service as notifications

QUERY = "id"
MISSING, SHOWN = "missing", "shown"
MOST_AT_ONCE = 600
"""Each change sends the whole list again: a longer one goes on without its beginning."""


class TopicState(AppState):
    found: str = ""
    """Empty until it is known, then MISSING or SHOWN."""
    topic: dict[str, Any] = {}
    replies: list[dict[str, Any]] = []
    """Oldest first; where the topic is missing, what its reader wrote in it."""
    begins_after: str = ""
    """The reply before the first that is shown; empty where they are shown from the first on."""
    next_after: str = ""
    settled: int = 0
    settled_of: str = ""
    """The topic or reply whose like was answered last, whatever came of it."""
    _asked: str = ""
    """The topic that the address names, there or not; empty where it names none."""

    @allow(*FORUM_ROLES)
    async def load(self):
        asked = id_from(self._query.get(QUERY, ""))
        if asked is None or str(asked) != self.topic.get("id", ""):
            self.found, self.topic = "", {}
            self.replies, self.begins_after, self.next_after = [], "", ""
            yield
        self._asked = str(asked or "")
        if asked is None:
            self.found = MISSING
            return
        # What happens in other topics does not concern this tab.
        self._care_for(str(asked))
        await self._look(asked)
        await self._note_reading()

    @allow(*FORUM_ROLES, passive=True)
    async def refresh(self):
        """As much as is shown is read again; what was hidden may be shown by now."""
        if here := self._here:
            await self._look(here, after=id_from(self.begins_after), at_least=len(self.replies))

    @allow(*FORUM_ROLES)
    async def load_more(self, after: Identifier):
        """Later ones; asked twice for the same ones, they come once."""
        here = self._here
        if here is None or str(after) != self.next_after:
            return
        is_full = len(self.replies) >= MOST_AT_ONCE
        await self._look(
            here,
            after=after if is_full else id_from(self.begins_after),
            at_least=1 if is_full else len(self.replies) + 1,
        )
        await self._note_reading()

    @allow(*FORUM_ROLES)
    async def load_all(self):
        """Up to the last one."""
        await self._lead_to(None)

    @allow(*FORUM_ROLES)
    async def find(self, reply_id: str):
        """The one that the address leads to."""
        if wanted := id_from(reply_id):
            await self._lead_to(wanted)

    @allow(*FORUM_ROLES)
    async def begin_again(self):
        """From the first one on."""
        if here := self._here:
            await self._look(here)

    @allow(*FORUM_ROLES)
    async def like(self, target: str, thing_id: Identifier, is_liked: bool):
        self.settled, self.settled_of = self.settled + 1, str(thing_id)
        async with transaction() as session:
            count = await likes.like(
                session,
                self._actor,
                desk_rules.said_in_forum_from(target),
                thing_id,
                is_liked,
                now=utc_now(),
            )
        known = {"likes": count, "is_liked": is_liked}
        if self.topic.get("id") == str(thing_id):
            self.topic = self.topic | known
        self.replies = [row | known if row["id"] == str(thing_id) else row for row in self.replies]

    @property
    def _here(self) -> UUID | None:
        return id_from(self._asked or self.topic.get("id", ""))

    async def _lead_to(self, reply_id: UUID | None) -> None:
        """To one reply or to the last: from the first on, unless there are too many before it."""
        post_id = self._here
        if post_id is None:
            return
        if not self.topic:
            await self._look(post_id, at_least=MOST_AT_ONCE)
            return
        async with transaction() as session:
            after = await replies.beginning_for(
                session, self._actor, post_id, reply_id, before=MOST_AT_ONCE - replies.A_PAGE
            )
        await self._look(post_id, after=after, at_least=MOST_AT_ONCE)
        await self._note_reading()

    async def _note_reading(self) -> None:
        """Only where its reader asked: nobody knows whether a page that follows along is seen."""
        if not self.topic:
            return
        shown = [None, *(UUID(row["id"]) for row in self.replies)]
        links = [calls.place_of(UUID(self.topic["id"]), reply_id) for reply_id in shown]
        async with transaction() as session:
            await notifications.read_there(session, self._actor.user_id, links, now=utc_now())

    async def _look(self, post_id: UUID, *, after: UUID | None = None, at_least: int = 1) -> None:
        """A topic that was hidden or deleted is not there, whoever has its address: who replied to
        it reads their own words alone, and what was decided on them."""
        async with transaction() as session:
            topic = await self._topic(session, post_id)
            if topic is None and self.found != MISSING:
                after = None
            found = await replies.replies_to(
                session,
                self._actor,
                post_id,
                only_own=topic is None,
                after=after,
                length=_in_pages(at_least),
            )
            texts = [one.content for one in (topic, *found.items) if one]
            leads = await calls.leading_somewhere(session, texts)
        self._keep(
            found=SHOWN if topic else MISSING,
            topic=seen.with_calls(seen.post_row(topic), leads) if topic else {},
            replies=[seen.with_calls(seen.reply_row(reply), leads) for reply in found.items],
            begins_after=str(after or ""),
            next_after=str(found.next_cursor or ""),
        )

    async def _topic(self, session: AsyncSession, post_id: UUID) -> Post | None:
        try:
            return await topics.topic(session, self._actor, post_id)
        except NotThere:
            return None


def _in_pages(count: int) -> int:
    """So many in whole pages: what is written behind the last one shows by itself."""
    pages = max(ceil(count / replies.A_PAGE), 1)
    return min(pages * replies.A_PAGE, MOST_AT_ONCE)
