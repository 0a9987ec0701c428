"""People of whom everything is held: a row of theirs in every table, with words that bite."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import Column, Table, create_engine, insert, select, text
from sqlalchemy.engine import Connection
from sqlmodel import SQLModel

from rewards_app.core.database import driver_url
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import EXPORTED

NAMES = UUID("6f1d3b0e-0000-4000-8000-000000000000")
NOON = datetime(2026, 3, 14, 12, 0, 1, 250, tzinfo=UTC)
BITES = '=1+1,"ж";\n\\x 🙂 '
"""A formula, with everything that separates cells, and ends in a space."""
ONE_OF = re.compile(r"^(\w+) in \('([^']+)'")
TABLES = SQLModel.metadata.tables
MORE: dict[str, dict[str, Any]] = {
    "accounts": {"birth_date": "1998-05-17", "language": "en"},
    "account_closures": {"cancelled_at": None, "erased_at": None},
    "ad_campaigns": {"ends_at": NOON + timedelta(days=1)},
    "coin_entries": {"month": date(1970, 1, 1)},
    "ad_views": {"status": "rewarded", "holds_place": False},
    "ads": {"duration": 30, "reward_coins": 15},
    "data_exports": {"status": "failed", "token_hash": None},
    "fraud_simulations": {"status": "done"},
    "gift_codes": {"status": "delivered"},
    "payments": {"status": "paid"},
    "support_messages": {"is_answer": True},
    "top_ups": {"status": "paid"},
    "user_games": {"external_game_id": None, "rating_tenths": None},
}


def id_of(who: str, table: str = "accounts") -> UUID:
    return uuid5(NAMES, f"{who} {table}")


def email_of(who: str) -> str:
    return f"{who}@example.com"


def tables_held() -> list[Table]:
    return [TABLES[name] for name in sorted({holding.table for holding in EXPORTED})]


def hold_everything(url: str, *people: str) -> None:
    """A row of each of `people` in every table that archives have; nobody checks the books."""
    with _connected(url) as connection:
        for number, who in enumerate(people, 1):
            for table in tables_held():
                connection.execute(insert(table).values(**row_of(table, who, number)))


def row_of(table: Table, who: str, number: int) -> dict[str, Any]:
    made = {
        column.name: _value(column, who, number)
        for column in table.columns
        if column.computed is None and column.identity is None
    }
    named: dict[str, dict[str, Any]] = {
        "accounts": {"email": email_of(who)},
        "waitlist": {"email": email_of(who)},
        "audit_entries": {"about": f"account:{id_of(who)}", "actor_id": id_of(who)},
        "forum_posts": {"dictionary": text("'simple'::regconfig")},
        "forum_likes": {"reply_id": None},
        "forum_decisions": {"reply_id": None, "profile_id": None},
        "forum_reports": {"reply_id": None, "profile_id": None},
    }
    return made | _allowed(table) | MORE.get(table.name, {}) | named.get(table.name, {})


def _value(column: Column[Any], who: str, number: int) -> Any:
    for key in column.foreign_keys:
        return id_of(who, key.column.table.name)
    kind = type(column.type).__name__
    size = getattr(column.type, "length", None) or 200
    values: dict[str, Any] = {
        "Uuid": id_of(who, column.table.name if column.primary_key else column.name),
        "AutoString": f"{'' if column.primary_key else BITES}{who} {column.table.name}"[:size],
        "Text": BITES,
        "Sealed": f"-{BITES}{who}",
        "DateTime": NOON,
        "Date": date(2026, 3, 14),
        "Boolean": True,
        "Integer": number,
        "BigInteger": number,
        "SmallInteger": number,
        "JSONB": {"said": BITES, "count": -1, "none": None},
        "ARRAY": ["=1", BITES],
        "LargeBinary": f"\x00\xff{who}".encode("latin-1"),
    }
    if column.unique and kind == "AutoString":
        return f"{who} {column.name}"[:size]
    return values.get(kind)


def _allowed(table: Table) -> dict[str, str]:
    """The first of the values that a constraint lets stand in a column."""
    found = (ONE_OF.match(str(getattr(rule, "sqltext", ""))) for rule in table.constraints)
    return {match[1]: match[2] for match in found if match}


def held_rows(url: str, holding: Holding) -> Iterator[dict[str, Any]]:
    """All rows of the table, opened, whoever's they are."""
    with _connected(url) as connection:
        for row in connection.execute(select(TABLES[holding.table])):
            yield dict(row._mapping)


class _connected:
    def __init__(self, url: str) -> None:
        self.engine = create_engine(driver_url(url))

    def __enter__(self) -> Connection:
        self.connection = self.engine.connect()
        self.connection.execute(text("set session_replication_role = replica"))
        self.connection.execute(text("set timezone = 'UTC'"))
        return self.connection

    def __exit__(self, *_: object) -> None:
        self.connection.commit()
        self.connection.close()
        self.engine.dispose()
