"""Who makes an HTTP request, told the same way as for a socket."""

from starlette.requests import Request

from rewards_app.core.caller import Caller, caller_from
from rewards_app.core.settings import settings


def caller_of(request: Request) -> Caller:
    headers = dict(request.headers)
    return caller_from({"headers": headers, "ip": address_of(request)})


def address_of(request: Request) -> str:
    """The peer, or what the last trusted proxy saw; a header alone is believed from nobody.

    A proxy may add a line of its own instead of a word to the caller's.
    """
    peer = request.client.host if request.client else ""
    hops = settings().trusted_proxy_hops
    lines = request.headers.getlist("x-forwarded-for")
    forwarded = [part.strip() for part in ",".join(lines).split(",")]
    forwarded = [part for part in forwarded if part]
    return forwarded[-hops] if hops and len(forwarded) >= hops else peer
