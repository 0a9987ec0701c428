"""Writing a topic: a draft that waits on the server, and what moderation would make of it."""

from typing import Any

import reflex as rx

from rewards_app.core.access import Sheet, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.forum import drafts, seen, topics
from rewards_app.features.forum.desk_rules import link_of
from rewards_app.features.forum.preview import preview
from rewards_app.features.forum.rules import FORUM_ROLES, category_from
from rewards_app.features.forum.talk import Written

EMPTY = {"category": "", "title": "", "content": ""}


class NewPostState(AppState):
    is_open: bool = False
    turn: int = 0
    """Which form is shown: what an earlier one still tells counts no more."""
    draft: dict[str, str] = dict(EMPTY)
    """What the form begins with."""
    has_draft: bool = False
    """The form began with one."""
    preview: dict[str, Any] = {}
    """What others would see; empty where it is what is typed."""
    is_outdated: bool = False
    """The preview is of an earlier wording: nobody has looked at what is typed since."""
    is_cut: bool = False
    """So much is typed that the draft keeps only how it begins."""
    _opened_on: int = -1

    @allow(*FORUM_ROLES)
    async def open(self, category: str):
        """With what was begun before; else in the category that is looked at."""
        async with transaction() as session:
            found = await drafts.draft(session, self._actor, post_id=None)
        self._begin(EMPTY | {"category": category_from(category)})
        self._opened_on = self._openings
        if found:
            self.has_draft = True
            self.draft = {
                "category": found.category,
                "title": found.title,
                "content": found.content,
            }
            await self._show_preview(found.title, found.content)
        self.is_open = True

    @allow(*FORUM_ROLES)
    async def arrive(self):
        """The page has come anew, without what stood in its fields: the draft has it.

        Who is quick opens the form while the page is still loading: that one stays.
        """
        if self.is_open and self._opened_on != self._openings:
            self._begin(dict(EMPTY))
            self.is_open = False

    @allow(*FORUM_ROLES)
    async def close(self):
        self._forget_refusal()
        self.is_open = False

    @allow(*FORUM_ROLES)
    async def note(self, turn: int, category: str, title: Sheet, content: Sheet):
        """What is typed is kept for later, and shown as others would read it."""
        if turn != self.turn:
            return
        async with transaction() as session:
            is_whole = await drafts.keep(
                session,
                self._actor,
                post_id=None,
                category=category,
                title=title,
                content=content,
                now=utc_now(),
            )
        self._keep(is_cut=not is_whole)
        await self._show_preview(title, content)

    @allow(*FORUM_ROLES)
    async def start_over(self):
        """The draft is thrown away."""
        async with transaction() as session:
            await drafts.forget_draft(session, self._actor.user_id, post_id=None)
        self._begin(EMPTY | {"category": self.draft["category"]})

    @allow(*FORUM_ROLES)
    async def post(self, category: str, title: Sheet, content: Sheet):
        """What was typed stays where it is until the topic is there."""
        self._start_work()
        yield
        async with transaction() as session:
            written = await topics.post(
                session,
                self._actor,
                category,
                title,
                content,
                language=self._language,
                now=utc_now(),
            )
        self.is_busy, self.is_open = False, False
        self._begin(EMPTY)
        self._notify(*words_for(written))
        if written.id:
            yield rx.redirect(link_of(written.id))

    def _begin(self, draft: dict[str, str]) -> None:
        self.turn += 1
        self.draft, self.has_draft = draft, False
        self.refusal, self.preview = {}, {}
        self.is_outdated, self.is_cut = False, False

    async def _show_preview(self, title: str, content: str) -> None:
        if not f"{title}{content}".strip():
            self._keep(preview={}, is_outdated=False)
            return
        written = await preview(self._actor, title, content, self._language)
        self._keep(is_outdated=not written)
        if written:
            self._keep(preview=seen.preview_row(written, title, content))


def words_for(written: Written) -> tuple[str, str]:
    """What a toast says of what was just written."""
    if written.is_waiting:
        return "forum.posted.waits_title", "forum.posted.waits_text"
    if seen.is_changed(written.violations):
        return "forum.posted.changed_title", "forum.posted.changed_text"
    return "forum.posted.title", "forum.posted.text"
