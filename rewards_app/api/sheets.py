"""Files to take along, and sheets that leave a part after the other: a million lines are never in
memory."""

from collections.abc import AsyncGenerator

from starlette.responses import Response, StreamingResponse

from rewards_app.api.refusals import FOR_ITS_OWNER


def attached(name: str) -> dict[str, str]:
    """Its owner's browser saves it under that name, and nobody keeps it on the way."""
    return FOR_ITS_OWNER | {"Content-Disposition": f'attachment; filename="{name}"'}


async def leaving(pieces: AsyncGenerator[str], name: str) -> Response:
    """Its head and its first lines are there before it is promised.

    What goes wrong later breaks the connection: no browser takes half of a sheet for all of it.
    """
    begun = [await anext(pieces), await anext(pieces, "")]
    return StreamingResponse(_all_of(begun, pieces), media_type="text/csv", headers=attached(name))


async def _all_of(begun: list[str], others: AsyncGenerator[str]) -> AsyncGenerator[str]:
    for piece in begun:
        yield piece
    async for piece in others:
        yield piece
