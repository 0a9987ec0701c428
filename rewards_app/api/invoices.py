"""The invoices of top-ups, for the owner of their company and for admins."""

from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import not_found, refused
from rewards_app.api.sheets import attached
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import may_administer
from rewards_app.features.accounts import sessions
from rewards_app.features.advertiser import invoices
from rewards_app.i18n import languages

INVOICES = limits.parse("20 per minute")
"""Each is drawn anew, which takes a while."""


async def invoice(request: Request) -> Response:
    top_up_id: UUID = request.path_params["top_up_id"]
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None:
        return not_found()
    language = languages.known(request.query_params.get("language", ""))
    try:
        await limits.spend(INVOICES, "invoice", str(actor.user_id))
        if may_administer(actor):
            file = await invoices.any_invoice(actor, top_up_id, language, now=now)
        else:
            file = await invoices.own_invoice(actor, top_up_id, language)
    except DomainError as refusal:
        return refused(refusal)
    return Response(file.content, media_type="application/pdf", headers=attached(file.name))


ROUTES = [Route("/invoices/{top_up_id:uuid}.pdf", invoice, methods=["GET"])]
