"""An app that breaks in somebody's name, for the lines that a server writes of that."""

from typing import Any


def app() -> Any:
    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                message = await receive()
                await send({"type": f"{message['type']}.complete"})
                if message["type"] == "lifespan.shutdown":
                    return
        raise ValueError("nobody is called wilhelmina@example.com")

    return breaks
