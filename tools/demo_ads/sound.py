"""A small generated soundtrack: a soft pad, plucked notes and a pulse, as 48 kHz stereo."""

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

RATE = 48_000
Sound = NDArray[numpy.float64]


@dataclass(frozen=True)
class Score:
    """Chords in half tones above `root` (in hertz), one a bar; the pattern picks their notes."""

    root: float
    beats_a_minute: float
    chords: tuple[tuple[int, ...], ...]
    pattern: tuple[int | None, ...]
    drum: float = 0.0
    hiss: float = 0.0
    brightness: float = 3.0


def played(score: Score, seconds: float) -> Sound:
    """The score for that long, faded in and out: two rows, from -1 to 1."""
    left, right = numpy.zeros(round(seconds * RATE)), numpy.zeros(round(seconds * RATE))
    beat = 60 / score.beats_a_minute
    bars = int(seconds / (4 * beat)) + 1
    for bar in range(bars):
        chord = score.chords[bar % len(score.chords)]
        for voice, tone in enumerate(chord):
            pad = _pad(score.root * 2 ** (tone / 12), 4 * beat + 0.6)
            _add(left, pad * (0.09 + 0.02 * (voice % 2)), bar * 4 * beat)
            _add(right, pad * (0.11 - 0.02 * (voice % 2)), bar * 4 * beat)
        step = 4 * beat / len(score.pattern)
        for index, degree in enumerate(score.pattern):
            if degree is not None:
                octave, note = divmod(degree, len(chord))
                pitch = score.root * 2 ** (chord[note] / 12 + 1 + octave)
                pluck = _pluck(pitch, score.brightness)
                swing = 0.5 + 0.35 * numpy.sin(index * 1.7)
                _add(left, pluck * 0.2 * (1 - swing), bar * 4 * beat + index * step)
                _add(right, pluck * 0.2 * swing, bar * 4 * beat + index * step)
        for quarter in range(4):
            start = (bar * 4 + quarter) * beat
            _add(left, _kick() * score.drum, start)
            _add(right, _kick() * score.drum, start)
            _add(left, _hat() * score.hiss, start + beat / 2)
            _add(right, _hat() * score.hiss * 0.8, start + beat / 2)
    return _mastered(numpy.stack([left, right]))


def _add(track: Sound, sound: Sound, start: float) -> None:
    first = round(start * RATE)
    end = min(len(track), first + len(sound))
    if first < end:
        track[first:end] += sound[: end - first]


def _pad(pitch: float, seconds: float) -> Sound:
    time = numpy.arange(round(seconds * RATE)) / RATE
    swell = numpy.minimum(1, time / 0.5) * numpy.minimum(1, (seconds - time) / 0.6)
    voices = [numpy.sin(2 * numpy.pi * pitch * detune * time) for detune in (0.997, 1, 1.004)]
    return swell * (sum(voices) + 0.25 * numpy.sin(4 * numpy.pi * pitch * time)) / 3


def _pluck(pitch: float, brightness: float) -> Sound:
    time = numpy.arange(round(0.7 * RATE)) / RATE
    phase = 2 * numpy.pi * pitch * time
    tone = numpy.sin(phase + brightness * numpy.exp(-time * 14) * numpy.sin(2 * phase))
    return tone * numpy.exp(-time * 6) * numpy.minimum(1, time / 0.004)


def _kick() -> Sound:
    time = numpy.arange(round(0.28 * RATE)) / RATE
    return numpy.sin(2 * numpy.pi * (46 * time + 3.2 * (1 - numpy.exp(-time * 32)))) * numpy.exp(
        -time * 13
    )


def _hat() -> Sound:
    time = numpy.arange(round(0.06 * RATE)) / RATE
    noise = numpy.random.default_rng(7).standard_normal(len(time))
    return numpy.diff(noise, prepend=0) * numpy.exp(-time * 70) * 0.3


def _mastered(track: Sound) -> Sound:
    length = track.shape[1]
    fade = numpy.minimum(1, numpy.arange(length) / (0.3 * RATE))
    fade *= numpy.minimum(1, numpy.arange(length)[::-1] / (1.2 * RATE))
    soft = numpy.tanh(track * 1.1) * fade
    return soft * 0.7 / max(0.1, float(numpy.abs(soft).max()))
