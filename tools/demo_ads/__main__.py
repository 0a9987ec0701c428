"""Draw and encode the media of the demo advertisements into `assets/ads`.

They are committed, so this runs only when one changes. It needs packages that the app does not:

    uv venv /tmp/demo-venv && uv pip install --python /tmp/demo-venv av pillow numpy
    /tmp/demo-venv/bin/python -m tools.demo_ads            # all of them
    /tmp/demo-venv/bin/python -m tools.demo_ads drift-one  # some of them, by name

Run it in the project's folder, after the app's first start: the fonts are read from `.web`.
"""

import sys
from pathlib import Path

from . import drift_one, fjord_audio, lumen, skogens_vaktare
from .banners import BANNERS
from .files import save_film, save_picture
from .stills import PICTURES

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "ads"
FILMS = {ad.FILM.name: ad.FILM for ad in (drift_one, fjord_audio, skogens_vaktare, lumen)}


def main() -> None:
    known = [*FILMS, *PICTURES, *BANNERS]
    wanted = sys.argv[1:] or known
    if strangers := set(wanted) - set(known):
        sys.exit(f"No ad is called {', '.join(sorted(strangers))}. There are {', '.join(known)}.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        if name in FILMS:
            save_film(FILMS[name], FOLDER)
        elif name in PICTURES:
            save_picture(PICTURES[name](), FOLDER / f"{name}.webp", kilobytes=80)
        else:
            save_picture(BANNERS[name](), FOLDER / f"{name}.webp", kilobytes=60)


if __name__ == "__main__":
    main()
