"""What others see of a text, and what is said of it."""

import pytest

from rewards_app.features.moderation.rules import (
    Kind,
    Moderated,
    Violation,
    has_bad_words,
    moderate,
)

THE_THIRTEEN = [
    "hate",
    "stupid",
    "idiot",
    "loser",
    "noob",
    "trash",
    "garbage",
    "suck",
    "awful",
    "terrible",
    "worthless",
    "pathetic",
    "lame",
]


def kinds(text: str, language: str = "en") -> set[Kind]:
    return {violation.kind for violation in moderate(text, language).violations}


class TestInappropriateWords:
    @pytest.mark.parametrize("word", THE_THIRTEEN)
    def test_are_masked_a_star_a_letter_and_named(self, word: str):
        said = Violation(Kind.LANGUAGE, (word.capitalize(),))
        masked = Moderated(f"{'*' * len(word)} map!", (said,))
        assert moderate(f"{word.capitalize()} map!") == masked

    @pytest.mark.parametrize("word", ["hates", "hated", "idiots", "losers", "noobs", "sucks"])
    def test_are_masked_when_inflected(self, word: str):
        assert moderate(f"It {word}.").shown == f"It {'*' * len(word)}."

    @pytest.mark.parametrize(
        "text",
        [
            "Whatever, the closer chest was better.",
            "Scunthorpe is a place in England.",
            "I assume this class has a bass and a cockpit.",
            "The shell of the assassin",
            "My mouse is looser now",
            "E847 and 25-success are no words",
            "a %s: %s",
        ],
    )
    def test_inside_other_words_are_left_alone(self, text: str):
        assert moderate(text) == Moderated(text)

    @pytest.mark.parametrize(
        ("written", "shown"),
        [
            ("stuuupid", "********"),
            ("1d10t", "*****"),
            ("$tupid", "******"),
            ("n00b!!!", "****!!!"),
            ("st*pid", "******"),
            ("s.t.u.p.i.d boss", "*.*.*.*.*.* boss"),
            ("i d i o t", "* * * * *"),
            ("stu-pid", "***-***"),
            ("stu\u200bpid", "******"),
            ("s\u0337t\u0337upid", "******"),
            ("ｓｔｕｐｉｄ", "******"),
            ("𝐬𝐭𝐮𝐩𝐢𝐝", "******"),
            ("ѕtuріd", "******"),
            ("іdіоt", "*****"),
            ("ἰdiot", "*****"),
            ("stüpid", "******"),
        ],
    )
    def test_are_masked_in_disguise(self, written: str, shown: str):
        assert moderate(f"What a {written}").shown == f"What a {shown}"

    def test_leave_the_rest_as_it_was_written(self):
        text = "Ich\u00a0mag  <b>Ligaturen: ﬁ</b>, stupid\u0301 ½ ①"
        assert moderate(text).shown == "Ich\u00a0mag  <b>Ligaturen: ﬁ</b>, ****** ½ ①"


class TestBullying:
    @pytest.mark.parametrize(
        "text",
        [
            "You are stupid",
            "you're so dumb",
            "ur bad",
            "u r trash",
            "Shut up!",
            "get lost",
            "GET OUT",
            "get away",
            "nobody likes you",
            "no one wants you here",
            "you suck",
            "you stink",
            "kill yourself",
            "k.y.s",
            "y0u 4re 5tup1d",
            "yоu аre ѕtupid",
            "you are s t u p i d",
            "y o u s u c k",
            "You\nare\nstupid",
            "You. Are. Stupid.",
            "nob\u200body likes y\u200bou",
        ],
    )
    def test_takes_the_whole_text_away(self, text: str):
        found = moderate(f"I read your guide. {text}")
        assert (found.shown, found.removed_for) == ("", Kind.BULLYING)

    @pytest.mark.parametrize(
        "text",
        [
            "You are not bad at this",
            "How do I get out of the cave?",
            "They get away with it every time",
            "We got lost in the jungle",
            "Who are you? Bad luck with that boss.",
            "If you are bad at building, try the training map",
            "How to not kill yourself with the rocket launcher",
            "They should shut it down for maintenance",
            "Get out of the way!",
            "Nobody likes losing, but you played well",
        ],
    )
    def test_is_more_than_the_same_words(self, text: str):
        assert Kind.BULLYING not in kinds(text)


class TestScams:
    @pytest.mark.parametrize(
        "text",
        [
            "FREE COINS! click now",
            "hack coins",
            "unlimited coins",
            "click here for a prize",
            "download hack",
            "download the best hack",
        ],
    )
    def test_take_the_whole_text_away(self, text: str):
        found = moderate(text)
        assert (found.shown, found.removed_for) == ("", Kind.SCAM)


class TestCapitals:
    def test_leave_the_text_as_it_is(self):
        text = "THIS IS THE BEST MAP SO FAR"
        assert moderate(text) == Moderated(text, (Violation(Kind.CAPITALS),))

    def test_are_fine_up_to_twenty_letters(self):
        assert kinds("ABCDE FGHIJ ABCDE FGHIJ 12345") == set()

    def test_are_fine_up_to_seven_in_ten(self):
        assert kinds("A" * 21 + "b" * 9) == set()
        assert kinds("A" * 22 + "b" * 9) == {Kind.CAPITALS}


class TestSelfHarm:
    def test_waits_for_a_person_unchanged(self):
        found = moderate("I don't want to live anymore")
        assert found.needs_person
        assert found.shown == "I don't want to live anymore"

    @pytest.mark.parametrize("text", ["This lag kills me", "I died three times in that cave"])
    def test_is_no_way_to_talk_of_games(self, text: str):
        assert not moderate(text).needs_person


class TestNames:
    @pytest.mark.parametrize("name", ["noob_99", "xXStupidMajaXx", "IdiotSlayer", "1d10t"])
    def test_with_bad_words_are_known(self, name: str):
        assert has_bad_words(name)

    @pytest.mark.parametrize("name", ["Maja", "LinneaPlays", "TITAN", "Cassandra", "Emil_2012"])
    def test_without_are_fine(self, name: str):
        assert not has_bad_words(name)
