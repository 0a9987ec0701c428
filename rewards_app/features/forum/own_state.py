"""Changing and deleting what one wrote: the dialogs, for whatever is pressed in a topic."""

from typing import Any
from uuid import UUID

import reflex as rx

from rewards_app.core.access import Identifier, Sheet, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments
from rewards_app.core.state import AppState
from rewards_app.features.forum import desk_rules, replies, topics
from rewards_app.features.forum.board_state import PATH
from rewards_app.features.forum.desk_rules import NotThere, Target
from rewards_app.features.forum.new_post_state import words_for
from rewards_app.features.forum.rules import FORUM_ROLES
from rewards_app.features.forum.topic_state import TopicState

EDIT, DELETE = "edit", "delete"
UNCHANGED = ("forum.own.unchanged_title", "forum.own.unchanged_text")


class OwnState(AppState):
    asked: str = ""
    """EDIT, DELETE or nothing."""
    thing: dict[str, str] = {}
    """What is changed or deleted."""

    @allow(*FORUM_ROLES)
    async def ask(self, what: str, target: str, thing_id: Identifier):
        if what not in (EDIT, DELETE):
            raise BadArguments
        kind = desk_rules.said_in_forum_from(target)
        self._forget_refusal()
        self.thing = {"target": kind.value} | await self._own(str(thing_id))
        self.asked = what

    @allow(*FORUM_ROLES)
    async def close(self):
        self._forget_refusal()
        self.asked = ""

    @allow(*FORUM_ROLES)
    async def save(self, title: Sheet, content: Sheet):
        """What was typed stays where it is until it is kept."""
        if self.asked != EDIT:
            return
        self._start_work()
        yield
        language, now = self._language, utc_now()
        async with transaction() as session:
            if self.thing["target"] == Target.POST:
                written = await topics.edit(
                    session, self._actor, self._id, title, content, language=language, now=now
                )
            else:
                written = await replies.edit(
                    session, self._actor, self._id, content, language=language, now=now
                )
        self.is_busy, self.asked = False, ""
        self._notify(*(words_for(written) if written else UNCHANGED))
        yield TopicState.refresh

    @allow(*FORUM_ROLES)
    async def delete(self):
        if self.asked != DELETE:
            return
        self._start_work()
        yield
        is_post = self.thing["target"] == Target.POST
        delete = topics.delete if is_post else replies.delete
        async with transaction() as session:
            await delete(session, self._actor, self._id, now=utc_now())
        self.is_busy, self.asked = False, ""
        self._notify("forum.own.deleted_title", "forum.own.deleted_text")
        yield rx.redirect(PATH) if is_post else TopicState.refresh

    @property
    def _id(self) -> UUID:
        return UUID(self.thing["id"])

    async def _own(self, thing_id: str) -> dict[str, str]:
        shown = await self.get_state(TopicState)
        rows: list[dict[str, Any]] = [shown.topic, *shown.replies]
        own = next((row for row in rows if row.get("id") == thing_id and row["is_own"]), None)
        if own is None:
            raise NotThere
        title = own.get("written_title", "")
        return {"id": thing_id, "title": title, "content": own["written_content"]}
