"""What an attack left behind: rows in the database, lines in the server's log."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from rewards_app.core.postgres import embedded
from tests import steady
from tests.serving import Served

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NOTED_IN_PASSING = (
    *("last_active_at", "place_hash", "place_before_hash", "place_changed_at"),
    *("first_steps_begun_at", "first_steps_left_at"),
)
"""What opening a page writes by itself."""
KEPT_BY_ACCOUNTS = (
    "accounts",
    "account_identities",
    "account_sessions",
    "sign_in_tickets",
    "email_links",
    "sign_in_steps",
    "authenticators",
    "backup_codes",
    "passkeys",
    "factor_resets",
)


@dataclass
class Vault:
    """The running app's own database, seen from beside it."""

    served: Served
    _opened: psycopg.Connection[Any] | None = None

    def ask(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        done = self._execute(query, values)
        return done.fetchall() if done.description else []

    def one(self, query: LiteralString, *values: object) -> Any:
        return self.ask(query, *values)[0][0]

    def fingerprint(self, tables: Sequence[str] = KEPT_BY_ACCOUNTS) -> dict[str, str]:
        """Changes with every row of these tables, but for what pages note in passing."""
        lines = sql.SQL(" union all ").join(map(_fingerprint_of, tables))
        return dict(self._execute(lines).fetchall())

    def _execute(self, query: Any, values: Any = None) -> Any:
        """On the connection of the last time: every test asks, and a new one knows no table yet."""
        if self._opened:
            try:
                return self._opened.execute(query, values)
            except psycopg.OperationalError:
                self._opened.close()  # its server was killed meanwhile, as some tests do
        url = embedded.url_of_running(self.served.data)
        self._opened = psycopg.connect(url, autocommit=True)
        return self._opened.execute(query, values)


def _fingerprint_of(table: str) -> sql.Composed:
    query = sql.SQL(
        "select {}, md5(coalesce(string_agg(line, '|' order by line), '')) from"
        " (select (to_jsonb(t) - {}::text[])::text as line from {} t) as lines"
    )
    known = sql.Literal(list(NOTED_IN_PASSING))
    return query.format(sql.Literal(table), known, sql.Identifier(table))


@dataclass
class Diary:
    """What the server writes to its log from now on."""

    served: Served
    start: int = 0

    def __post_init__(self) -> None:
        self.start = self.served.log.stat().st_size

    def text(self) -> str:
        with self.served.log.open("rb") as log:
            log.seek(self.start)
            return COLOUR.sub("", log.read().decode("utf-8", "replace"))

    def line_with(self, *words: str, within: float = 2) -> str:
        deadline = steady.seconds() + within
        while steady.seconds() < deadline:
            for line in self.text().splitlines():
                if all(word in line for word in words):
                    return line
            time.sleep(0.02)
        raise AssertionError(f"no line with {words} in:\n{self.text()[-2000:]}")

    def gives_away(self, *secrets: str) -> list[str]:
        text = self.text()
        return [secret for secret in secrets if secret and secret in text]
