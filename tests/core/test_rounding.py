"""Halves are rounded upwards, as people do."""

import pytest

from rewards_app.core.rounding import average


@pytest.mark.parametrize(
    ("amount", "parts", "shown"), [(0, 0, 0), (1, 2, 1), (5, 2, 3), (4, 3, 1), (5, 3, 2), (9, 1, 9)]
)
def test_an_average_is_rounded_half_upwards(amount: int, parts: int, shown: int):
    assert average(amount, parts) == shown
