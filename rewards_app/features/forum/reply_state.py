"""Writing a reply: a draft for each topic, and what moderation would make of it."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, Sheet, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.features.forum import drafts, replies, seen
from rewards_app.features.forum.new_post_state import words_for
from rewards_app.features.forum.preview import preview
from rewards_app.features.forum.rules import FORUM_ROLES
from rewards_app.features.forum.topic_state import QUERY, TopicState


class ReplyState(AppState):
    about: str = ""
    """The topic that the form belongs to: there is none before what was begun is known."""
    turn: int = 0
    """Which form is shown: what an earlier one still tells counts no more."""
    begun: str = ""
    """What the form begins with, where it comes again: what was noted last."""
    preview: dict[str, Any] = {}
    is_outdated: bool = False
    """The preview is of an earlier wording: nobody has looked at what is typed since."""
    is_cut: bool = False
    """So much is typed that the draft keeps only how it begins."""
    is_tried: bool = False
    """What was refused last is about this reply."""

    @allow(*FORUM_ROLES)
    async def load(self):
        """What was begun in this topic before. The form that holds it already stays as it is."""
        asked = id_from(self._query.get(QUERY, ""))
        begun = await self._draft(asked) if asked else ""
        if (self.about, self.begun) == (str(asked), begun):
            return
        self._begin()
        self.about, self.begun = str(asked), begun
        if begun:
            await self._show_preview(begun)

    async def _draft(self, topic: UUID) -> str:
        async with transaction() as session:
            found = await drafts.draft(session, self._actor, post_id=topic)
        return found.content if found else ""

    @allow(*FORUM_ROLES)
    async def note(self, turn: int, post_id: Identifier, content: Sheet):
        if turn != self.turn:
            return
        async with transaction() as session:
            is_whole = await drafts.keep(
                session, self._actor, post_id=post_id, content=content, now=utc_now()
            )
        self._keep(is_cut=not is_whole, begun=drafts.kept(content))
        await self._show_preview(content)

    @allow(*FORUM_ROLES)
    async def send(self, post_id: Identifier, content: Sheet):
        """What was typed stays where it is until the reply is there."""
        self.refusal, self.is_tried = {}, True
        self.is_busy = True
        self.begun = drafts.kept(content)
        yield
        async with transaction() as session:
            written = await replies.reply(
                session,
                self._actor,
                post_id,
                content,
                language=self._language,
                now=utc_now(),
            )
        self.is_busy = False
        self._begin()
        self._notify(*words_for(written))
        yield TopicState.load_all

    def _begin(self) -> None:
        self.turn += 1
        self.begun, self.is_tried = "", False
        self.refusal, self.preview = {}, {}
        self.is_outdated, self.is_cut = False, False

    async def _show_preview(self, content: str) -> None:
        if not content.strip():
            self._keep(preview={}, is_outdated=False)
            return
        written = await preview(self._actor, "", content, self._language)
        self._keep(is_outdated=not written)
        if written:
            self._keep(preview=seen.preview_row(written, "", content))
