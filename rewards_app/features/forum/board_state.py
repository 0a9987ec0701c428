"""The forum's list of topics; the address says of which category, or what was searched for."""

from typing import Any
from urllib.parse import quote
from uuid import UUID

import reflex as rx
import structlog

from rewards_app.core.access import Identifier, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.features.forum import likes, rules, search, seen, topics
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.desk_state import DeskCountState
from rewards_app.features.forum.figures import figures
from rewards_app.features.forum.rules import FORUM_ROLES, LONGEST_QUERY
from rewards_app.features.forum.talk import Listed, Post, Stretch

PATH = "/forum"
FIRST = UUID(int=0)
MOST_AT_ONCE = 200
"""Each change sends the whole list again: a longer one goes on without its beginning."""
_log = structlog.get_logger(__name__)


class BoardState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    category: str = ""
    """Empty for all of them."""
    query: str = ""
    query_part: str = ""
    """What was searched for, as a part of an address."""
    posts: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    news: int = 0
    """Topics that have appeared since."""
    _newest: str = ""
    """The newest that was ever shown: it stays that when the list loses its beginning."""
    _begins_at: str = ""
    """The newest of the list as it is: from here on it has all that there were."""
    figures: dict[str, int] = {}
    by_category: dict[str, int] = {}
    settled: int = 0
    settled_of: str = ""
    """The topic whose like was answered last, whatever came of it."""

    @allow(*FORUM_ROLES)
    async def load(self):
        """What the address asks for."""
        asked = self._query
        category = rules.category_from(asked.get("category", ""))
        query = _plain(asked.get("q", ""))
        if (category, query) != (self.category, self.query) or self.has_failed:
            self.is_loaded, self.posts, self.next_before = False, [], ""
            yield
        self.category, self.query = category, query
        self.query_part = f"&q={quote(query)}" if query else ""
        await self._load_newest()
        if self._is_moderator:
            yield DeskCountState.count

    @allow(*FORUM_ROLES, passive=True)
    async def refresh(self):
        """Somebody wrote, liked or took away: the list stays where it is, and says so."""
        if not self.is_loaded or self.has_failed:
            return None
        async with transaction() as session:
            await self._read_figures(session)
            await self._renew(session)
        return DeskCountState.count if self._is_moderator else None

    @allow(*FORUM_ROLES, passive=True)
    async def count(self):
        """A quarter of an hour passes, though nobody writes."""
        if self.is_loaded and not self.has_failed:
            async with transaction() as session:
                await self._read_figures(session)

    @allow(*FORUM_ROLES)
    async def show_news(self):
        await self._load_newest()

    @allow(*FORUM_ROLES)
    async def load_more(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        async with transaction() as session:
            found = await self._read(session, before=before)
        more = [seen.post_row(post) for post in found.items]
        if len(self.posts) >= MOST_AT_ONCE:
            self.posts, self._begins_at = more, _first(more)
        else:
            self.posts = self.posts + more
        self.next_before = str(found.next_cursor or "")

    @allow(*FORUM_ROLES)
    async def search(self, form: dict[str, str]):
        """The address keeps what was searched for."""
        query = _plain(form.get("query", ""))
        return rx.redirect(
            f"{PATH}?category={self.category}" + (f"&q={quote(query)}" if query else "")
        )

    @allow(*FORUM_ROLES)
    async def like(self, post_id: Identifier, is_liked: bool):
        self.settled, self.settled_of = self.settled + 1, str(post_id)
        async with transaction() as session:
            count = await likes.like(
                session, self._actor, Target.POST, post_id, is_liked, now=utc_now()
            )
        known = {"likes": count, "is_liked": is_liked}
        self.posts = [row | known if row["id"] == str(post_id) else row for row in self.posts]

    @property
    def _is_moderator(self) -> bool:
        return self._actor.role is Role.MODERATOR

    async def _load_newest(self) -> None:
        """A list that cannot be read is logged, and shown as such."""
        self.has_failed = False
        try:
            async with transaction() as session:
                found = await self._read(session)
                await self._read_figures(session)
        except TooManyAttempts:
            self.is_loaded = True
            raise
        except Exception:
            _log.exception("forum.not_loaded")
            self.is_loaded, self.has_failed = True, True
            self._notify("forum.error", "forum.not_loaded", style="destructive")
            return
        self.posts = [seen.post_row(post) for post in found.items]
        self.next_before = str(found.next_cursor or "")
        self._newest = self._begins_at = _first(self.posts)
        self.is_loaded, self.news = True, 0

    async def _read(self, session: AsyncSession, **more: Any) -> Stretch[Post]:
        if self.query:
            return await search.search(
                session, self._actor, self.query, category=self.category, **more
            )
        return await topics.latest(session, self._actor, category=self.category, **more)

    async def _renew(self, session: AsyncSession) -> None:
        """What is shown is read again, however far down it was loaded or found."""
        found = await self._still_listed(session) if self.posts else []
        self._keep(posts=[seen.post_row(post) for post in found])
        if not self.query:
            self._keep(news=await self._count_news(session))

    async def _still_listed(self, session: AsyncSession) -> list[Post]:
        now = utc_now()
        if self.query:
            listed = {UUID(row["id"]): id_from(row["found_in"]) for row in self.posts}
            return await search.still_found(session, self._actor, self.query, listed, now=now)
        ids = [UUID(row["id"]) for row in self.posts]
        return await topics.still_shown(session, self._actor, ids, now=now)

    async def _count_news(self, session: AsyncSession) -> int:
        listed = Listed(
            [UUID(row["id"]) for row in self.posts],
            down_to=id_from(self.next_before) or FIRST,
            up_to=id_from(self._begins_at) or FIRST,
            newest=id_from(self._newest) or FIRST,
        )
        return await topics.news(session, listed, category=self.category)

    async def _read_figures(self, session: AsyncSession) -> None:
        found = await figures(session, now=utc_now())
        self._keep(
            figures={
                "posts": found.posts,
                "writers": found.writers,
                "online": found.online_now,
                "moderated": found.moderated,
            },
            by_category=found.by_category | {"": found.posts},
        )


def _first(rows: list[dict[str, Any]]) -> str:
    return rows[0]["id"] if rows else ""


def _plain(raw: str) -> str:
    """An address may be long."""
    return " ".join(raw.split())[:LONGEST_QUERY]
