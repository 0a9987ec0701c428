"""What can be reported and decided, and for which reasons."""

import pytest

from rewards_app.core.errors import BadArguments
from rewards_app.core.ids import new_id
from rewards_app.features.forum import desk_rules
from rewards_app.features.forum.desk_rules import (
    GRAVEST_FIRST,
    LONGEST_NOTE,
    REASONS,
    Deed,
    NoteMissing,
    NoteTooLong,
    Reason,
    ReasonMissing,
    ReportReason,
    Standing,
    Target,
    Why,
)
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES


def a_topic(**changes) -> Standing:
    known = {
        "target": Target.POST,
        "state": "shown",
        "is_locked": False,
        "is_hot": False,
        "is_changed_by_rules": False,
        "has_reports": False,
        "has_appeal": False,
    }
    return Standing(**known | changes)


def a_profile(**changes) -> Standing:
    return a_topic(**{"target": Target.PROFILE, "has_words": True, "has_own_name": True} | changes)


class TestDeeds:
    def test_a_shown_topic_can_be_hidden_locked_and_marked(self):
        assert desk_rules.deeds_for(a_topic()) == (Deed.HIDE, Deed.LOCK, Deed.MARK_HOT)

    def test_a_locked_hot_topic_can_be_opened_and_cooled(self):
        found = desk_rules.deeds_for(a_topic(is_locked=True, is_hot=True))
        assert found == (Deed.HIDE, Deed.UNLOCK, Deed.UNMARK_HOT)

    def test_a_reply_is_neither_locked_nor_hot(self):
        assert desk_rules.deeds_for(a_topic(target=Target.REPLY, is_hot=True)) == (Deed.HIDE,)

    def test_what_waits_is_shown_or_hidden(self):
        assert desk_rules.deeds_for(a_topic(state="waiting")) == (Deed.HIDE, Deed.RESTORE)

    def test_what_is_hidden_is_shown_again(self):
        assert desk_rules.deeds_for(a_topic(state="hidden")) == (Deed.RESTORE,)

    def test_what_the_rules_changed_can_be_shown_as_it_was_written(self):
        found = desk_rules.deeds_for(a_topic(target=Target.REPLY, is_changed_by_rules=True))
        assert found == (Deed.HIDE, Deed.AS_WRITTEN)

    def test_reports_are_closed_and_appeals_turned_down_where_there_are_some(self):
        found = desk_rules.deeds_for(a_topic(state="hidden", has_reports=True, has_appeal=True))
        assert found == (Deed.RESTORE, Deed.DISMISS, Deed.TURN_DOWN)

    @pytest.mark.parametrize("target", [Target.POST, Target.REPLY])
    def test_no_appeal_is_turned_down_where_nothing_is_held_against_it(self, target: Target):
        found = desk_rules.deeds_for(a_topic(target=target, has_appeal=True))
        assert found[:2] == (Deed.HIDE, Deed.RESTORE)
        assert Deed.TURN_DOWN not in found
        masked = a_topic(target=target, has_appeal=True, is_changed_by_rules=True)
        assert Deed.TURN_DOWN in desk_rules.deeds_for(masked)

    def test_what_its_author_deleted_stays_deleted(self):
        assert desk_rules.deeds_for(a_topic(state="deleted", is_changed_by_rules=True)) == ()


class TestDeedsOnProfiles:
    def test_its_words_are_hidden_and_its_name_replaced(self):
        assert desk_rules.deeds_for(a_profile()) == (Deed.HIDE, Deed.RENAME)

    def test_nothing_is_hidden_where_nothing_is_written(self):
        assert desk_rules.deeds_for(a_profile(has_words=False)) == (Deed.RENAME,)

    def test_who_goes_by_a_neutral_name_and_handle_has_none_to_lose(self):
        assert desk_rules.deeds_for(a_profile(has_own_name=False)) == (Deed.HIDE,)

    def test_of_who_is_no_player_any_more_is_answered_and_no_more(self):
        found = desk_rules.deeds_for(a_profile(is_player=False, state="hidden", has_appeal=True))
        assert found == (Deed.RESTORE, Deed.TURN_DOWN)

    def test_what_is_hidden_is_shown_again_and_what_was_written_since_hidden_too(self):
        found = desk_rules.deeds_for(a_profile(state="hidden"))
        assert found == (Deed.HIDE, Deed.RENAME, Deed.RESTORE)

    def test_reports_are_closed_and_appeals_turned_down_where_there_are_some(self):
        hidden = a_profile(
            state="hidden", has_words=False, has_own_name=False, has_reports=True, has_appeal=True
        )
        assert desk_rules.deeds_for(hidden) == (Deed.RESTORE, Deed.DISMISS, Deed.TURN_DOWN)

    def test_of_a_closed_account_nothing_is_changed(self):
        assert desk_rules.deeds_for(a_profile(state="deleted")) == ()

    @pytest.mark.parametrize("deed", [Deed.LOCK, Deed.MARK_HOT, Deed.AS_WRITTEN])
    def test_it_is_no_topic(self, deed: Deed):
        assert deed not in desk_rules.deeds_for(a_profile(is_changed_by_rules=True))

    def test_topics_have_no_name_to_be_replaced(self):
        assert Deed.RENAME not in desk_rules.deeds_for(a_topic(has_own_name=True))


