"""What moderation would make of a text, before it is posted."""

from contextlib import suppress

from redis.exceptions import RedisError

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.limits import RateLimitItem
from rewards_app.features.forum.judging import judge
from rewards_app.features.forum.rules import LONGEST_TEXT, LONGEST_TITLE
from rewards_app.features.forum.talk import Written, written

PREVIEWS = limits.parse("180/minute")
"""A form tells what is typed after 0.4 seconds of rest: nobody who types gets this far."""
LONG_PREVIEWS = limits.parse("90/minute")
LONG = 1_000
"""Characters; the worst of five times as many take a twentieth of a second."""


async def preview(actor: Actor, title: str, content: str, language: str) -> Written | None:
    """None where the actor has asked too often, or nobody can tell how often."""
    title, content = title[:LONGEST_TITLE], content[:LONGEST_TEXT]
    limit = PREVIEWS if len(title) + len(content) <= LONG else LONG_PREVIEWS
    if not await _may_ask(actor, limit):
        return None
    judged = judge(title, content, language)
    return written(judged, "waiting" if judged.needs_person else "shown")


async def _may_ask(actor: Actor, limit: RateLimitItem) -> bool:
    with suppress(RedisError, OSError):
        return await limits.spend_if_left(limit, "forum.preview", str(actor.user_id))
    return False
