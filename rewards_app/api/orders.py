"""What only the owner of an order may fetch: its gift code, its receipt."""

from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import FOR_ITS_OWNER, not_found, refused
from rewards_app.api.sheets import attached
from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import sessions
from rewards_app.features.shop import letters, service
from rewards_app.i18n import languages

RECEIPTS = limits.parse("20 per minute")
"""Each is drawn anew, which takes a while."""


async def code(request: Request) -> Response:
    """Never kept in a page's state: it goes from the sealed row to the screen that asks."""
    purchase_id: UUID = request.path_params["purchase_id"]
    actor = await _player(request)
    if actor is None:
        return not_found()
    try:
        found = await service.code_of(actor, purchase_id)
    except DomainError as refusal:
        return refused(refusal)
    return JSONResponse({"code": found}, headers=FOR_ITS_OWNER)


async def receipt(request: Request) -> Response:
    purchase_id: UUID = request.path_params["purchase_id"]
    actor = await _player(request)
    if actor is None:
        return not_found()
    language = languages.known(request.query_params.get("language", ""))
    try:
        await limits.spend(RECEIPTS, "receipt", str(actor.user_id))
        file = await letters.own_receipt(actor.user_id, purchase_id, language)
    except DomainError as refusal:
        return refused(refusal)
    return Response(file.content, media_type="application/pdf", headers=attached(file.name))


async def _player(request: Request) -> Actor | None:
    found = await sessions.find_actor(caller_of(request).session_hash, now=utc_now())
    return found if found and found.is_player else None


ROUTES = [
    Route("/orders/{purchase_id:uuid}/code", code, methods=["GET"]),
    Route("/orders/{purchase_id:uuid}/receipt.pdf", receipt, methods=["GET"]),
]
