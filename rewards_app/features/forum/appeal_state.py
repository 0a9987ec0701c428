"""Appealing against a decision on what one wrote: the dialog, for whatever is pressed."""

from uuid import UUID

from rewards_app.core.access import Entry, Identifier, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.forum import appeals, desk_rules
from rewards_app.features.notifications.rules import TOLD_ROLES


class ForumAppealState(AppState):
    is_open: bool = False
    target: str = ""
    thing: str = ""
    waits: str = ""
    """The number of the appeal that waits already."""
    can_appeal: bool = False
    can_change: bool = False
    """The text: what is changed is judged anew."""

    @allow(*TOLD_ROLES)
    async def ask(self, target: str, thing_id: Identifier):
        self._forget_refusal()
        async with transaction() as session:
            right = await appeals.right_of(
                session, self._actor, desk_rules.target_from(target), thing_id, now=utc_now()
            )
        self.target, self.thing = target, str(thing_id)
        self.waits = str(right.open_number or "")
        self.can_appeal, self.can_change = right.can_appeal, right.can_change
        self.is_open = True

    @allow(*TOLD_ROLES)
    async def close(self):
        self._forget_refusal()
        self.is_open = False

    @allow(*TOLD_ROLES)
    async def send(self, message: Entry):
        """What was typed stays where it is until the appeal is in."""
        if not self.thing:
            return
        self._start_work()
        yield
        async with transaction() as session:
            number = await appeals.appeal(
                session,
                self._actor,
                desk_rules.target_from(self.target),
                UUID(self.thing),
                message,
                now=utc_now(),
            )
        self.is_busy, self.is_open = False, False
        self._notify("forum.appeals.sent_title", "forum.appeals.sent_text", number=str(number))
