"""How things move: spans of time, easings and deterministic scatter."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy

from .canvas import Canvas


@dataclass(frozen=True)
class Scene:
    """One beat of a story: `draw` gets the canvas and the seconds since the beat began."""

    starts_at: float
    draw: Callable[[Canvas, float], None]


def share(seconds: float, start: float, end: float) -> float:
    """How much of the span from `start` to `end` has passed, from 0 to 1."""
    return min(1.0, max(0.0, (seconds - start) / (end - start)))


def slow_down(passed: float) -> float:
    return 1 - (1 - passed) ** 3


def glide(passed: float) -> float:
    return passed * passed * (3 - 2 * passed)


def spring(passed: float) -> float:
    """Overshoot a little, then settle on 1."""
    return 1 + 2.4 * (passed - 1) ** 3 + 1.4 * (passed - 1) ** 2


def wave(seconds: float, period: float, phase: float = 0) -> float:
    """A slow swing between 0 and 1."""
    return 0.5 + 0.5 * math.sin(2 * math.pi * (seconds / period + phase))


@lru_cache(maxsize=256)
def scatter(seed: int, count: int, columns: int = 4) -> tuple[tuple[float, ...], ...]:
    """The same `count` rows of numbers from 0 to 1 for the same seed, always."""
    return tuple(map(tuple, numpy.random.default_rng(seed).random((count, columns)).tolist()))
