"""Writing a reply: a draft for each topic, and what moderation would make of it."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, Sheet, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.forum import drafts, replies, seen
from rewards_app.features.forum.new_post_state import words_for
from rewards_app.features.forum.preview import preview
from rewards_app.features.forum.rules import FORUM_ROLES
from rewards_app.features.forum.topic_state import TopicState


class ReplyState(AppState):
    turn: int = 0
    """Which form is shown: what an earlier one still tells counts no more."""
    begun: str = ""
    """What the form begins with."""
    preview: dict[str, Any] = {}
    is_tried: bool = False
    """What was refused last is about this reply."""

    @allow(*FORUM_ROLES)
    async def load(self):
        """What was begun in this topic before."""
        topic = await self.get_state(TopicState)
        self._begin()
        if not topic.topic:
            return
        async with transaction() as session:
            found = await drafts.draft(session, self._actor, post_id=UUID(topic.topic["id"]))
        if found:
            self.begun = found.content
            self._show_preview(found.content)

    @allow(*FORUM_ROLES)
    async def note(self, turn: int, post_id: Identifier, content: Sheet):
        if turn != self.turn:
            return
        self._show_preview(content)
        async with transaction() as session:
            await drafts.keep(session, self._actor, post_id=post_id, content=content, now=utc_now())

    @allow(*FORUM_ROLES)
    async def send(self, post_id: Identifier, content: Sheet):
        """What was typed stays where it is until the reply is there."""
        self.refusal, self.is_tried = {}, True
        self.is_busy = True
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

    def _show_preview(self, content: str) -> None:
        written = preview("", content, self._language)
        self._keep(preview=seen.preview_row(written, "", content))