class TestReasons:
    @pytest.mark.parametrize("deed", Deed)
    def test_every_decision_has_some_and_no_others_are_taken(self, deed: Deed):
        assert desk_rules.why_from(deed, REASONS[deed][0].value) is REASONS[deed][0]
        with pytest.raises(ReasonMissing):
            desk_rules.why_from(deed, "because")

    def test_a_kept_one_comes_back_with_its_words(self):
        kept = desk_rules.kept(Why.SPAM, "Third time.\nPlease stop.")
        assert desk_rules.reason_of(kept) == Reason(
            "forum.desk.reasons.spam", "Third time.\nPlease stop."
        )
        assert desk_rules.reason_of("spam") == Reason("forum.desk.reasons.spam", "")

    def test_other_words_are_shown_as_they_are(self):
        assert desk_rules.reason_of("Spammers!\nspam") == Reason("", "Spammers!\nspam")

    def test_the_longest_one_fits_where_it_is_kept(self):
        assert len(desk_rules.kept(Why.WORTH_READING, "x" * LONGEST_NOTE)) <= 500

    @pytest.mark.parametrize("language", CODES)
    def test_have_their_words(self, language: str):
        known = catalogues.interface(language)
        keys = [
            *(f"forum.desk.reasons.{why}" for why in Why),
            *(f"forum.desk.{part}.{d}" for d in Deed for part in ("deeds", "means", "decided")),
            *(f"forum.desk.done.{deed}" for deed in Deed),
            "forum.desk.means.hide_profile",
            *(f"forum.reports.reasons.{reason}" for reason in desk_rules.ReportReason),
            *(f"forum.reports.report_{target}" for target in Target),
        ]
        assert [key for key in keys if key not in known] == []


class TestReports:
    def test_need_a_reason(self):
        with pytest.raises(ReasonMissing):
            desk_rules.report_reason_from("", "words")

    def test_of_something_else_need_words(self):
        with pytest.raises(NoteMissing):
            desk_rules.report_reason_from("other", "   ")

    def test_keep_their_words_without_the_spaces_around(self):
        assert desk_rules.report_reason_from("spam", "  look  ") == ("spam", "look")

    def test_refuse_more_words_than_anybody_reads(self):
        with pytest.raises(NoteTooLong) as refusal:
            desk_rules.report_reason_from("spam", "x" * (LONGEST_NOTE + 1))
        assert refusal.value.params == {"field": "text", "count": LONGEST_NOTE}


@pytest.mark.parametrize("name", ["", "posts", "account", "'; drop table forum_posts"])
def test_there_are_topics_replies_and_profiles_only(name: str):
    with pytest.raises(BadArguments):
        desk_rules.target_from(name)


def test_a_profile_is_not_said_in_the_forum():
    assert desk_rules.said_in_forum_from("reply") is Target.REPLY
    with pytest.raises(BadArguments):
        desk_rules.said_in_forum_from("profile")


def test_an_appeal_names_its_thing():
    thing = new_id()
    assert desk_rules.about(Target.REPLY, thing) == f"forum-reply:{thing}"


def test_every_reason_of_a_report_has_its_gravity_and_danger_is_the_gravest():
    assert sorted(GRAVEST_FIRST) == sorted(ReportReason)
    assert GRAVEST_FIRST[0] is ReportReason.SELF_HARM
