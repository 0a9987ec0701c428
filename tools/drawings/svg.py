"""A drawing as plain SVG, in the colours of the house: the same words make the same file."""

from dataclasses import dataclass, field
from html import escape

from rewards_app.ui.palette import DARK

FONT = "Inter, system-ui, sans-serif"
EDGE = 24


@dataclass
class Drawing:
    """What is drawn first lies below. Positions are whole pixels."""

    width: int
    height: int
    title: str
    parts: list[str] = field(default_factory=list[str])

    def box(self, x: int, y: int, width: int, height: int, *, fill: str = "panel") -> None:
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8"'
            f' fill="{DARK[fill]}" stroke="{DARK["line"]}"/>'
        )

    def band(self, x: int, y: int, width: int, height: int) -> None:
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{DARK["panel"]}"/>'
        )

    def say(
        self, x: int, y: int, words: str, *, colour: str = "text", size: int = 14, **more: str
    ) -> None:
        """`anchor` is start, middle or end; `turned` by so many degrees; `weight` as in CSS."""
        anchor = f' text-anchor="{more["anchor"]}"' if "anchor" in more else ""
        weight = f' font-weight="{more["weight"]}"' if "weight" in more else ""
        turned = f' transform="rotate({more["turned"]} {x} {y})"' if "turned" in more else ""
        self.parts.append(
            f'<text x="{x}" y="{y}" fill="{DARK[colour]}" font-size="{size}"'
            f"{anchor}{weight}{turned}>{escape(words, quote=False)}</text>"
        )

    def dot(self, x: int, y: int, *, colour: str = "cyan", radius: int = 5) -> None:
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{DARK[colour]}"/>')

    def ring(self, x: int, y: int, *, colour: str = "cyan") -> None:
        self.parts.append(
            f'<circle cx="{x}" cy="{y}" r="4" fill="none" stroke="{DARK[colour]}"'
            ' stroke-width="2"/>'
        )

    def line(self, x1: int, y1: int, x2: int, y2: int, *, colour: str = "line") -> None:
        self.parts.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{DARK[colour]}"/>'
        )

    def arrow_down(self, x: int, y1: int, y2: int) -> None:
        self.line(x, y1, x, y2 - 6, colour="edge")
        corners = f"{x - 5},{y2 - 8} {x + 5},{y2 - 8} {x},{y2}"
        self.parts.append(f'<polygon points="{corners}" fill="{DARK["edge"]}"/>')

    def written(self) -> str:
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}"'
                f' height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
                f' font-family="{FONT}" role="img" aria-labelledby="title">',
                f'<title id="title">{escape(self.title, quote=False)}</title>',
                f'<rect width="{self.width}" height="{self.height}" fill="{DARK["bg"]}"/>',
                *self.parts,
                "</svg>\n",
            ]
        )
