"""Figures to take along: a sheet of one's own, for those who may see them on a page."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import not_found, refused
from rewards_app.api.sheets import attached
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import may_act
from rewards_app.core.postgres import replica
from rewards_app.features.accounts import sessions
from rewards_app.features.advertiser import figure_rules, figures, membership, narrowing
from rewards_app.features.advertiser.narrowing import To

SHEETS = limits.parse("20 per minute")
"""A year of many ads takes a while to write."""


async def analytics(request: Request) -> Response:
    """The period that is asked for, else the usual one; of a company or a campaign, if named."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None or not may_act(actor):
        return not_found()
    asked = request.query_params
    try:
        await limits.spend(SHEETS, "figures", str(actor.user_id))
        async with transaction() as session:
            scope = await membership.scope_of(session, actor)
            part = await narrowing.narrowed(session, scope, asked, To.COMPANY, To.CAMPAIGN)
        if part.gone:
            raise part.gone
        campaign_id, raw = part.only(To.CAMPAIGN), asked.get("period", "")
        period = figure_rules.period_or_whole(raw) if campaign_id else figure_rules.period_from(raw)
        sheet = await replica.read(
            lambda session: figures.sheet(
                session, part.scope, period, campaign_id=campaign_id, now=now
            )
        )
    except DomainError as refusal:
        return refused(refusal)
    return Response(sheet.text, media_type="text/csv", headers=attached(sheet.name))


ROUTES = [Route("/exports/analytics.csv", analytics, methods=["GET"])]
