"""What the board shows beside the topics and on each of them."""

import re
from typing import Any

import pytest
import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.forum.board_card import card
from rewards_app.features.forum.board_state import BoardState
from rewards_app.i18n import catalogues
from tests.drawn import drawn, the_page

FIGURE = re.compile(r'figures_rx_state_\?\.\["(\w+)"\]')
FIGURES: Any = BoardState.figures
POST: Any = rx.Var("post").to(dict[str, Any])


def test_the_categories_stand_in_the_order_of_the_specification():
    [categories] = drawn(the_page("/forum", Role.PLAYER).view()).named("nav")
    assert [words for words, _ in categories.links] == [
        "All Topics",
        "Fortnite",
        "Roblox",
        "Minecraft",
        "Apex Legends",
        "General Gaming",
    ]


@pytest.mark.parametrize("is_hot", [True, False])
def test_a_hot_topic_alone_is_marked_as_hot(is_hot: bool):
    shown = drawn(card(POST), {POST["is_hot"]: is_hot})
    assert ("HOT" in shown.words) is is_hot


def test_what_calls_somebody_stands_beside_their_name():
    shown = drawn(card(POST), {POST["handle"].to(str) != "": True}).words
    sign = shown.index('"@"')
    assert '["author"]' in shown[sign - 1]
    assert '["handle"]' in shown[sign + 1]


@pytest.mark.parametrize("has_handle", [True, False])
def test_who_has_no_handle_is_called_nothing(has_handle: bool):
    shown = drawn(card(POST), {POST["handle"].to(str) != "": has_handle})
    assert ('"@"' in shown.words) is has_handle


def test_each_figure_of_the_forum_stands_under_its_label():
    page = drawn(the_page("/forum", Role.PLAYER).view(), {FIGURES: True})
    [figures] = [one for one in page.named("dl") if "Online now" in one.words]
    labels = [label.words[0] for label in figures.named("dt")]
    values = [" ".join(part.text for part in value) for value in figures.named("dd")]
    found = [set(FIGURE.findall(value)) for value in values]
    assert dict(zip(labels, found, strict=True)) == {
        "Posts": {"posts"},
        "Writers": {"writers"},
        "Online now": {"online"},
        "AI Moderated": {"moderated"},
    }
    assert "24/7" in values[-1]


def test_online_now_says_that_texts_are_counted_not_people():
    page = drawn(the_page("/forum", Role.PLAYER).view(), {FIGURES: True})
    [figures] = [one for one in page.named("dl") if "Online now" in one.words]
    assert figures.named("dd")[2].words[-1].startswith('t("forum.stats.counted"')
    assert catalogues.interface("en")["forum.stats.counted_other"].startswith("Posts and replies")
