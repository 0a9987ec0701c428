"""What can be asked of support, and answered. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.errors import BadArguments, DomainError, Faults, FieldRefused
from rewards_app.core.house import HOUSE_ZONE
from rewards_app.core.routes import SUPPORT
from rewards_app.features.accounts.rules import BadEmail, email_from
from rewards_app.features.support.working_days import is_working_day

ASKING_ROLES = MEMBER_ROLES
SHORTEST_MESSAGE, LONGEST_MESSAGE = 1, 2000
SHORTEST_APPEAL = 10
"""Whoever appeals has one try: a slip does not use it up."""
SHORTEST_ANSWER, LONGEST_ANSWER = 2, 4000
LONGEST_NAME, LONGEST_SUBJECT = 80, 120
LONGEST_NUMBER = 12
SUBJECT_FROM_MESSAGE = 60
"""So much of a message stands for a subject that nobody typed."""
KEPT_FOR = timedelta(days=730)
"""Counted from the last word in a ticket, or from its closing."""
NEEDED = ("name", "email", "message")
TICKET = f"{SUPPORT}?ticket="
"""Where its sender reads a ticket, with its number."""
DESK = "/admin?tab=support&ticket="
"""Where a ticket is answered, with its number."""

OPENS, CLOSES = time(9), time(17)


class Status(StrEnum):
    """Each has its words in every catalogue, under `support.status.`."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"


class About(StrEnum):
    """What of ours a ticket can be about, as its `about` begins."""

    RESTRICTION = "restriction"
    TOPIC = "forum-post"
    REPLY = "forum-reply"
    PROFILE = "forum-profile"
    ORDER = "purchase"


DECIDED_ELSEWHERE = frozenset({About.TOPIC, About.REPLY, About.PROFILE})
"""Where it is decided the answer is written, too."""
APPEALS = DECIDED_ELSEWHERE | {About.RESTRICTION}


class MessageTooShort(DomainError):
    """`count` characters are needed to understand anything."""

    code = "support.message_too_short"


class MessageTooLong(DomainError):
    code = "support.message_too_long"


class FieldsMissing(FieldRefused):
    code = "support.fields_missing"
    title = "support.fields_missing_title"


class LineTooLong(FieldRefused):
    """More than `count` characters in one line."""

    code = "support.line_too_long"


class BadReplyAddress(FieldRefused):
    """Not an address that could be answered."""

    code = "support.bad_email"


class NothingToAppeal(DomainError):
    """The restriction has ended, or is another's."""

    code = "support.nothing_to_appeal"


class UnknownTicket(DomainError):
    """There is none of that number, or it is another's."""

    code = "support.unknown_ticket"


class TicketSettled(DomainError):
    """It was about something, and is closed: nothing more is said in it."""

    code = "support.settled"


class SaidMeanwhile(DomainError):
    """Somebody else answered, or its sender wrote more: what is answered is not all there is."""

    code = "support.said_meanwhile"


class AnsweredElsewhere(DomainError):
    """An appeal in the forum is answered by the decision on it."""

    code = "support.answered_elsewhere"


class AnswerOwed(DomainError):
    """Whoever asked about a thing of theirs reads an answer before their ticket is closed for
    good."""

    code = "support.answer_owed"


class AppealWaits(DomainError):
    """Its own sender closes an appeal no sooner: it would be spent, and nobody had read it."""

    code = "support.appeal_waits"


def cleaned(
    message: str, *, least: int = SHORTEST_MESSAGE, most: int = LONGEST_MESSAGE, **where: str
) -> str:
    """The message without the spaces around it, or what is wrong with it."""
    text = message.strip()
    if len(text) < least:
        raise MessageTooShort(count=least, **where)
    if len(text) > most:
        raise MessageTooLong(count=most, **where)
    return text


def answer_from(text: str) -> str:
    return cleaned(text, least=SHORTEST_ANSWER, most=LONGEST_ANSWER, field="answer")


def reply_from(text: str) -> str:
    return cleaned(text, field="reply")


@dataclass(frozen=True, slots=True)
class Question:
    """What the form says, fit to be kept and to stand in the headers of a mail."""

    name: str
    email: str
    subject: str
    message: str


def question_from(form: Mapping[str, str]) -> Question:
    """What was typed; each problem names its field."""
    with Faults() as faults:
        for field in NEEDED:
            faults.read(_refuse_missing, form, field)
        name = faults.read(_line, "name", form.get("name", ""), LONGEST_NAME)
        email = faults.read(_email, form.get("email", ""))
        subject = faults.read(_line, "subject", form.get("subject", ""), LONGEST_SUBJECT)
        message = faults.read(cleaned, form.get("message", ""), field="message")
    return Question(name, email, subject or _begin(message), message)


def _refuse_missing(form: Mapping[str, str], field: str) -> None:
    if not form.get(field, "").strip():
        raise FieldsMissing(field)


def one_line(text: str) -> str:
    """Without whatever begins a new line anywhere, and without what cannot be seen."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _line(field: str, typed: str, most: int) -> str:
    text = one_line(typed)
    if len(text) > most:
        raise LineTooLong(field, count=most)
    return text


def _email(typed: str) -> str:
    try:
        return email_from(typed)
    except BadEmail:
        raise BadReplyAddress("email") from None


def _begin(message: str) -> str:
    text = one_line(message)
    return text if len(text) <= SUBJECT_FROM_MESSAGE else f"{text[: SUBJECT_FROM_MESSAGE - 1]}…"


def kind_of(about: str) -> About | None:
    begins = about.partition(":")[0]
    return About(begins) if begins in set(About) else None


def subject_key(about: str) -> str:
    """The words for what an appeal is about: its own subject is written for those who answer."""
    kind = kind_of(about)
    return f"support.about.{kind.replace('-', '_')}" if kind and kind in APPEALS else ""


def thing_of(about: str) -> str:
    return about.partition(":")[2]


def is_undecided(status: Status, about: str) -> bool:
    """An appeal that nobody has answered or decided on."""
    return status is Status.OPEN and kind_of(about) in APPEALS


def is_settled(status: Status, about: str) -> bool:
    """A question goes on for as long as its sender likes; what was about something is over."""
    return status is Status.CLOSED and bool(about)


def refuse_closing(status: Status, about: str) -> None:
    """Support closes nothing for good that it has not answered."""
    if status is Status.OPEN and is_settled(Status.CLOSED, about):
        raise AnswerOwed


def refuse_reply(status: Status, about: str) -> None:
    if is_settled(status, about):
        raise TicketSettled


def refuse_answer(status: Status, about: str) -> None:
    if kind_of(about) in DECIDED_ELSEWHERE:
        raise AnsweredElsewhere
    refuse_reply(status, about)


def number_from(text: str) -> int | None:
    """Of the ticket that an address names: none where it names nothing, and 0, which no ticket has,
    where it names no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
    return int(text) if is_number else (0 if text else None)


def status_from(name: str) -> Status | None:
    """What a page filters by; empty: all of them."""
    if name and name not in set(Status):
        raise BadArguments
    return Status(name) if name else None


def is_phone_open(now: datetime) -> bool:
    """On weekdays that are no holidays from nine to five, by the clock of the office."""
    there = now.astimezone(HOUSE_ZONE)
    return is_working_day(there.date()) and OPENS <= there.time() < CLOSES
