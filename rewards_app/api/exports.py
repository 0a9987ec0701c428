"""Figures to take along: a sheet of one's own, for those who may see them on a page."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.api.orders import FOR_ITS_OWNER, not_found, refused
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import sessions
from rewards_app.features.advertiser import figure_rules, figures

SHEETS = limits.parse("20 per minute")
"""A year of many ads takes a while to write."""


async def analytics(request: Request) -> Response:
    """The period that is asked for, else the usual one."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None:
        return not_found()
    period = figure_rules.period_from(request.query_params.get("period", ""))
    try:
        await limits.spend(SHEETS, "figures", str(actor.user_id))
        async with transaction() as session:
            sheet = await figures.sheet(session, actor, period, now=now)
    except DomainError as refusal:
        return refused(refusal)
    name = {"Content-Disposition": f'attachment; filename="{sheet.name}"'}
    return Response(sheet.text, media_type="text/csv", headers=FOR_ITS_OWNER | name)


ROUTES = [Route("/exports/analytics.csv", analytics, methods=["GET"])]
