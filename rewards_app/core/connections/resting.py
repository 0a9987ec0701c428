"""Connections that rested in a pool: whether their server still holds the other end.

A server that goes away closes its end, and says so at most: there is something to read where
nothing was asked. Only then it is worth a question, which costs as much as a statement.
"""

import select
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError


def look_before_use(engine: Engine) -> None:
    """A connection that died meanwhile is replaced, and so are those that rested beside it."""

    @event.listens_for(engine, "checkout")
    def look(connection: Any, _record: Any, _fairy: Any) -> None:
        try:
            # One that broke on our side has no socket to look at.
            if has_something_to_read(connection.driver_connection.fileno()):
                engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as failure:
            raise InvalidatePoolError from failure


def has_something_to_read(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
