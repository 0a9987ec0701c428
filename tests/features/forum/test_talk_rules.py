"""What can be said in the forum, how often, and until when it can be changed."""

import time
from datetime import timedelta

import pytest

from rewards_app.features.forum import rules
from rewards_app.features.forum.judging import judge, removed_for
from rewards_app.features.forum.rules import REPLIES, TOPICS, Writer
from tests.people import NOON

A_DAY, A_MONTH = timedelta(days=1), timedelta(days=30)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def a_new_writer(**known) -> Writer:
    return Writer(NOON - A_DAY, **{"last_at": None} | known)


def an_old_writer(**known) -> Writer:
    return Writer(NOON - A_MONTH, **{"last_at": None} | known)


class TestATopic:
    def test_has_a_category_of_the_forum(self):
        with pytest.raises(rules.CategoryMissing):
            rules.topic_from("chess", "A title", "Ten letters or more")

    @pytest.mark.parametrize(
        "title", ["", "ab", "  a  ", "\u200b\u200b\u200b", "\u202e\u202d\u2066"]
    )
    def test_needs_a_title_that_can_be_seen(self, title: str):
        with pytest.raises(rules.TitleTooShort) as refusal:
            rules.title_from(title)
        assert refusal.value.params == {"field": "title", "count": 3}

    def test_takes_a_title_of_120_characters_and_no_more(self):
        assert len(rules.title_from("x" * 120)) == 120
        with pytest.raises(rules.TitleTooLong):
            rules.title_from("x" * 121)

    @pytest.mark.parametrize("length", [9, 5001, 100_000])
    def test_has_10_to_5000_characters(self, length: int):
        with pytest.raises((rules.TextTooShort, rules.TextTooLong)):
            rules.topic_from("general", "A title", "x" * length)

    def test_has_one_line_as_its_title(self):
        assert rules.title_from("  Two\n lines \t here ") == "Two lines here"

    def test_cannot_turn_the_text_around_it(self):
        assert rules.title_from("abc\u202edef") == "abcdef"

    def test_keeps_its_paragraphs_but_no_walls_of_empty_lines(self):
        assert rules.reply_from("one\r\ntwo\n\n\n\n\n\nthree") == "one\ntwo\n\n\nthree"


class TestAReply:
    def test_may_be_one_character(self):
        assert rules.reply_from(" + ") == "+"

    @pytest.mark.parametrize("text", ["", " \n ", "\u200b", "x" * 3001])
    def test_is_neither_empty_nor_longer_than_3000(self, text: str):
        with pytest.raises((rules.TextTooShort, rules.TextTooLong)):
            rules.reply_from(text)


class TestThePace:
    def test_lets_a_new_account_post_a_topic_every_two_minutes(self):
        rules.refuse_haste(a_new_writer(last_at=NOON - 2 * MINUTE), TOPICS, now=NOON)
        with pytest.raises(rules.TooSoon) as refusal:
            rules.refuse_haste(a_new_writer(last_at=NOON - 119 * SECOND), TOPICS, now=NOON)
        assert refusal.value.params == {"count": 1}

    @pytest.mark.parametrize(
        ("missing", "refusal", "count"),
        [
            (120 * SECOND, rules.TooSoonByMinutes, 2),
            (61 * SECOND, rules.TooSoonByMinutes, 2),
            (60 * SECOND, rules.TooSoonByMinutes, 1),
            (59 * SECOND, rules.TooSoon, 59),
        ],
    )
    def test_is_told_in_minutes_from_a_minute_on(
        self, missing: timedelta, refusal: type[rules.TooSoon], count: int
    ):
        with pytest.raises(rules.TooSoon) as raised:
            rules.refuse_haste(a_new_writer(last_at=NOON - 2 * MINUTE + missing), TOPICS, now=NOON)
        assert (type(raised.value), raised.value.params) == (refusal, {"count": count})

    def test_lets_a_new_account_reply_every_thirty_seconds(self):
        rules.refuse_haste(a_new_writer(last_at=NOON - 30 * SECOND), REPLIES, now=NOON)
        with pytest.raises(rules.TooSoon) as refusal:
            rules.refuse_haste(a_new_writer(last_at=NOON - 10 * SECOND), REPLIES, now=NOON)
        assert refusal.value.params == {"count": 20}

    def test_lets_others_go_on_at_once(self):
        rules.refuse_haste(an_old_writer(last_at=NOON - SECOND), TOPICS, now=NOON)

    @pytest.mark.parametrize(("pace", "most"), [(TOPICS, 20), (REPLIES, 120)])
    def test_ends_for_everybody_at_so_many_an_hour(self, pace: rules.Pace, most: int):
        oldest = NOON - timedelta(minutes=50)
        rules.refuse_haste(an_old_writer(within_hour=most - 1, oldest_at=oldest), pace, now=NOON)
        with pytest.raises(rules.TooMany) as refusal:
            rules.refuse_haste(an_old_writer(within_hour=most, oldest_at=oldest), pace, now=NOON)
        assert refusal.value.params == {"count": 10}


