"""What an ad may show, for how long and for how many coins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.errors import FieldRefused
from rewards_app.features.advertiser import ad_rules as rules
from rewards_app.features.advertiser import fields
from rewards_app.features.advertiser.ad_rules import Draft, Kind


def a_form(**changes: str) -> dict[str, str]:
    return {
        "title": "Hear the fjord",
        "description": "",
        "ad_type": "video",
        "video_url": "https://cdn.example.com/fjord.webm",
        "image_url": "",
        "click_url": "https://fjord.example.com/",
        "duration": "30",
        "reward_coins": "15",
    } | changes


def drafted(*, allows_http: bool = False, **changes: str) -> Draft:
    return rules.draft_from(a_form(**changes), allows_http=allows_http)


def drafted_or_refused(form: dict[str, str]) -> Draft | FieldRefused:
    try:
        return rules.draft_from(form, allows_http=False)
    except FieldRefused as refusal:
        return refusal


class TestRetyped:
    SHOWN = rules.BLANK | {"title": "Hear", "video_url": "/ads/one.webm"}

    def test_is_what_differs_from_what_the_form_showed(self):
        typed = self.SHOWN | {"title": "Every step"}
        assert rules.retyped(typed, self.SHOWN) == {"title": "Every step"}

    def test_is_all_that_players_see_where_any_of_it_is(self):
        typed = {"title": "Hear", "ad_type": "video", "video_url": "/ads/two.webm"}
        assert rules.retyped(typed, self.SHOWN) == {
            "ad_type": "video",
            "video_url": "/ads/two.webm",
        }


class TestADraft:
    def test_takes_what_was_typed(self):
        assert drafted() == Draft(
            "Hear the fjord",
            "",
            Kind.VIDEO,
            "https://cdn.example.com/fjord.webm",
            "",
            "https://fjord.example.com/",
            30,
            15,
        )

    def test_is_a_video_of_30_seconds_for_15_coins_where_nothing_else_is_said(self):
        form = a_form()
        for field in ("ad_type", "duration", "reward_coins"):
            del form[field]
        draft = rules.draft_from(form, allows_http=False)
        assert (draft.kind, draft.seconds, draft.coins) == (Kind.VIDEO, 30, 15)

    @pytest.mark.parametrize("kind", ["image", "banner"])
    def test_of_a_picture_keeps_no_video(self, kind: str):
        draft = drafted(ad_type=kind, image_url="https://cdn.example.com/fjord.webp")
        assert (draft.video_url, draft.image_url) == ("", "https://cdn.example.com/fjord.webp")

    def test_of_a_video_keeps_no_picture(self):
        assert drafted(image_url="javascript:alert(1)").image_url == ""

    @pytest.mark.parametrize(
        ("kind", "field"), [("video", "video_url"), ("image", "image_url"), ("banner", "image_url")]
    )
    def test_needs_what_its_type_shows(self, kind: str, field: str):
        with pytest.raises(fields.Missing) as refusal:
            drafted(ad_type=kind, video_url="", image_url="")
        assert refusal.value.params == {"field": field}

    def test_may_lead_nowhere(self):
        assert drafted(click_url="").click_url == ""

    @pytest.mark.parametrize("seconds", ["5", "60"])
    @pytest.mark.parametrize("coins", ["5", "50"])
    def test_may_be_as_long_and_pay_as_much_as_the_ranges_say(self, seconds: str, coins: str):
        draft = drafted(duration=seconds, reward_coins=coins)
        assert (str(draft.seconds), str(draft.coins)) == (seconds, coins)

    @pytest.mark.parametrize(
        ("field", "typed", "refusal"),
        [
            ("title", "", fields.Missing),
            ("title", "x" * 10_000, fields.TooLong),
            ("title", "a\u202eb", fields.Unseen),
            ("title", "a\u200bb", fields.Unseen),
            ("description", "x" * 301, fields.TooLong),
            ("ad_type", "popup", rules.UnknownKind),
            ("ad_type", "", rules.UnknownKind),
            ("duration", "61", fields.NumberOutOfRange),
            ("duration", "4", fields.NumberOutOfRange),
            ("duration", "NaN", fields.NumberOutOfRange),
            ("duration", "", fields.Missing),
            ("reward_coins", "51", fields.NumberOutOfRange),
            ("reward_coins", "4", fields.NumberOutOfRange),
            ("reward_coins", "-15", fields.NumberOutOfRange),
            ("video_url", "javascript:alert(1)", fields.BadScheme),
            ("video_url", "data:video/webm;base64,AAAA", fields.BadScheme),
            ("video_url", "file:///etc/passwd", fields.BadScheme),
            ("video_url", "http://cdn.example.com/fjord.webm", fields.BadScheme),
            ("video_url", "https://u:p@cdn.example.com/", fields.AddressWithCredentials),
            ("video_url", "https://192.168.0.1/fjord.webm", fields.PrivateAddress),
            ("video_url", "https://cdn.example.com/" + "x" * 10_000, fields.TooLong),
            ("click_url", "javascript:alert(1)", fields.BadScheme),
            ("click_url", "https://localhost/", fields.PrivateAddress),
            ("click_url", "https://0x7f000001/", fields.PrivateAddress),
        ],
    )
    def test_refuses_at_the_field_that_is_wrong(
        self, field: str, typed: str, refusal: type[FieldRefused]
    ):
        with pytest.raises(refusal) as raised:
            rules.draft_from(a_form(**{field: typed}), allows_http=False)
        assert raised.value.params["field"] == field

    def test_may_be_shown_by_http_where_it_is_developed(self):
        draft = drafted(allows_http=True, video_url="http://cdn.example.com/fjord.webm")
        assert draft.video_url == "http://cdn.example.com/fjord.webm"

    def test_says_all_that_is_wrong_at_once(self):
        with pytest.raises(FieldRefused) as refusal:
            rules.draft_from(
                a_form(title="", video_url="", click_url="x", duration="4"), allows_http=False
            )
        assert refusal.value.params["field"] == "title"
        assert sorted(refusal.value.faults) == ["click_url", "duration", "title", "video_url"]

    @given(st.dictionaries(st.sampled_from(sorted(a_form())), st.text(max_size=100)))
    def test_meets_anything_typed_with_a_draft_or_a_refusal_at_a_field(self, typed: dict[str, str]):
        made = drafted_or_refused(a_form(**typed))
        if isinstance(made, FieldRefused):
            assert made.params["field"] in a_form()
        else:
            assert 5 <= made.seconds <= 60
            assert 5 <= made.coins <= 50

    def test_is_offered_as_it_was_written(self):
        assert rules.written(drafted()) == a_form()

    def test_begins_as_a_video_of_30_seconds_for_15_coins(self):
        assert a_form(title="", video_url="", click_url="") == rules.BLANK
