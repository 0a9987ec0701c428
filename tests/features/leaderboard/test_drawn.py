"""Which figure stands under which label, in the tiles and in the columns."""

import re
from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.leaderboard.pages import _tiles
from rewards_app.features.leaderboard.rankings import COLUMNS, _row
from tests.drawn import Part, drawn, the_page

FIGURE = re.compile(r'figures_rx_state_\?\.\["(\w+)"\]')
HELD = re.compile(r'row_rx_state_\?\.\["(\w+)"\]')
ROW: Any = rx.Var("row_rx_state_").to(dict[str, Any])


def text_of(part: Part) -> str:
    return " ".join(one.text for one in part)


def test_each_tile_has_its_figure():
    tiles = drawn(_tiles())
    labels = [label.named("span")[-1] for label in tiles.named("dt")]
    values = [set(FIGURE.findall(text_of(value))) for value in tiles.named("dd")]
    assert values == [{"players"}, {"ads"}, {"average"}]
    active, ads, average = labels
    assert 't("leaderboard.active_week")' in active.words[0]
    assert (ads.words, average.words) == (["Total ads watched"], ["Average per user"])


def test_each_column_has_its_figure():
    page = drawn(the_page("/leaderboard", Role.PLAYER).view())
    [table] = page.named("table")
    heads = [head.words[0] for head in table.named("th")]
    cells = [text_of(cell) for cell in drawn(_row(ROW)).named("td")]
    assert len(heads) == len(cells) == len(COLUMNS)
    found = {head: set(HELD.findall(cell)) for head, cell in zip(heads, cells, strict=True)}
    assert found["Rank"] == {"rank"}
    assert "name" in found["Player"]
    assert found["Level"] == {"level"}
    assert found["Streak"] == {"streak"}
    assert found["Ads"] == {"ads"}
    # On a phone there is no column for ads: they stand below the coins.
    assert found["Coins"] == {"coins", "ads"}
