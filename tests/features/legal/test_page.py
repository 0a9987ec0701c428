"""Where the legal pages lead, below all their sections."""

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from tests.drawn import drawn, the_page

BY_FORM, BY_MAIL = "/support", f"mailto:{settings().support_email}"
TERMS, PRIVACY = ("Terms of Service", "/terms"), ("Privacy Policy", "/privacy")
OWN_DATA = ("Your data and your rights", "/gdpr")


@pytest.mark.parametrize(
    ("role", "support"),
    [
        (None, BY_MAIL),
        (Role.PLAYER, BY_FORM),
        (Role.MODERATOR, BY_FORM),
        (Role.COMPANY, BY_FORM),
        (Role.ADMIN, BY_MAIL),
    ],
    ids=["visitor", "player", "moderator", "company", "admin"],
)
class TestQuestions:
    def test_of_the_terms_lead_to_the_policy(self, role: Role | None, support: str):
        assert questions("/terms", role) == [("Contact Support", support), PRIVACY]

    def test_of_the_policy_lead_to_the_terms_and_members_to_their_data(
        self, role: Role | None, support: str
    ):
        own = [OWN_DATA] if role else []
        assert questions("/privacy", role) == [("Contact Support", support), TERMS, *own]


def questions(path: str, role: Role | None) -> list[tuple[str, str]]:
    page = drawn(the_page(path, role).view(), {AppState.role: role or "visitor"})
    return page.panel("Questions?").links
