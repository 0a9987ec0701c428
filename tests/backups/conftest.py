"""What the tests of backups share: a blank server that theirs are copies of."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backups.point_in_time import Machine, a_blank


@pytest.fixture(scope="session")
def blank() -> Iterator[Path]:
    machine = Machine()
    yield a_blank(machine)
    machine.remove()
