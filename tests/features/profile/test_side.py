"""What stands beside a profile, and where it leads."""

import re
from typing import Any

from rewards_app.core.actor import Role
from rewards_app.features.profile.state import ProfileState
from tests.drawn import Part, drawn, the_page

OWN: Any = ProfileState.profile
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
