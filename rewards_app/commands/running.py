"""What every command needs: the database, and an end to what it began."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import typer

from rewards_app import launch
from rewards_app.core import live
from rewards_app.core.database import dispose_engine
from rewards_app.core.errors import DomainError
from rewards_app.i18n.mail_text import words


def database() -> Any:
    """The database, whether the app is running on it or not."""
    return launch.database_for_a_command()


def wait(work: Coroutine[Any, Any, Any]) -> Any:
    async def then_close() -> Any:
        try:
            done = await work
            await live.tell_now()
            return done
        finally:
            await dispose_engine()

    try:
        return asyncio.run(then_close())
    except DomainError as refusal:
        params = {
            name: said for name, said in refusal.params.items() if isinstance(said, str | int)
        }
        print(words(refusal.text_key, "en", **params), file=sys.stderr)
        raise typer.Exit(1) from None
