"""The waiting people to take along, for admins."""

from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api import sheets
from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import not_found, refused
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import may_administer
from rewards_app.features.accounts import sessions
from rewards_app.features.ads.days import platform_day
from rewards_app.features.waitlist import service, sheet

SHEETS = limits.parse("20 per minute")


async def waitlist(request: Request) -> Response:
    """That it was taken is written down before its first line leaves."""
    now = utc_now()
    name = sheet.name_of(platform_day(now))
    try:
        actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
        if actor is None or not may_administer(actor):
            return not_found()
        await limits.spend(SHEETS, "waitlist", str(actor.user_id))
        async with transaction() as session:
            await service.note_export(session, actor, name, now=now)
        return await sheets.leaving(_lines(), name)
    except DomainError as refusal:
        return refused(refusal)


async def _lines() -> AsyncGenerator[str]:
    async with transaction() as session:
        async for piece in service.exported(session):
            yield piece


ROUTES = [Route("/exports/waitlist.csv", waitlist, methods=["GET"])]