class TestLinks:
    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("no link, just e.g. this and 1.5 or v2.0", 0),
            ("see https://a.example/x and http://b.example", 2),
            ("https://a.example/xhttps://b.example/y", 2),
            ("t.me/x bit.ly/y t.co/z goo.gl/q", 4),
            ("go to www.somewhere.example now", 1),
            ("discord.gg is down, cheap-coins.com too.", 2),
        ],
    )
    def test_are_counted_however_they_are_written(self, text: str, count: int):
        assert rules.links_in(text) == count

    def test_are_two_at_most_for_a_new_account(self):
        three = "https://a.example https://b.example https://c.example"
        with pytest.raises(rules.TooManyLinks):
            rules.refuse_links(a_new_writer(), three, now=NOON)
        rules.refuse_links(an_old_writer(), three, now=NOON)

    def test_are_counted_in_a_time_that_grows_with_the_text_alone(self):
        def seconds(text: str) -> float:
            begun = time.thread_time()
            rules.links_in(text)
            return time.thread_time() - begun

        hostile = "aa." * 20_000
        assert seconds(hostile * 10) < 60 * seconds(hostile) + 0.05


class TestChanging:
    def test_is_possible_for_half_an_hour(self):
        assert rules.can_edit(NOON - 30 * MINUTE, NOON)
        with pytest.raises(rules.EditedTooLate) as refusal:
            rules.refuse_late_edit(NOON - 30 * MINUTE - SECOND, now=NOON)
        assert refusal.value.params == {"count": 30}


class TestHot:
    @pytest.mark.parametrize(
        ("flagged", "likes", "hot"), [(False, 20, False), (False, 21, True), (True, 0, True)]
    )
    def test_is_flagged_or_has_more_than_20_likes(self, flagged: bool, likes: int, hot: bool):
        assert rules.is_hot(flagged, likes) is hot


class TestJudging:
    def test_keeps_where_each_violation_was_found(self):
        judged = judge("What a garbage team", "Whatever, that was awful.", "en")
        assert judged.shown_title == "What a ******* team"
        assert judged.shown_content == "Whatever, that was *****."
        assert [(one["field"], one["words"]) for one in judged.violations] == [
            ("title", ["garbage"]),
            ("content", ["awful"]),
        ]

    def test_removes_the_part_that_bullies_as_a_whole(self):
        judged = judge("About the tournament", "nobody likes you", "en")
        assert (judged.removed, judged.shown_content) == ("bullying", "")
        assert (judged.removed_title, judged.shown_title) == ("", "About the tournament")
        assert removed_for(judged.violations, "title") == ""


class TestADictionary:
    def test_is_the_one_of_the_language(self):
        assert rules.dictionary_of("sv") == "swedish"
        assert rules.dictionary_of("pl") == "simple"
        assert rules.dictionary_of("xx") == "simple"
