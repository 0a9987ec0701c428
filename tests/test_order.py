"""Files that share a server are run by one process, and no such file is forgotten."""

import re
from pathlib import Path

from tests.order import TWO_WORKERS, ByServer

PROJECT = Path(__file__).parents[1]
FIXTURE = re.compile(r"\btwo_workers\b")


def whose_turn(file: str) -> str:
    # What it is made of is a run's own, and has no part in this.
    return ByServer.__new__(ByServer)._split_scope(f"{file}::TestOne::test_it")


def test_every_file_that_asks_for_two_workers_is_named():
    files = (PROJECT / "tests").rglob("test_*.py")
    asking = {str(one.relative_to(PROJECT)) for one in files if FIXTURE.search(one.read_text())}
    assert asking - {"tests/test_order.py"} == TWO_WORKERS


def test_one_process_runs_all_of_them_and_others_are_anybodys():
    assert len({whose_turn(file) for file in TWO_WORKERS}) == 1
    assert whose_turn("tests/test_cli.py") == "tests/test_cli.py"
