"""What is written: WebM with VP9 and Opus, and WebP pictures, each within its size."""

import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy
from PIL import Image

from .film import FRAMES_A_SECOND, Film
from .sound import RATE, Sound, played

VIDEO_QUALITIES = range(24, 59)  # libvpx's crf: a lower one is better and larger
PICTURE_QUALITIES = range(92, 20, -3)
# The sound ends a little before the picture: the picture alone decides how long the ad is.
SILENT_END = 0.1
VP9 = {"deadline": "good", "cpu-used": "1", "auto-alt-ref": "1", "lag-in-frames": "25", "b": "0"}


def save_film(film: Film, folder: Path) -> None:
    """Encode at the best quality that fits the film's size, with a poster beside it."""
    frames = [_as_video(image) for image in film.frames()]
    sound = played(film.score, film.seconds - SILENT_END)
    _save_best(
        folder / f"{film.name}.webm",
        lambda quality: _webm(frames, sound, quality, film.sound_bits),
        VIDEO_QUALITIES,
        film.kilobytes,
    )
    save_picture(film.frame_at(film.poster_at), folder / f"{film.name}.webp", kilobytes=30)


def save_picture(image: Image.Image, file: Path, kilobytes: int) -> None:
    _save_best(file, lambda quality: _webp(image, quality), PICTURE_QUALITIES, kilobytes)


def _save_best(
    file: Path, encoded: Callable[[int], bytes], qualities: Sequence[int], kilobytes: int
) -> None:
    """Write the best of `qualities` (best first) that is small enough, found by halving."""
    best, worst, content, chosen = 0, len(qualities) - 1, b"", 0
    while best <= worst:
        middle = (best + worst) // 2
        attempt = encoded(qualities[middle])
        if len(attempt) <= kilobytes * 1000:
            content, chosen, worst = attempt, qualities[middle], middle - 1
        else:
            best = middle + 1
    if not content:
        raise SystemExit(f"{file.name} does not fit into {kilobytes} kB.")
    file.write_bytes(content)
    print(f"{file.name} {len(content) / 1000:.0f} kB, quality {chosen}")


def _webp(image: Image.Image, quality: int) -> bytes:
    file = io.BytesIO()
    image.save(file, "WEBP", quality=quality, method=6)
    return file.getvalue()


def _as_video(image: Image.Image) -> av.VideoFrame:
    return av.VideoFrame.from_image(image).reformat(format="yuv420p")


def _webm(frames: list[av.VideoFrame], sound: Sound, quality: int, sound_bits: int) -> bytes:
    file = io.BytesIO()
    # Room for the cues in front: a player can seek before it has the whole file.
    with av.open(file, "w", format="webm", options={"reserve_index_space": "1024"}) as container:
        picture = container.add_stream("libvpx-vp9", rate=FRAMES_A_SECOND)
        picture.width, picture.height = frames[0].width, frames[0].height
        picture.pix_fmt = "yuv420p"
        picture.options = VP9 | {"crf": str(quality), "g": str(4 * FRAMES_A_SECOND)}
        picture.codec_context.thread_count = 1
        voice = container.add_stream("libopus", rate=RATE)
        voice.layout = "stereo"
        voice.bit_rate = sound_bits
        # Its one coding mode all along: where Opus switches modes at few bits, it clicks.
        voice.options = {"application": "lowdelay"}
        for packet in _sound_packets(voice, sound):
            container.mux(packet)
        for packet in _picture_packets(picture, frames):
            container.mux(packet)
    return file.getvalue()


def _picture_packets(stream: av.VideoStream, frames: list[av.VideoFrame]) -> list[av.Packet]:
    packets: list[av.Packet] = []
    for index, frame in enumerate(frames):
        frame.pts, frame.time_base = index, Fraction(1, FRAMES_A_SECOND)
        packets += stream.encode(frame)
    packets += stream.encode(None)
    for packet in packets:
        packet.duration = round(1 / (FRAMES_A_SECOND * packet.time_base))
    return packets


def _sound_packets(stream: av.AudioStream, sound: Sound) -> list[av.Packet]:
    samples = (sound.T * 32767).astype("int16").reshape(1, -1)
    frame = av.AudioFrame.from_ndarray(numpy.ascontiguousarray(samples), "s16", "stereo")
    frame.sample_rate, frame.pts, frame.time_base = RATE, 0, Fraction(1, RATE)
    return [*stream.encode(frame), *stream.encode(None)]
