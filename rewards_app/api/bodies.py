"""What requests bring along, read no further than it can be meant."""

from starlette.requests import Request


async def body_of(request: Request, *, at_most: int) -> bytes | None:
    """What was sent, or None once it is longer."""
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > at_most:
            return None
    return bytes(read)
