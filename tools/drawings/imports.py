"""Which part of the app imports which: read from the sources, and put in the order of the rules."""

import ast
import configparser
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
APP = "rewards_app"
SLICES = f"{APP}.features"

Edges = frozenset[tuple[str, str]]


def layers(contract: str, above: str) -> list[list[str]]:
    """The layers of a contract of .importlinter, the highest first, without the name `above`."""
    rules = configparser.ConfigParser()
    rules.read(PROJECT / ".importlinter", "utf-8")
    rows = rules[f"importlinter:contract:{contract}"]["layers"].split("\n")
    named = [[one.strip().removeprefix(f"{above}.") for one in row.split("|")] for row in rows]
    return [sorted(row) for row in named if any(row)]


def edges(above: str) -> Edges:
    """Pairs of parts right below the package `above`: the first imports something of the second."""
    found = {
        (_part_of(importer, above), _part_of(imported, above)) for importer, imported in _imports()
    }
    return frozenset((one, other) for one, other in found if one and other and one != other)


def _part_of(module: str, above: str) -> str:
    return module.removeprefix(f"{above}.").split(".")[0] if module.startswith(f"{above}.") else ""


@cache
def _imports() -> frozenset[tuple[str, str]]:
    """Every import of a module of ours by another one."""
    return frozenset(
        (_name_of(file), imported)
        for file in (PROJECT / APP).rglob("*.py")
        for imported in _imported_by(ast.parse(file.read_text("utf-8")))
    )


def _name_of(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


def _imported_by(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(APP):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith(APP))
