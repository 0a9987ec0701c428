"""What the form takes, what it refuses beside which field, and when the phone is answered."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.features.support import rules
from rewards_app.features.support.rules import About, Question, Status

STOCKHOLM = ZoneInfo("Europe/Stockholm")
MESSAGE = "My code has not come. What can I do?"


def a_form(**changes: str) -> dict[str, str]:
    known = {
        "name": "Maja Lind",
        "email": "maja@example.com",
        "subject": "My code",
        "message": MESSAGE,
    }
    return known | changes


def refusal_of(**changes: str) -> DomainError:
    with pytest.raises(DomainError) as refusal:
        rules.question_from(a_form(**changes))
    return refusal.value


class TestAQuestion:
    def test_is_what_was_typed(self):
        assert rules.question_from(a_form()) == Question(
            "Maja Lind", "maja@example.com", "My code", MESSAGE
        )

    def test_without_a_subject_is_called_by_how_it_begins(self):
        assert rules.question_from(a_form(subject=" ")).subject == MESSAGE
        long = rules.question_from(a_form(subject="", message="My code.\n" * 30)).subject
        assert len(long) == rules.SUBJECT_FROM_MESSAGE
        assert long.startswith("My code. My code.")
        assert long.endswith("…")

    @pytest.mark.parametrize("field", ["name", "email", "message"])
    def test_needs_a_name_an_email_and_a_message(self, field: str):
        refusal = refusal_of(**{field: " \n "})
        assert isinstance(refusal, rules.FieldsMissing)
        assert refusal.params == {"field": field}
        assert refusal.title == "support.fields_missing_title"

    def test_without_anything_names_the_first_field_and_marks_all(self):
        with pytest.raises(rules.FieldsMissing) as refusal:
            rules.question_from({})
        assert refusal.value.params == {"field": "name"}
        assert sorted(refusal.value.faults) == ["email", "message", "name"]

    def test_may_be_as_short_as_it_likes(self):
        assert rules.question_from(a_form(message=" ? ")).message == "?"

    def test_too_long_says_so_beside_the_message(self):
        assert refusal_of(message="x" * 2001).params == {"count": 2000, "field": "message"}

    @pytest.mark.parametrize(("field", "most"), [("name", 80), ("subject", 120)])
    def test_has_short_lines(self, field: str, most: int):
        assert getattr(rules.question_from(a_form(**{field: "x" * most})), field) == "x" * most
        refusal = refusal_of(**{field: "x" * (most + 1)})
        assert isinstance(refusal, rules.LineTooLong)
        assert refusal.params == {"field": field, "count": most}

    @pytest.mark.parametrize(
        "break_",
        ["\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\0", "\u202e"],
    )
    def test_keeps_its_lines_on_one_line(self, break_: str):
        typed = f"Maja{break_}Bcc: everybody@example.com"
        question = rules.question_from(a_form(name=typed, subject=typed))
        assert question.name == question.subject == "Maja Bcc: everybody@example.com"

    @pytest.mark.parametrize(
        "address",
        [
            "maja@example.com\r\nBcc: everybody@example.com",
            "maja@example.com\nBcc:everybody@example.com",
            "maja@example.com\u2028Bcc:everybody@example.com",
            "maja @example.com",
            "\u200bmaja@example.com",
            "x" * 250 + "@example.com",
        ],
    )
    def test_takes_no_address_with_gaps(self, address: str):
        refusal = refusal_of(email=address)
        assert isinstance(refusal, rules.BadReplyAddress)
        assert refusal.params == {"field": "email"}


class TestAReply:
    def test_goes_into_a_question_whatever_became_of_it(self):
        for status in Status:
            rules.refuse_reply(status, "")

    @pytest.mark.parametrize("about", ["restriction:1", "forum-post:1", "purchase:1"])
    def test_comes_too_late_where_the_matter_is_decided(self, about: str):
        rules.refuse_reply(Status.ANSWERED, about)
        with pytest.raises(rules.TicketSettled):
            rules.refuse_reply(Status.CLOSED, about)


class TestAnAnswer:
    @pytest.mark.parametrize("about", ["forum-post:1", "forum-reply:1"])
    def test_to_an_appeal_of_the_forum_is_written_at_the_desk(self, about: str):
        with pytest.raises(rules.AnsweredElsewhere):
            rules.refuse_answer(Status.OPEN, about)

    def test_may_be_long_but_not_empty(self):
        assert len(rules.answer_from("x" * 4000)) == 4000
        for text in (" ", "x", "x" * 4001):
            with pytest.raises(DomainError) as refusal:
                rules.answer_from(text)
            assert refusal.value.params["field"] == "answer"


class TestWhatATicketIsAbout:
    @pytest.mark.parametrize(
        ("about", "kind"),
        [
            ("restriction:7", About.RESTRICTION),
            ("forum-post:7", About.TOPIC),
            ("forum-reply:7", About.REPLY),
            ("purchase:7", About.ORDER),
            ("", None),
            ("restrictions:7", None),
        ],
    )
    def test_is_how_it_begins(self, about: str, kind: About | None):
        assert rules.kind_of(about) is kind

    def test_is_named(self):
        assert rules.thing_of("restriction:7") == "7"


class TestStatus:
    def test_is_one_of_three_or_any(self):
        assert rules.status_from("open") is Status.OPEN
        assert rules.status_from("") is None
        with pytest.raises(BadArguments):
            rules.status_from("lost")


class TestThePhone:
    @pytest.mark.parametrize(
        ("moment", "is_open"),
        [
            ((2026, 3, 16, 8, 59), False),
            ((2026, 3, 16, 9, 0), True),
            ((2026, 3, 20, 16, 59), True),
            ((2026, 3, 20, 17, 0), False),
            ((2026, 3, 21, 12, 0), False),
            ((2026, 3, 22, 12, 0), False),
            ((2026, 7, 13, 9, 0), True),
            ((2026, 6, 18, 12, 0), True),
            ((2026, 6, 19, 12, 0), False),
        ],
        ids=[
            *("before nine", "at nine", "before five", "at five", "saturday", "sunday", "summer"),
            *("day before a holiday", "midsummer eve"),
        ],
    )
    def test_is_answered_on_working_days_by_the_clock_of_stockholm(
        self, moment: tuple[int, int, int, int, int], is_open: bool
    ):
        assert rules.is_phone_open(datetime(*moment, tzinfo=STOCKHOLM)) is is_open
