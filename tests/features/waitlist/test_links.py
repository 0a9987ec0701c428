"""Links in mails to waiting people: nobody makes one, none does what another is for."""

from datetime import UTC, datetime

import pytest

from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.waitlist import links

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


class TestALink:
    def test_to_confirm_names_whom_and_when(self):
        known = new_id()
        assert links.who_confirms(links.confirming_token(known, NOON)) == (known, NOON)

    def test_to_leave_names_whom_and_the_language_of_the_mail(self):
        known = new_id()
        assert links.who_leaves(links.leaving_token(known, "sv")) == (known, "sv")

    def test_does_not_do_what_another_is_for(self):
        known = new_id()
        assert links.who_leaves(links.confirming_token(known, NOON)) is None
        assert links.who_confirms(links.leaving_token(known, "sv")) is None

    def test_leads_to_its_own_place_of_ours(self):
        confirming, leaving = links.to_confirm(new_id(), NOON), links.to_leave(new_id(), "sv")
        assert confirming.startswith(f"{settings().origin}/waitlist?token=")
        assert leaving.startswith(f"{settings().origin}/unsubscribe/waitlist?token=")

    def test_with_one_letter_changed_is_none_of_ours(self):
        token = links.confirming_token(new_id(), NOON)
        for place in range(len(token)):
            other = "A" if token[place] != "A" else "B"
            assert links.who_confirms(token[:place] + other + token[place + 1 :]) is None

    @pytest.mark.parametrize(
        "token", ["", "=", "x", "ö" * 40, "A" * 101, "\0" * 40, "' or 1=1 --", "A" * 54]
    )
    def test_that_was_made_up_is_none_of_ours(self, token: str):
        assert links.who_confirms(token) is None
        assert links.who_leaves(token) is None
