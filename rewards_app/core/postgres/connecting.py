"""The connection that a command begins with: where none is had, a sentence says so."""

from urllib.parse import urlsplit

import psycopg
from psycopg.rows import TupleRow


class NotLetIn(Exception):
    """PostgreSQL gave no connection; the message says where and why, and no password."""

    def __init__(self, url: str, setting: str, failure: BaseException) -> None:
        host = urlsplit(url).hostname or "this machine"
        super().__init__(
            f"The database on {host} does not answer ({_in_its_words(failure)}):"
            f" is it running, and {setting} right?"
        )


def _in_its_words(failure: BaseException) -> str:
    """As the server words it, which names who and where."""
    said = str(getattr(failure, "orig", failure)).strip().splitlines() or [type(failure).__name__]
    return said[0]


def connect(url: str, setting: str, *, autocommit: bool = False) -> psycopg.Connection[TupleRow]:
    try:
        return psycopg.connect(url, autocommit=autocommit)
    except psycopg.OperationalError as failure:
        raise NotLetIn(url, setting, failure) from failure
