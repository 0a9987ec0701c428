"""Sheets that leave a part after the other: a million lines are never in memory."""

from collections.abc import AsyncGenerator

from starlette.responses import Response, StreamingResponse

from rewards_app.api.refusals import FOR_ITS_OWNER


async def leaving(pieces: AsyncGenerator[str], name: str) -> Response:
    """Its head and its first lines are there before it is promised.

    What goes wrong later breaks the connection: no browser takes half of a sheet for all of it.
    """
    begun = [await anext(pieces), await anext(pieces, "")]
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(
        _all_of(begun, pieces), media_type="text/csv", headers=FOR_ITS_OWNER | disposition
    )


async def _all_of(begun: list[str], others: AsyncGenerator[str]) -> AsyncGenerator[str]:
    for piece in begun:
        yield piece
    async for piece in others:
        yield piece
