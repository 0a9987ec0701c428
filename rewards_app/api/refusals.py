"""What a request is told that gets nothing."""

from collections.abc import Sequence

from redis.exceptions import RedisError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from rewards_app.core.errors import DomainError, StorageAway, StorageFull, TooManyAttempts

FOR_ITS_OWNER = {"Cache-Control": "no-store, private", "X-Robots-Tag": "noindex"}


def refused(refusal: DomainError) -> Response:
    if isinstance(refusal, (StorageAway, StorageFull)):
        return JSONResponse({"error": refusal.code}, status_code=503, headers=FOR_ITS_OWNER)
    if isinstance(refusal, TooManyAttempts):
        wait = {"Retry-After": str(refusal.seconds)}
        return JSONResponse({"error": refusal.code}, status_code=429, headers=FOR_ITS_OWNER | wait)
    return not_found()


def not_found() -> Response:
    """The same for what is not there and for what is somebody else's."""
    return JSONResponse({"error": "not found"}, status_code=404, headers=FOR_ITS_OWNER)


def answering(routes: Sequence[Route | Mount]) -> Starlette:
    """Most routes ask first who it is that asks: without the database, nobody can tell.

    Without Redis, where several workers share what is counted, nobody knows how often they asked.
    """
    gone = (StorageAway, StorageFull, RedisError)
    return Starlette(routes=routes, exception_handlers=dict.fromkeys(gone, _for_a_while))


async def _for_a_while(_: Request, failure: Exception) -> Response:
    return refused(failure if isinstance(failure, DomainError) else StorageAway())
