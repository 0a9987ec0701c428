"""Where the payment provider tells us what happened."""

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rewards_app.api.bodies import body_of
from rewards_app.api.callers import caller_of
from rewards_app.core.errors import DomainError
from rewards_app.core.watching import watch
from rewards_app.features.alerts import soon
from rewards_app.features.alerts.rules import Kind
from rewards_app.features.payments import webhook
from rewards_app.features.payments.rules import Forged

_log = structlog.get_logger(__name__)


async def stripe(request: Request) -> Response:
    """200 once the event is kept and done; anything else has the provider send it again."""
    body = await body_of(request, at_most=webhook.LARGEST_BODY)
    if body is None:
        return JSONResponse({"error": "too large"}, status_code=413)
    try:
        outcome = await webhook.receive(body, request.headers.get("stripe-signature", ""))
    except Forged:
        watch.WEBHOOKS.labels("forged").inc()
        _log.warning("webhook.forged", size=len(body))
        soon.alert(Kind.WEBHOOK_FORGED, about="webhook", address=caller_of(request).address)
        return JSONResponse({"error": "not signed"}, status_code=400)
    except DomainError as failure:
        watch.WEBHOOKS.labels("failed").inc()
        _log.error("webhook.not_kept", reason=failure.code)
        return JSONResponse({"error": "try again"}, status_code=503)
    except Exception:
        watch.WEBHOOKS.labels("failed").inc()
        raise
    watch.WEBHOOKS.labels(str(outcome)).inc()
    return JSONResponse({"received": True})


ROUTES = [Route("/webhooks/stripe", stripe, methods=["POST"])]
