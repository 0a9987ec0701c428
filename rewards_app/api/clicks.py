"""The way to an advertiser's page, through our counter."""

from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import StorageAway
from rewards_app.core.gate import may_act
from rewards_app.features.accounts import sessions
from rewards_app.features.ads import service

NOWHERE = "/"


async def visit(request: Request) -> Response:
    """Count the first click of the player's own view and lead to the page that the ad names.

    Where it leads is what the advertiser saved, never what a request says.
    """
    now = utc_now()
    view_id: UUID = request.path_params["view_id"]
    try:
        actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
        address = await service.click(actor, view_id, now=now) if actor and may_act(actor) else None
    except StorageAway:
        address = None
    return RedirectResponse(
        address or NOWHERE,
        status_code=303,
        headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex"},
    )


ROUTES = [Route("/ads/visit/{view_id:uuid}", visit, methods=["GET"])]
