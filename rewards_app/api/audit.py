"""The audit log to take along, for admins."""

from collections.abc import AsyncGenerator
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api import sheets
from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import not_found, refused
from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import may_administer
from rewards_app.features.accounts import sessions
from rewards_app.features.ads.days import platform_day
from rewards_app.features.audit import log, rules, service, sheet

SHEETS = limits.parse("10 per minute")


async def audit_log(request: Request) -> Response:
    """What the log's page has found, for admins alone: that it was taken stands in it, too."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None or not may_administer(actor):
        return not_found()
    asked = (request.query_params.get(name, "") for name in ("search", "action", "by", "about"))
    try:
        await limits.spend(SHEETS, "audit", str(actor.user_id))
        search = rules.search_from(*asked)
        up_to = await _note_export(actor, search, now)
        return await sheets.leaving(_written(search, up_to), sheet.name_of(platform_day(now)))
    except DomainError as refusal:
        return refused(refusal)


async def _note_export(actor: Actor, search: rules.Search, now: datetime) -> int:
    """The last line that is taken along: the one on this export comes after it."""
    async with transaction() as session:
        up_to = await log.newest_number(session)
        await service.record(
            session,
            actor,
            service.Action.AUDIT_EXPORTED,
            "audit",
            after={**search.values, "up_to": up_to},
            now=now,
        )
    return up_to


async def _written(search: rules.Search, up_to: int) -> AsyncGenerator[str]:
    yield sheet.HEAD
    async with transaction() as session:
        async for lines in log.everything(session, search, up_to=up_to):
            yield sheet.rows_of(lines)


ROUTES = [Route("/exports/audit.csv", audit_log, methods=["GET"])]
