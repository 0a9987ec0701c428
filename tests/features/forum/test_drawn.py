"""What the board shows beside the topics and on each of them."""

from typing import Any

import pytest
import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.forum.board_card import card
from tests.drawn import drawn, the_page

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
