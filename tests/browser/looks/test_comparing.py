"""What the comparison of two pictures catches, and what it takes for the same."""

import io
from functools import cache

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from rewards_app.build import PROJECT
from tests.browser.looks.comparing import differences, shown
from tests.browser.looks.keeping import SAVED_AS

LETTERS = PROJECT / "rewards_app" / "paper" / "fonts" / "Inter-Regular.ttf"
GROUND, PANEL, RAISED, TEXT, QUIET = "#0B0618", "#150C2B", "#1E1240", "#F4F0FF", "#B3A6D6"
PURPLE, GOOD = "#8B5CF6", "#34D399"
LIGHT_GROUND, LIGHT_PANEL = "#F8F6FF", "#FFFFFF"


@cache
def letters(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(LETTERS, size)


def a_page(
    *,
    ground: str = GROUND,
    panel: str = PANEL,
    panel_height: int = 300,
    button: str = PURPLE,
    button_at: tuple[int, int] = (60, 220),
    words: str = "Watch ads",
    text: str = "Usually 15 coins for half a minute",
    text_at: tuple[int, int] = (60, 140),
    badge: bool = True,
) -> Image.Image:
    """As our pages are: a panel on a ground, a heading, a line of text, a button, a badge."""
    page = Image.new("RGB", (600, 800), ground)
    draw = ImageDraw.Draw(page)
    draw.rounded_rectangle((40, 60, 560, 60 + panel_height), 12, panel)
    draw.text((60, 80), "Your Stats Today", TEXT, letters(22))
    draw.text(text_at, text, QUIET, letters(15))
    x, y = button_at
    draw.rounded_rectangle((x, y, x + 200, y + 44), 8, button)
    draw.text((x + 60, y + 12), words, TEXT, letters(15))
    if badge:
        draw.ellipse((520, 80, 540, 100), GOOD)
    return page


def kept(page: Image.Image) -> Image.Image:
    """As a reviewed picture comes back from its file."""
    file = io.BytesIO()
    page.save(file, **SAVED_AS)
    return Image.open(file).convert("RGB")


class TestCaught:
    @pytest.mark.parametrize(
        "changed",
        [
            a_page(button_at=(66, 220)),
            a_page(button_at=(60, 226)),
            a_page(button=GOOD),
            a_page(button="#7C3AED"),
            a_page(text=""),
            a_page(text="Usually 480 coins for half a minute"),
            a_page(text="Usually 15 coins for half a second"),
            a_page(words="Watch all"),
            a_page(badge=False),
            a_page(text_at=(60, 146)),
            a_page(text_at=(60, 90)),
            a_page(panel=RAISED),
            a_page(panel=GROUND),
            a_page(panel_height=312),
        ],
        ids=[
            *("a button moved aside", "a button moved down", "another colour", "another purple"),
            *("a text is missing", "another figure", "another word", "another label"),
            *("a badge is missing", "a line moved", "a text over another one"),
            *("a panel in the next tone", "no panel", "a taller panel"),
        ],
    )
    def test_is_each_of_these(self, changed: Image.Image):
        assert differences(kept(a_page()), changed)

    def test_is_a_panel_that_is_not_there_in_the_light(self):
        page = a_page(ground=LIGHT_GROUND, panel=LIGHT_PANEL)
        assert differences(kept(page), a_page(ground=LIGHT_GROUND, panel=LIGHT_GROUND))

    def test_is_a_page_of_another_height(self):
        page = a_page()
        assert differences(page, page.crop((0, 0, 600, 780))) == ["is 600 x 780 and was 600 x 800"]

    def test_is_told_with_its_place(self):
        (told,) = differences(a_page(), a_page(badge=False))
        x, y = (int(part) for part in told.removeprefix("differs around ").split(", "))
        assert abs(x - 530) < 30
        assert abs(y - 90) < 30


class TestTheSame:
    @pytest.mark.parametrize(
        "same",
        [
            a_page(),
            a_page().filter(ImageFilter.GaussianBlur(0.5)),
            a_page(text_at=(61, 140)),
            a_page(text_at=(60, 141)),
            a_page(button_at=(61, 221)),
            ImageChops.offset(a_page(), 1, 1),
            a_page().point([min(255, value + 2) for value in range(256)] * 3),
        ],
        ids=[
            *("the same", "smoother letters", "a line a pixel aside", "a line a pixel down"),
            *("a button a pixel aside", "all a pixel aside", "hardly brighter"),
        ],
    )
    def test_is_each_of_these(self, same: Image.Image):
        assert differences(kept(a_page()), same) == []


def test_shows_what_was_what_is_and_where_they_differ():
    beside = shown(a_page(), a_page(badge=False))
    assert beside.size == (3 * 600 + 40, 800)
    assert beside.getpixel((530, 90)) == beside.getpixel((530, 85))
    where = beside.crop((1240, 0, 1840, 800))
    assert where.getpixel((530, 90)) == (255, 40, 80)
    assert where.getpixel((300, 700)) != (255, 40, 80)
