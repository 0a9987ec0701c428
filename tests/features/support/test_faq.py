"""The questions that are asked most often: eight, each filed where people look for it."""

from rewards_app.features.support.faq import ENTRIES
from rewards_app.i18n import catalogues


def test_each_question_stands_under_its_category():
    english = catalogues.interface("en")
    filed = [(one.name, english[f"support.categories.{one.category}"]) for one in ENTRIES]
    assert filed == [
        ("earn", "Getting Started"),
        ("limits", "Getting Started"),
        ("credited", "Coins"),
        ("prices", "Shopping"),
        ("codes", "Shopping"),
        ("accounts", "Account"),
        ("young", "Safety"),
        ("loading", "Technical"),
    ]
