"""People who ask support, and admins who answer."""

from datetime import datetime
from typing import Any

from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.core.mail import Letter
from rewards_app.features.support import inbox, tickets
from tests.people import NOON
from tests.queued import as_read

QUESTION = "My code has not come. What can I do?"
ANSWER = "It is on its way: please look again in five minutes."
QUEUED = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"


def a_form(**changes: str) -> dict[str, str]:
    known = {
        "name": "Maja Lind",
        "email": "maja.home@example.com",
        "subject": "My code",
        "message": QUESTION,
    }
    return known | changes


async def asks(who: Actor, *, now: datetime = NOON, **changes: str) -> int:
    async with transaction() as session:
        return await tickets.ask(session, who, a_form(**changes), now=now)


async def replies(who: Actor, number: int, text: str, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await tickets.reply(session, who, number, text, now=now)


async def reads(who: Actor, number: int, *, now: datetime = NOON) -> tickets.Thread:
    async with transaction() as session:
        return await tickets.thread(session, who, number, now=now)


async def looks_into(admin: Actor, number: int, *, now: datetime = NOON) -> inbox.Case:
    async with transaction() as session:
        return await inbox.look_into(session, admin, number, now=now)


async def answers(
    admin: Actor, number: int, text: str = ANSWER, *, seen: Any = None, now: datetime = NOON
) -> None:
    """With all that was said before their eyes, unless they saw less."""
    known = seen or (await looks_into(admin, number)).newest
    async with transaction() as session:
        await inbox.answer(session, admin, number, text, seen=known, now=now)


async def closes(admin: Actor, number: int, *, now: datetime = NOON) -> None:
    known = (await looks_into(admin, number)).newest
    async with transaction() as session:
        await inbox.close(session, admin, number, seen=known, now=now)


async def mailed(*names: str) -> list[Letter]:
    """What waits to be sent, of these letters or of all."""
    async with transaction() as session:
        found = [Letter(**as_read(args)) for (args,) in await rows(session, QUEUED, {})]
    return [letter for letter in found if not names or letter.name in names]
