"""What the tests of the core stand on, besides what all do."""

from collections.abc import Iterator

import pytest

from tests.serving import Redis


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    """Each file's own: it is stopped and emptied here, and who listens to it is counted."""
    server = Redis()
    yield server
    server.stop()
