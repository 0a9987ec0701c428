"""Where the page of one's own data leads."""

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from tests.drawn import Part, drawn, the_page

BY_FORM, BY_MAIL = "/support", f"mailto:{settings().support_email}"


def seen_by(role: Role) -> Part:
    return drawn(the_page("/gdpr", role).view(), {AppState.role: role})


DETAILS, PROFILE = ("Your details", "/settings"), ("My Profile", "/profile")
SECURITY = ("Account Security", "/security")


@pytest.mark.parametrize(
    ("role", "places"),
    [
        (Role.PLAYER, [DETAILS, PROFILE, SECURITY, ("Write to us", BY_FORM)]),
        (Role.MODERATOR, [DETAILS, PROFILE, SECURITY, ("Write to us", BY_FORM)]),
        (Role.COMPANY, [DETAILS, SECURITY, ("Write to us", BY_FORM)]),
        (Role.ADMIN, [SECURITY, ("Write to us", BY_MAIL)]),
    ],
)
def test_each_thing_is_corrected_where_its_owner_has_it(role: Role, places: list[tuple[str, str]]):
    [correction] = [
        right
        for right in seen_by(role).panel("Your rights").named("li")
        if right.words[0] == "Correction"
    ]
    assert correction.links == places


@pytest.mark.parametrize(
    ("role", "support"),
    [
        (Role.PLAYER, BY_FORM),
        (Role.MODERATOR, BY_FORM),
        (Role.COMPANY, BY_FORM),
        (Role.ADMIN, BY_MAIL),
    ],
)
class TestTheWays:
    def test_of_each_right_lead_to_where_it_is_had(self, role: Role, support: str):
        rights = seen_by(role).panel("Your rights").named("li")
        found = [(right.words[0], *right.links) for right in rights]
        assert [right for right in found if right[0] != "Correction"] == [
            ("Access", ("Ask for a copy", "#export")),
            ("Erasure", ("Delete my account", "#deletion")),
            ("Portability", ("Ask for a copy", "#export")),
            ("Restriction", ("Write to us", support)),
            ("Objection", ("Cookie settings", "#cookies")),
            ("Complaint", ("To IMY", "https://www.imy.se")),
        ]

    def test_of_questions_lead_to_what_was_agreed_on_and_to_people(self, role: Role, support: str):
        assert seen_by(role).panel("Questions").links == [
            ("Privacy Policy", "/privacy"),
            ("Terms of Service", "/terms"),
            ("Contact Support", support),
        ]


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("export", "A copy of your data"),
        ("cookies", "Cookie settings"),
        ("deletion", "Delete your account"),
    ],
)
def test_the_ways_within_the_page_end_where_they_say(place: str, title: str):
    [end] = [part for part in seen_by(Role.PLAYER) if part.props.get("id") == place]
    assert end.words[0] == title
