"""Drawing a receipt or an invoice: the sign of the house, who bought what from whom, the sum."""

from collections.abc import Sequence
from functools import partial
from typing import cast

from fpdf import FPDF
from fpdf.enums import Align, MethodReturnValue, RenderStyle
from fpdf.pattern import LinearGradient

from rewards_app.paper.content import Fact, Mark, Paper, Row, Tone
from rewards_app.paper.letters import INTER, drawable
from rewards_app.ui.palette import LIGHT, PAINT

# In millimetres.
WIDTH, HEIGHT, MARGIN = 210.0, 297.0, 22.0
INNER = WIDTH - 2 * MARGIN
RIGHT = WIDTH - MARGIN
PADDING = 6.0
AMOUNT_WIDTH = 60.0
LINE_HEIGHT = 1.45
POINT = 25.4 / 72


def drawn(paper: Paper) -> bytes:
    page = _Page(paper)
    y = page.draw_head(paper)
    y = page.draw_marks(paper.marks, y)
    y = page.draw_facts(paper.facts, y)
    y = page.draw_rows(paper, y)
    y = page.draw_total(paper.total, y)
    page.draw_after(paper.after, y)
    page.draw_foot(paper.foot)
    return bytes(page.output())


class _Page(FPDF):
    """A4 with our fonts. A part takes the height at which it starts and returns where it ends."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(format="A4")
        self.set_auto_page_break(False)
        # It stands for the number of pages, also in the middle of a name.
        self.str_alias_nb_pages = None
        self.set_title(drawable(paper.subject))
        self.set_author(paper.seller)
        self.set_creator(paper.seller)
        self.set_lang(paper.language)
        self.set_creation_date(paper.made_at)
        for style, file in INTER.items():
            self.add_font("Inter", style, file)
        self.add_page()
        self.set_margin(0)
        self.c_margin = 0

    def write_text(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        *,
        size: float = 10,
        is_bold: bool = False,
        align: Align = Align.L,
        tone: str = Tone.TEXT,
        most_lines: int = 3,
    ) -> float:
        """The lines that `text` needs in `width`; a word that is too long is parted."""
        shown = drawable(text)
        if not shown:
            return y
        self.set_font("Inter", "B" if is_bold else "", size)
        self.set_text_color(LIGHT[tone])
        line = size * POINT * LINE_HEIGHT
        lines = self.parted(shown, width)
        for number, words in enumerate(lines[:most_lines]):
            is_cut = number == most_lines - 1 and len(lines) > most_lines
            self.set_xy(x, y + number * line)
            self.cell(width, line, f"{words[:-1]}…" if is_cut else words, align=align)
        return y + line * min(len(lines), most_lines)

    def parted(self, text: str, width: float) -> list[str]:
        lines = self.multi_cell(width, text=text, dry_run=True, output=MethodReturnValue.LINES)
        return cast(list[str], lines)

    def draw_head(self, paper: Paper) -> float:
        with self.use_pattern(_house_colours(0, 0, WIDTH, 0)):
            self.rect(0, 0, WIDTH, 4, RenderStyle.F)
        top = 22.0
        self.draw_sign(MARGIN, top, 12)
        self.write_text(paper.seller, MARGIN + 16, top + 1.2, 60, size=18, is_bold=True)
        self.write_text(
            paper.title, MARGIN + 70, top + 0.9, INNER - 70, size=20, is_bold=True, align=Align.R
        )
        return top + 26

    def draw_sign(self, x: float, y: float, size: float) -> None:
        """The sign of the house: a coin that plays."""
        middle_x, middle_y, radius = x + size / 2, y + size / 2, size * 0.29
        with self.use_pattern(_house_colours(x, y + size, x + size, y)):
            self.rect(x, y, size, size, RenderStyle.F, round_corners=True, corner_radius=size / 4)
        self.set_fill_color(PAINT["coin-face"])
        self.circle(middle_x, middle_y, radius, RenderStyle.F)
        self.set_fill_color(LIGHT["text"])
        left, right, half = middle_x - radius * 0.3, middle_x + radius * 0.5, radius * 0.48
        tips = [(left, middle_y - half), (left, middle_y + half), (right, middle_y)]
        self.polygon(tips, style=RenderStyle.F)

    def draw_marks(self, marks: Sequence[Mark], y: float) -> float:
        for mark in marks:
            self.set_font("Inter", "B", 9)
            width = self.get_string_width(drawable(mark.name)) + 8
            self.set_draw_color(LIGHT["purple"])
            self.set_line_width(0.4)
            self.rect(MARGIN, y, width, 7, RenderStyle.D, round_corners=True, corner_radius=3.4)
            self.write_text(
                mark.name, MARGIN + 4, y + 1.2, width, size=9, is_bold=True, tone="purple"
            )
            beside = MARGIN + width + 4
            end = self.write_text(
                mark.meaning, beside, y + 1.2, RIGHT - beside, size=9, tone=Tone.QUIET
            )
            y = max(y + 7, end) + 3
        return y + 6 if marks else y

    def draw_facts(self, facts: Sequence[Fact], y: float) -> float:
        """Two beside each other, each pair below the longer one of the pair before."""
        gap = 10.0
        width = (INNER - gap) / 2
        for pair in zip(facts[::2], facts[1::2], strict=True):
            ends = [
                self.draw_fact(fact, MARGIN + column * (width + gap), y, width)
                for column, fact in enumerate(pair)
            ]
            y = max(ends) + 6
        return y + 6

    def draw_fact(self, fact: Fact, x: float, y: float, width: float) -> float:
        y = self.write_text(fact.label, x, y, width, size=8.5, tone=Tone.QUIET) + 0.6
        y = self.write_text(fact.value, x, y, width, size=11, is_bold=True)
        return self.write_text(fact.more, x, y, width, tone=Tone.QUIET, most_lines=6)

    def draw_rows(self, paper: Paper, y: float) -> float:
        item, price = paper.head
        y = self.draw_row(Row(item, price, tone=Tone.QUIET), y, size=8.5) + 2
        self.draw_line(y, "edge")
        for row in paper.rows:
            y = self.draw_row(row, y + 4.5, size=11) + 4.5
            self.draw_line(y, "line")
        return y

    def draw_row(self, row: Row, y: float, *, size: float, is_bold: bool = False) -> float:
        left, right = MARGIN + PADDING, RIGHT - PADDING - AMOUNT_WIDTH
        width = right - left - 4
        write = partial(self.write_text, size=size, is_bold=is_bold, tone=row.tone)
        end = write(row.label, left, y, width)
        write(row.amount, right, y, AMOUNT_WIDTH, align=Align.R)
        return self.write_text(row.more, left, end, width, size=9, tone=Tone.QUIET, most_lines=2)

    def draw_total(self, total: Row, y: float) -> float:
        y += 5
        self.set_fill_color(LIGHT["raised"])
        self.rect(MARGIN, y, INNER, 17, RenderStyle.F, round_corners=True, corner_radius=3)
        self.draw_row(total, y + 4.6, size=15, is_bold=True)
        return y + 17

    def draw_after(self, rows: Sequence[Row], y: float) -> None:
        y += 5
        for row in rows:
            y = self.draw_row(row, y, size=10) + 2.5

    def draw_line(self, y: float, colour: str) -> None:
        self.set_draw_color(LIGHT[colour])
        self.set_line_width(0.25)
        self.line(MARGIN, y, RIGHT, y)

    def draw_foot(self, foot: str) -> None:
        self.draw_line(HEIGHT - 28, "line")
        self.write_text(foot, MARGIN, HEIGHT - 23, INNER, size=9, align=Align.C, tone=Tone.QUIET)


def _house_colours(x: float, y: float, to_x: float, to_y: float) -> LinearGradient:
    """From purple to cyan, as the sign is painted."""
    colours = [PAINT["mark-purple"], LIGHT["purple"], PAINT["mark-cyan"]]
    return LinearGradient(x, y, to_x, to_y, colors=colours, bounds=[0.55])
