"""Figures to take along: a sheet of one's own, for those who may see them on a page."""

from collections.abc import AsyncGenerator
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api import sheets
from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import FOR_ITS_OWNER, not_found, refused
from rewards_app.core import limits, replica
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import may_act, may_administer
from rewards_app.features.accounts import sessions
from rewards_app.features.advertiser import figure_rules, figures, membership
from rewards_app.features.audit import log, sheet
from rewards_app.features.audit import rules as audit_rules
from rewards_app.features.audit import service as audit

SHEETS = limits.parse("20 per minute")
"""A year of many ads takes a while to write."""
LOGS = limits.parse("10 per minute")


async def analytics(request: Request) -> Response:
    """The period that is asked for, else the usual one."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None or not may_act(actor):
        return not_found()
    period = figure_rules.period_from(request.query_params.get("period", ""))
    try:
        await limits.spend(SHEETS, "figures", str(actor.user_id))
        async with transaction() as session:
            scope = await membership.scope_of(session, actor)
        sheet = await replica.read(lambda session: figures.sheet(session, scope, period, now=now))
    except DomainError as refusal:
        return refused(refusal)
    name = {"Content-Disposition": f'attachment; filename="{sheet.name}"'}
    return Response(sheet.text, media_type="text/csv", headers=FOR_ITS_OWNER | name)


async def audit_log(request: Request) -> Response:
    """What the log's page has found, for admins alone: that it was taken stands in it, too."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None or not may_administer(actor):
        return not_found()
    asked = (request.query_params.get(name, "") for name in ("search", "action", "by", "about"))
    try:
        await limits.spend(LOGS, "audit", str(actor.user_id))
        search = audit_rules.search_from(*asked)
        up_to = await _note_export(actor, search, now)
        return await sheets.leaving(_written(search, up_to), sheet.name_of(now))
    except DomainError as refusal:
        return refused(refusal)


async def _note_export(actor: Actor, search: audit_rules.Search, now: datetime) -> int:
    """The last line that is taken along: the one on this export comes after it."""
    async with transaction() as session:
        up_to = await log.newest_number(session)
        await audit.record(
            session,
            actor,
            audit.Action.AUDIT_EXPORTED,
            "audit",
            after={**search.values, "up_to": up_to},
            now=now,
        )
    return up_to


async def _written(search: audit_rules.Search, up_to: int) -> AsyncGenerator[str]:
    yield sheet.HEAD
    async with transaction() as session:
        async for lines in log.everything(session, search, up_to=up_to):
            yield sheet.rows_of(lines)


ROUTES = [
    Route("/exports/analytics.csv", analytics, methods=["GET"]),
    Route("/exports/audit.csv", audit_log, methods=["GET"]),
]
