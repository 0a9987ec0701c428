"""A video ad: its scenes on one time line, the sweep between them, and its frames."""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from .canvas import Canvas, Colour
from .motion import Scene, glide, share
from .sound import Score

FRAMES_A_SECOND = 25
DESIGN = (1280, 720)
SWEEP = 0.6
CURTAIN: Colour = (12, 6, 26)
INTRO = 0.4
OUTRO = 0.35


@dataclass(frozen=True)
class Film:
    name: str
    seconds: int
    scenes: tuple[Scene, ...]
    tints: tuple[Colour, Colour]
    poster_at: float
    score: Score
    shown_at: tuple[int, int] = (854, 480)
    kilobytes: int = 392
    sound_bits: int = 28_000

    def frames(self) -> Iterator[Image.Image]:
        for index in range(self.seconds * FRAMES_A_SECOND):
            yield self.frame_at(index / FRAMES_A_SECOND)

    def frame_at(self, seconds: float) -> Image.Image:
        canvas = Canvas(*DESIGN, self.shown_at)
        scene = [scene for scene in self.scenes if scene.starts_at <= seconds][-1]
        scene.draw(canvas, seconds - scene.starts_at)
        for cut in self.scenes[1:]:
            passed = share(seconds, cut.starts_at - SWEEP / 2, cut.starts_at + SWEEP / 2)
            if 0 < passed < 1:
                self._sweep(canvas, passed)
        canvas.bloom(0.55, threshold=120)
        canvas.vignette(0.25)
        canvas.shade(1 - share(seconds, -0.1, INTRO))
        canvas.shade(share(seconds, self.seconds - OUTRO, self.seconds + 0.1))
        return canvas.finished()

    def _sweep(self, canvas: Canvas, passed: float) -> None:
        """A dark slanted panel crosses the picture; the cut happens while it covers all of it."""
        slant, rim = 260, 70
        way = canvas.width + slant + 2 * rim
        right = -rim + glide(share(passed, 0, 0.5)) * way
        left = -rim + glide(share(passed, 0.5, 1)) * way
        first, second = self.tints
        for start, end, tint in (
            (left, right, CURTAIN),
            (right - rim, right, first),
            (left - rim, left, second),
        ):
            edges = [(start, 0), (end, 0), (end - slant, 720), (start - slant, 720)]
            canvas.polygon(edges, tint)
