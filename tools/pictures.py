"""Draws the pictures that other programs show of the app: its icons, and the preview of a link.

`.venv/bin/python tools/pictures.py` writes them into assets/; the fonts come with the last build.
They are committed, and drawn again only when the mark or the tagline changes.
"""

from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from rewards_app.build import PROJECT, web_folder
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK, PAINT
from tests.browser.chromium import CHROMIUMS, FLAGS

ASSETS = PROJECT / "assets"
MARK = (ASSETS / "favicon.svg").read_text()
PREVIEW = (1200, 630)
ICONS = {"icon-192": 192, "icon-512": 512}
CUT_BY_SYSTEMS = {"maskable-512": 512, "apple-touch-icon": 180}
"""Into any shape: what matters lies within four fifths, and the ground reaches every corner."""


def _fonts() -> str:
    folder = web_folder() / "node_modules" / "@fontsource-variable"
    files = {"Exo": "exo-2/files/exo-2", "Inter": "inter/files/inter"}
    return "".join(
        f'@font-face{{font-family:{name};font-weight:100 900;src:url("file://'
        f'{folder / file}-latin-wght-normal.woff2")}}'
        for name, file in files.items()
    )


def _preview() -> str:
    keys = ("watch_title", "compete_title", "shop_title")
    return Template(Path(__file__).with_name("preview.html").read_text()).substitute(
        fonts=_fonts(),
        mark=MARK,
        first=_said("tagline_first"),
        second=_said("tagline_second"),
        steps=" · ".join(_said(key) for key in keys),
        ground=DARK["bg"],
        text=DARK["text"],
        quiet=DARK["quiet"],
        purple=PAINT["mark-purple"],
        cyan=DARK["cyan"],
        **{name: PAINT[f"coin-{name}"] for name in ("light", "face", "dark", "rim")},
    )


def _said(key: str) -> str:
    return words(f"landing.{key}", "en")


def _icon(mark: str) -> str:
    return f"<style>body {{ margin: 0; }} svg {{ display: block; }}</style>{mark}"


def draw(browser: Browser, folder: Path, name: str, html: str, size: tuple[int, int]) -> None:
    source = folder / "picture.html"
    source.write_text(html)
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"file://{source}")
    page.evaluate("document.fonts.ready")
    (ASSETS / name).parent.mkdir(exist_ok=True)
    page.screenshot(path=ASSETS / name, omit_background=True)
    page.close()


def main() -> None:
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        program = next((path for path in CHROMIUMS if path.exists()), None)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        draw(browser, Path(folder), "preview.png", _preview(), PREVIEW)
        square = MARK.replace('rx="8"', "")
        icons = [(MARK, ICONS), (square, CUT_BY_SYSTEMS)]
        for mark, sizes in icons:
            for name, size in sizes.items():
                draw(browser, Path(folder), f"icons/{name}.png", _icon(mark), (size, size))
        browser.close()


if __name__ == "__main__":
    main()
