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
KNOW_REFLEX = ("reflex", "reflex_base", "rewards_app.ui", "rewards_app.core.state")
OF_PAGES = (*KNOW_REFLEX, "rewards_app.core.page", "rewards_app.core.gate")
MADE_OF_STATES = {f"{SLICES}admin.case_address", f"{SLICES}shell.figure_calls"}
ABOVE_ALL = f"{SLICES}shell"
"""What ties pages together: no slice imports it."""
STATE_OR_TAG = re.compile(r"(State|Component)\b|\brx\.")
DRAWN = re.compile(r"Component|\bVar\b|\brx\.|EventSpec")
LISTS_PAGES = re.compile(r"(^|\.)(pages|tabs)$")
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


def source_of(module: str) -> ast.Module:
    path = PROJECT / f"{module.replace('.', '/')}.py"
    return ast.parse(path.read_text() if path.exists() else "")


def is_pure(module: str) -> bool:
    if not module.startswith((SLICES, "rewards_app.core.")):
        return False
    says = PURE.search(ast.get_docstring(source_of(module)) or "")
    return bool(says) or name_of(module).endswith("rules")


def is_shown(module: str) -> bool:
    """It has a state, draws something, or lists what is drawn elsewhere."""
    return bool(LISTS_PAGES.search(module)) or any(map(_shows, ast.walk(source_of(module))))


def _shows(node: ast.AST) -> bool:
    if isinstance(node, ast.ClassDef):
        return any(STATE_OR_TAG.search(ast.unparse(base)) for base in node.bases)
    if isinstance(node, ast.FunctionDef):
        return bool(node.returns and DRAWN.search(ast.unparse(node.returns)))
    return False


def asks_nobody(module: str) -> bool:
    return not any(isinstance(one, ast.AsyncFunctionDef) for one in ast.walk(source_of(module)))


def is_written_for(module: str, pages: set[str], graph: grimp.ImportGraph) -> bool:
    """How something is said on a page: it only turns values into others, and pages alone ask it."""
    asking = graph.find_modules_that_directly_import(module)
    return bool(asking) and asks_nobody(module) and asking <= pages


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
    others = {one for one in graph.modules if one.startswith(SLICES)} - seen
    while more := {one for one in others - seen if is_written_for(one, seen, graph)}:
        seen |= more
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


def test_who_asks_for_reflex_has_a_state_or_draws(graph: grimp.ImportGraph, on_pages: set[str]):
    """Whoever does neither knows none, also where nobody else would notice."""
    asks = {
        one
        for one in on_pages - MADE_OF_STATES
        if one.startswith(SLICES)
        and slice_of(one) != ABOVE_ALL
        and any(is_of(what, KNOW_REFLEX) for what in graph.find_modules_directly_imported_by(one))
    }
    assert len(asks) > 200
    assert sorted(one for one in asks if not is_shown(one)) == []


def test_what_is_pure_knows_nothing_that_changes(graph: grimp.ImportGraph):
    pure = {one for one in graph.modules if is_pure(one)}
    assert len(pure) > 80
    assert [
        (who, what)
        for who in sorted(pure)
        for what in sorted(graph.find_upstream_modules(who))
        if is_of(what, UNPREDICTABLE)
    ] == []
