"""What pages say to whose session ended while they were open, until they are led away."""

import pytest

from rewards_app.rewards_app import app


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("watch", "watch.login_needed"),
        ("shop", "shop.login_needed"),
        ("add-game", "games.login_needed_text"),
    ],
)
def test_a_page_of_players_says_that_logging_in_is_needed(page: str, text: str):
    shown = str(app._unevaluated_pages[page].component().render())
    assert "ui.login_needed" in shown
    assert text in shown
