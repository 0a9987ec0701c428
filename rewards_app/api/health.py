"""Whether the process lives, whether it can work, and what it counts."""

import hmac

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from rewards_app.api.figures import figures
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings


async def healthz(_request: Request) -> Response:
    return JSONResponse({"alive": True})


async def readyz(_request: Request) -> Response:
    """Everything that a page needs must answer; each part is named."""
    parts = {"database": await _database_answers(), "redis": await _redis_answers()}
    ready = all(parts.values())
    return JSONResponse({"ready": ready, **parts}, status_code=200 if ready else 503)


async def _database_answers() -> bool:
    try:
        async with transaction() as session:
            await run(session, text("select 1"))
    except (DomainError, SQLAlchemyError, OSError):
        return False
    return True


async def _redis_answers() -> bool:
    if not settings().redis_url:
        return True
    try:
        async with Redis.from_url(settings().redis_url, socket_timeout=2) as redis:
            return bool(await redis.execute_command("PING"))
    except (RedisError, OSError):
        return False


async def metrics(request: Request) -> Response:
    """For the operator's own collector: on this machine, or with the token."""
    if not _may_read_metrics(request):
        return PlainTextResponse("not found", status_code=404)
    await figures.refresh()
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _may_read_metrics(request: Request) -> bool:
    token = settings().metrics_token.get_secret_value()
    if token:
        given = request.headers.get("authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    is_local = bool(request.client and request.client.host in {"127.0.0.1", "::1"})
    return is_local and "x-forwarded-for" not in request.headers


ROUTES = [
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", readyz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
