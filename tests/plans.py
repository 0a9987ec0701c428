"""How the database finds what it is asked for: which tables it looks at, by which indexes."""

import re
from dataclasses import dataclass
from typing import Any

import psycopg

PARENT = """
select parent.relname from pg_inherits join pg_class parent on parent.oid = inhparent
where inhrelid = to_regclass(%s)
"""
BEGINS = "select pg_get_indexdef(to_regclass(%s), 1, true)"


@dataclass(frozen=True, slots=True)
class Plan:
    text: str
    tables: frozenset[str]
    """Those that are looked at; partitions that are passed over are not among them."""
    indexes: frozenset[str]
    """By the names that the model gives them, whatever their parts in the months are called."""
    reads_whole: frozenset[str]
    """Tables that are read from one end to the other."""
    walks_through: frozenset[str]
    """Tables whose index is read from one end to the other: what is asked is not its beginning."""


def plan_of(
    connection: psycopg.Connection[Any], query: str, values: Any = (), *, runs: bool = True
) -> Plan:
    """What is done for these values, months that turn out to be needless left out.

    Or, where it does not run, all that may be done.
    """
    how = "analyze, costs off, format json" if runs else "costs off, format json"
    found = connection.execute(f"explain ({how}) {query}", values)  # pyright: ignore
    [(told,)] = found.fetchall()
    nodes = [node for node in _all(told[0]["Plan"]) if node.get("Actual Loops", 1) > 0]
    return Plan(
        str(told),
        frozenset(node["Relation Name"] for node in nodes if "Relation Name" in node),
        frozenset(_named(connection, node["Index Name"]) for node in nodes if "Index Name" in node),
        frozenset(node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"),
        frozenset(
            node.get("Relation Name", node["Index Name"])
            for node in nodes
            if "Index Name" in node and not _is_entered(connection, node)
        ),
    )


def _is_entered(connection: psycopg.Connection[Any], node: dict[str, Any]) -> bool:
    """Whether it is asked for what its index begins with, and so found where that lies."""
    begins = connection.execute(BEGINS, (node["Index Name"],)).fetchone()
    return bool(begins and re.search(rf"\b{begins[0]}\b", node.get("Index Cond", "")))


def _all(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(inner for below in node.get("Plans", ()) for inner in _all(below))]


def _named(connection: psycopg.Connection[Any], index: str) -> str:
    parent = connection.execute(PARENT, (index,)).fetchone()
    return parent[0] if parent else index
