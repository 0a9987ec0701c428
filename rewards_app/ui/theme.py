"""Every size, font and corner of the product, and the stylesheet of them and its colours."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reflex_base.plugins.base import Plugin

from rewards_app.ui.palette import DARK, FACE_WASH, LIGHT, PAINT, WASH

FONT_SIZES = {
    "sm": "13px",
    "base": "15px",
    "lg": "18px",
    "xl": "22px",
    "2xl": "28px",
    "3xl": "40px",
}
FONTS = {
    "sans": '"Inter Variable", "Inter Fallback", system-ui, sans-serif',
    "display": '"Exo 2 Variable", "Inter Variable", "Inter Fallback", system-ui, sans-serif',
    "mono": 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace',
}
# The scripts our eight languages are written in; a browser fetches what a page uses.
SUBSETS = {
    "latin": (
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,"
        "U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"
    ),
    "latin-ext": (
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1E00-1E9F,U+1EF2-1EFF,"
        "U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF"
    ),
    "cyrillic": "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
}
FONT_PACKAGES = {
    "Inter Variable": "@fontsource-variable/inter",
    "Exo 2 Variable": "@fontsource-variable/exo-2",
}
# Arial with Inter's measures: the page does not move when Inter arrives.
FALLBACK_FONT = (
    '@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans");'
    "size-adjust:107.12%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%}"
)
CORNERS = {"panel": "12px", "control": "8px"}


def tailwind_config() -> dict[str, Any]:
    """Tailwind's names for the tokens; each colour is a variable that the theme switches."""
    return {
        "darkMode": "class",
        "theme": {
            "extend": {
                "colors": {name: f"var(--{name})" for name in DARK},
                "fontSize": FONT_SIZES,
                "fontFamily": FONTS,
                "borderRadius": CORNERS,
                "maxWidth": {"page": "1200px", "frame": "1440px"},
            }
        },
    }


def theme_css() -> str:
    """The tokens as CSS variables, and what every element inherits from them."""
    return "\n".join(
        [
            *_font_faces(),
            FALLBACK_FONT,
            _block(":root", PAINT),
            _block(":root, .dark", DARK | _washes("dark"), "dark"),
            _block(".light", LIGHT | _washes("light"), "light"),
            *(sheet.read_text() for sheet in sorted(Path(__file__).parent.glob("*.css"))),
        ]
    )


def _font_faces() -> Iterator[str]:
    for family, package in FONT_PACKAGES.items():
        name = package.rpartition("/")[2]
        for subset, characters in SUBSETS.items():
            yield (
                f'@font-face{{font-family:"{family}";font-weight:100 900;font-display:swap;'
                f'src:url("{package}/files/{name}-{subset}-wght-normal.woff2") format("woff2");'
                f"unicode-range:{characters}}}"
            )


def _washes(scheme: str) -> dict[str, str]:
    purple, cyan = WASH[scheme]
    face = f"{FACE_WASH[scheme]}%"
    return {"wash-purple": purple, "wash-cyan": cyan, "wash-face": face}


def _block(selector: str, tokens: dict[str, str], scheme: str | None = None) -> str:
    values = "".join(f"--{name}:{value};" for name, value in tokens.items())
    return f"{selector}{{{f'color-scheme:{scheme};' if scheme else ''}{values}}}"


class ThemePlugin(Plugin):
    """Writes the tokens into the build as a stylesheet."""

    SHEET = "theme.css"

    def get_frontend_dependencies(self, **context: Any) -> list[str]:
        return list(FONT_PACKAGES.values())

    def get_static_assets(self, **context: Any) -> Sequence[tuple[Path, str | bytes]]:
        return [(Path("styles") / self.SHEET, theme_css())]

    def get_stylesheet_paths(self, **context: Any) -> Sequence[str]:
        return [self.SHEET]
