"""Looking again: what older rules let through is judged by those of today before it is shown."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import things, writing_repository
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.judging import is_outdated, judge
from rewards_app.features.forum.reports import DESK
from rewards_app.features.moderation.rules import EDITION, Kind


async def posts_again(session: AsyncSession, found: Sequence[Any], *, now: datetime) -> bool:
    """Whether any of these topics was judged anew: then they are to be read again."""
    outdated = [row for row in found if is_outdated(row.rules_edition) and row.state != "deleted"]
    # In a fixed order: others may be judging the same ones.
    for row in sorted(outdated, key=lambda row: row.id):
        judged = judge(row.title, row.content, row.language)
        state = await writing_repository.show_post(
            session, row.id, title=row.title, content=row.content, judged=judged, edition=EDITION
        )
        if judged.needs_person and state == "shown" and not _was_read(row):
            await _let_wait(session, Target.POST, row.id, now=now)
    return bool(outdated)


async def replies_again(session: AsyncSession, found: Sequence[Any], *, now: datetime) -> bool:
    outdated = [row for row in found if is_outdated(row.rules_edition) and row.state != "deleted"]
    for row in sorted(outdated, key=lambda row: row.id):
        judged = judge("", row.content, row.language)
        state = await writing_repository.show_reply(
            session, row.id, content=row.content, judged=judged, edition=EDITION
        )
        if judged.needs_person and state == "shown" and not _was_read(row):
            await _let_wait(session, Target.REPLY, row.id, now=now)
    return bool(outdated)


def _was_read(row: Any) -> bool:
    """By a person, who has shown it: else nothing is shown with this found in it."""
    return any(found["kind"] == Kind.SELF_HARM.value for found in row.violations)


async def _let_wait(
    session: AsyncSession, target: Target, thing_id: UUID, *, now: datetime
) -> None:
    await things.set_state(session, target, thing_id, "waiting", "", now=now)
    live.announce_after(session, DESK, str(thing_id))
