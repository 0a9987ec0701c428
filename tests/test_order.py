"""Files that share a server are run by one process, and no such file is forgotten."""

import re
from pathlib import Path

import pytest

from tests.order import ATTACKED, TWO_WORKERS, UMAMI, ByServer

PROJECT = Path(__file__).parents[1]
FIXTURES = {"two_workers": TWO_WORKERS, "attacked_app": ATTACKED, "umami_app": UMAMI}


def whose_turn(file: str) -> str:
    # What it is made of is a run's own, and has no part in this.
    return ByServer.__new__(ByServer)._split_scope(f"{file}::TestOne::test_it")


@pytest.mark.parametrize("fixture", FIXTURES)
def test_every_file_that_asks_for_one_of_them_is_named(fixture: str):
    asks = re.compile(rf"\b{fixture}\b")
    files = (PROJECT / "tests").rglob("test_*.py")
    asking = {str(one.relative_to(PROJECT)) for one in files if asks.search(one.read_text())}
    assert asking - {"tests/test_order.py"} == FIXTURES[fixture]


@pytest.mark.parametrize("files", FIXTURES.values(), ids=FIXTURES)
def test_one_process_runs_all_of_them(files: set[str]):
    assert len({whose_turn(file) for file in files}) == 1


def test_others_are_anybodys():
    assert whose_turn("tests/test_cli.py") == "tests/test_cli.py"
