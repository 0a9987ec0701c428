"""What tests of states share: a tab."""

from typing import Any

import pytest

from tests.states import a_page


@pytest.fixture
def page() -> Any:
    return a_page()
