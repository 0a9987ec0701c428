"""The language in which somebody is mailed: the one that they chose last in the app."""

import structlog

from rewards_app.core.actor import Actor
from rewards_app.core.database import statement
from rewards_app.core.errors import DomainError

_log = structlog.get_logger(__name__)


async def keep_language(actor: Actor, code: str) -> None:
    """The page speaks it already: a database that is away must not stop that."""
    try:
        await statement(
            "update accounts set language = %s where id = %s and language <> %s returning id",
            (code, actor.user_id, code),
        )
    except DomainError as failure:
        _log.warning("account.language_not_kept", error=failure.code)
