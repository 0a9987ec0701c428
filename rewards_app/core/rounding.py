"""Whole numbers that people read: a half is rounded upwards, and not to the even neighbour.

Pure.
"""


def half_up(numerator: int, denominator: int) -> int:
    """The quotient rounded to the nearest whole number, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)


def average(amount: int, parts: int) -> int:
    """Nothing where there are no parts."""
    return half_up(amount, parts) if parts else 0
