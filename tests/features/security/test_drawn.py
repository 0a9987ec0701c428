"""What the Danger Zone says before anything is asked."""

from rewards_app.features.security.danger import danger_section
from tests.drawn import drawn


def test_the_danger_zone_warns_that_what_it_does_cannot_be_undone():
    words = drawn(danger_section()).words
    assert words[0] == "Danger Zone"
    warned = words.index("These actions are irreversible")
    assert warned < words.index("Delete Account")
