"""What stands beside a profile, and where it leads."""

import re
from typing import Any

import pytest
import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.profile.side import _bought, _watched
from rewards_app.features.profile.state import ProfileState
from tests.drawn import Part, drawn, the_page

OWN: Any = ProfileState.profile
SHOWN_GAMES: Any = ProfileState.shown_games
FIGURE = re.compile(r'profile_rx_state_\?\.\["(\w+)"\]|\.(rank)_rx_state_')


def beside(title: str) -> Part:
    """The panel of that title, of a profile that has come."""
    page = drawn(the_page("/profile", Role.PLAYER).view(), {OWN: True})
    return page.panel(title)


def figures(title: str) -> dict[str, set[str]]:
    """By its label, each figure's name in the profile."""
    panel = beside(title)
    labels = [label.words[0] for label in panel.named("dt")]
    texts = [" ".join(part.text for part in value) for value in panel.named("dd")]
    found = [{one or rank for one, rank in FIGURE.findall(text)} for text in texts]
    return dict(zip(labels, found, strict=True))


def test_the_settings_lead_to_mails_and_to_ones_data():
    assert beside("Settings").links == [
        ("Notifications", "/settings"),
        ("Privacy and your data", "/gdpr"),
    ]


def test_each_of_your_stats_stands_under_its_label():
    assert figures("Your Stats") == {
        "Ads watched": {"ads"},
        "Rank": {"rank"},
        "Streak": {"streak"},
        "Achievements": {"unlocked"},
    }


def test_each_of_the_quick_stats_stands_under_its_label():
    assert figures("Quick Stats") == {
        "Total earned": {"earned"},
        "Total spent": {"spent"},
        "Held for open orders": {"held"},
        "Expired": {"expired"},
        "Current balance": {"balance"},
        "Best streak": {"best_streak"},
    }


ROW: Any = rx.Var("row").to(dict[str, Any])


def in_coins(part: Part) -> bool:
    return any(words.startswith('t("ui.coins"') for words in part.words)


@pytest.mark.parametrize("line", [_watched, _bought])
def test_what_an_ad_paid_and_a_purchase_cost_is_said_in_coins(line: Any):
    shown = drawn(line(ROW), {ROW["coins"].to(int) != 0: True})
    unit = [one for one in shown.named("span") if in_coins(one)][-1]
    assert "sr-only" not in unit.props["className"]


@pytest.mark.parametrize("line", [_watched, _bought])
def test_what_paid_and_cost_nothing_has_no_amount(line: Any):
    assert not in_coins(drawn(line(ROW), {ROW["coins"].to(int) != 0: False}))


def test_games_that_could_not_be_loaded_leave_a_way_to_try_again_and_to_add_one():
    answers = {
        OWN: True,
        ProfileState.has_games: False,
        ProfileState.has_failed_games: True,
        (SHOWN_GAMES.length() > 0) | ProfileState.has_failed_games: True,
    }
    panel = drawn(the_page("/profile", Role.PLAYER).view(), answers).panel("Gaming Profile")
    assert {"Error loading games", "Try again"} <= set(panel.words)
    assert ("Add New Game", "/add-game") in panel.links
