"""What each kind of module may know, whatever its slice; the layers are in `.importlinter`.

A module says by its name or its docstring of which kind it is: a new one is looked at, too.
"""

import ast
import re
from pathlib import Path

import grimp
import pytest

PROJECT = Path(__file__).parents[2]
SLICES = "rewards_app.features."
SERVES = re.compile(r"(^|_)(service|repository|jobs|rules|letters|retention)$")
"""Named after what is done, by whomever it is asked for."""
PURE = re.compile(r"\bPure\b|pure values|pure question")
OF_PAGES = (
    *("reflex", "reflex_base", "rewards_app.ui", "rewards_app.core.state"),
    *("rewards_app.core.page", "rewards_app.core.gate"),
)
MADE_OF_STATES = {f"{SLICES}admin.case_address", f"{SLICES}shell.figure_calls"}
TABLES = ("sqlalchemy", "sqlmodel", "rewards_app.models")
UNPREDICTABLE = (
    *("reflex", "sqlalchemy", "sqlmodel", "pydantic"),
    *("rewards_app.core.setting_values", "rewards_app.core.settings", "rewards_app.core.database"),
    *("rewards_app.core.clock", "rewards_app.models", "rewards_app.ui", "rewards_app.i18n"),
)


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("rewards_app", include_external_packages=True, cache_dir=None)


@pytest.fixture(scope="module")
def on_pages(graph: grimp.ImportGraph) -> set[str]:
    """What knows Reflex, itself or by what it imports."""
    return graph.find_downstream_modules("reflex") | graph.find_downstream_modules("reflex_base")


def name_of(module: str) -> str:
    return module.rsplit(".", 1)[-1]


def slice_of(module: str) -> str:
    return ".".join(module.split(".")[: 3 if module.startswith(SLICES) else 2])


def is_of(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in packages)


def is_pure(module: str) -> bool:
    path = PROJECT / f"{module.replace('.', '/')}.py"
    if not module.startswith((SLICES, "rewards_app.core.")) or not path.exists():
        return False
    says = PURE.search(ast.get_docstring(ast.parse(path.read_text())) or "")
    return bool(says) or name_of(module).endswith("rules")


def test_a_repository_is_private_to_its_slice(graph: grimp.ImportGraph):
    private = {one for one in graph.modules if name_of(one).endswith("repository")}
    assert len(private) > 40
    assert [
        (who, what)
        for what in sorted(private)
        for who in sorted(graph.find_modules_that_directly_import(what))
        if slice_of(who) != slice_of(what)
    ] == []


def test_states_and_pages_know_neither_tables_nor_repositories(
    graph: grimp.ImportGraph, on_pages: set[str]
):
    seen = {one for one in on_pages if one.startswith(SLICES)}
    assert len(seen) > 200
    assert [
        (who, what)
        for who in sorted(seen)
        for what in sorted(graph.find_modules_directly_imported_by(who))
        if is_of(what, TABLES) or name_of(what).endswith("repository")
    ] == []


def test_what_is_done_knows_no_reflex(graph: grimp.ImportGraph, on_pages: set[str]):
    done = {one for one in graph.modules if one.startswith(SLICES) and SERVES.search(name_of(one))}
    done |= {
        one for one in graph.modules if is_of(one, ("rewards_app.models", "rewards_app.paper"))
    }
    assert len(done) > 150
    assert sorted(done & on_pages) == []


def test_who_knows_reflex_asks_for_it(graph: grimp.ImportGraph, on_pages: set[str]):
    """Whatever else is done gets none from a state or a page that it has no need of."""
    assert [
        who
        for who in sorted(on_pages - MADE_OF_STATES)
        if who.startswith(SLICES)
        and not any(is_of(what, OF_PAGES) for what in graph.find_modules_directly_imported_by(who))
    ] == []


def test_what_is_pure_knows_nothing_that_changes(graph: grimp.ImportGraph):
    pure = {one for one in graph.modules if is_pure(one)}
    assert len(pure) > 80
    assert [
        (who, what)
        for who in sorted(pure)
        for what in sorted(graph.find_upstream_modules(who))
        if is_of(what, UNPREDICTABLE)
    ] == []
