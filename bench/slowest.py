"""How long all but one in a hundred wait, with something going on against without, in turns."""

from collections.abc import Sequence
from statistics import median, quantiles

from bench.report import Row

LEAST_BELIEVED = 0.7
"""Nobody waits less because something goes on: below it the quiet rounds were no quiet ones."""

Rounds = Sequence[Sequence[float]]
"""Of each round: what each event took, in seconds."""


def row(name: str, loaded: Rounds, calm: Rounds, *, goal: float, told: str) -> Row:
    ratio = p99(loaded) / p99(calm)
    return Row(
        name,
        ratio,
        "x",
        goal,
        f"{p99(loaded) * 1e3:.1f} ms / {p99(calm) * 1e3:.1f} ms, medians of {len(loaded)} rounds"
        f" each, in turns; {told}",
        is_disturbed=ratio < LEAST_BELIEVED,
    )


def p99(rounds: Rounds) -> float:
    """Of the rounds' the one in the middle: something else on the machine spoils one of them."""
    return median(quantiles(waits, n=100)[98] for waits in rounds)
