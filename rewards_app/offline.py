"""What the builder adds for lost connections: the page that says so, and the name of the build.

The page is one file in all languages: nothing else can be fetched when it is needed.
"""

import hashlib
import re
from html import escape
from pathlib import Path
from string import Template

from rewards_app.documents import OFFLINE_DOCUMENT, write
from rewards_app.i18n.languages import CODES, DEFAULT
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK, LIGHT

TEMPLATE = Path(__file__).with_suffix(".html")
WORKER = "sw.js"
BUILT = "assets"
KEPT = (OFFLINE_DOCUMENT, "offline.js", "favicon.svg")
"""What the worker fetches before it is needed, under names that stay."""
NAME = re.compile(r'^const BUILD = "\w*";$', re.MULTILINE)
COLOURS = ("bg", "panel", "line", "text", "quiet", "purple-strong", "on-purple", "cyan")


def finish(folder: Path) -> None:
    """Done once after each build; twice is as good."""
    write(folder / OFFLINE_DOCUMENT, document())
    worker = folder / WORKER
    named = NAME.sub(f'const BUILD = "{name_of_build(folder)}";', worker.read_text(), count=1)
    write(worker, named)


def name_of_build(folder: Path) -> str:
    """Another one as soon as any file of it is another one: their names have hashes of them."""
    files = sorted(file.name for file in (folder / BUILT).iterdir())
    kept = [(folder / name).read_text() for name in KEPT]
    return hashlib.sha256("\n".join([*files, *kept]).encode()).hexdigest()[:16]


def document() -> str:
    return Template(TEMPLATE.read_text("utf-8")).substitute(
        language=DEFAULT,
        title=escape(words("offline.title", DEFAULT)),
        dark=_variables(DARK),
        light=_variables(LIGHT),
        words="\n".join(_said_in(code) for code in CODES),
    )


def _said_in(code: str) -> str:
    title, text, hint, button = (
        escape(words(f"offline.{name}", code)) for name in ("title", "text", "hint", "again")
    )
    hidden = "" if code == DEFAULT else " hidden"
    return (
        f'<main lang="{code}"{hidden}><img src="/favicon.svg" alt=""><h1>{title}</h1>'
        f'<p>{text}</p><p>{hint}</p><button type="button">{button}</button></main>'
    )


def _variables(theme: dict[str, str]) -> str:
    return " ".join(f"--{name}: {theme[name]};" for name in COLOURS)
