"""What can be said in the forum, how often, and until when it can be changed. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString

from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.errors import DomainError, Faults, FieldRefused

FORUM_ROLES = MEMBER_ROLES
CATEGORIES = ("fortnite", "roblox", "minecraft", "apex", "general")
"""Each has its name in every catalogue, under `forum.categories.`."""
DICTIONARIES: dict[str, LiteralString] = {
    "en": "english",
    "sv": "swedish",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pl": "simple",
    "ru": "russian",
}
"""PostgreSQL's own for the language of a text; it knows no Polish."""

SHORTEST_TITLE, LONGEST_TITLE = 3, 120
SHORTEST_TEXT, LONGEST_TEXT = 10, 5000
LONGEST_REPLY = 3000
LONGEST_DRAFT = 10_000
"""More than can be posted: what is too long waits to be shortened."""
LONGEST_QUERY = 200
SHORTEST_BEGINNING = 3
"""A shorter one begins too many words, and too many names."""
LONGEST_EXCERPT = 200
HOT_ABOVE = 20
MOST_MENTIONS = 5
ONLINE_WITHIN = timedelta(minutes=15)
EDIT_WITHIN = timedelta(minutes=30)
NEW_FOR = timedelta(days=7)
LINKS_OF_NEW = 2
TOPIC_OF_NEW_EVERY, REPLY_OF_NEW_EVERY = timedelta(minutes=2), timedelta(seconds=30)
TOPICS_AN_HOUR, REPLIES_AN_HOUR = 20, 120

_SCHEME = re.compile(r"https?://")
_ADDRESS = re.compile(
    r"^www\.|[\w-]\.[a-z]{2,24}[/?]\S|[\w-]\.(?:com|net|org|io|gg|tv|xyz)(?:[.,!)]|$)"
)
_TURNS_TEXT = re.compile("[\u202a-\u202e\u2066-\u2069]")
INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp", "Zs", "Mn", "Me"})
_MANY_LINES = re.compile(r"\n{4,}")


class CategoryMissing(FieldRefused):
    code = "forum.category_missing"


class TitleTooShort(FieldRefused):
    """Fewer than `count` characters."""

    code = "forum.title_too_short"


class TitleTooLong(FieldRefused):
    """More than `count` characters."""

    code = "forum.title_too_long"


class TextTooShort(FieldRefused):
    """Fewer than `count` characters."""

    code = "forum.text_too_short"


class TextTooLong(FieldRefused):
    """More than `count` characters."""

    code = "forum.text_too_long"


class TooManyLinks(FieldRefused):
    """A new account's text has more than `count`."""

    code = "forum.too_many_links"


class QueryTooLong(FieldRefused):
    """More than `count` characters."""

    code = "forum.query_too_long"


class TooSoon(DomainError):
    """The next one can be posted in `count` seconds."""

    code = "forum.too_soon"


class TooSoonByMinutes(TooSoon):
    """The same in `count` minutes, where it is one or more."""

    code = "forum.too_soon_by_minutes"


class TooMany(DomainError):
    """So many within an hour; the next one can be posted in `count` minutes."""

    code = "forum.too_many"


class Locked(DomainError):
    """A moderator locked the topic: nobody replies any more."""

    code = "forum.locked"


class EditedTooLate(DomainError):
    """More than `count` minutes ago: others have answered what was there."""

    code = "forum.edited_too_late"


def category_from(raw: str) -> str:
    """What an address says; empty stands for all of them."""
    return raw if raw in CATEGORIES else ""


def dictionary_of(language: str) -> str:
    return DICTIONARIES.get(language, "simple")


@dataclass(frozen=True, slots=True)
class NewTopic:
    category: str
    title: str
    content: str


def topic_from(category: str, title: str, content: str) -> NewTopic:
    with Faults() as faults:
        return NewTopic(
            faults.read(_chosen, category),
            faults.read(title_from, title),
            faults.read(text_from, content, SHORTEST_TEXT, LONGEST_TEXT),
        )


def _chosen(category: str) -> str:
    if category not in CATEGORIES:
        raise CategoryMissing("category")
    return category


def title_from(raw: str) -> str:
    title = " ".join(_cleaned(raw).split())
    if _visible(title) < SHORTEST_TITLE:
        raise TitleTooShort("title", count=SHORTEST_TITLE)
    if len(title) > LONGEST_TITLE:
        raise TitleTooLong("title", count=LONGEST_TITLE)
    return title


def reply_from(raw: str) -> str:
    return text_from(raw, 1, LONGEST_REPLY)


def text_from(raw: str, shortest: int, longest: int) -> str:
    text = _MANY_LINES.sub("\n\n\n", _cleaned(raw)).strip()
    if _visible(text) < shortest:
        raise TextTooShort("content", count=shortest)
    if len(text) > longest:
        raise TextTooLong("content", count=longest)
    return text


def _visible(text: str) -> int:
    """How many characters leave a mark; spaces within count, invisible ones do not."""
    return sum(character == " " or character in "\n" or _is_mark(character) for character in text)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) not in INVISIBLE


def _cleaned(raw: str) -> str:
    """Without the marks that turn the text around them, and with one kind of line end."""
    return _TURNS_TEXT.sub("", raw.replace("\r\n", "\n").replace("\r", "\n"))


def query_from(raw: str) -> str:
    query = " ".join(_cleaned(raw).split())
    if len(query) > LONGEST_QUERY:
        raise QueryTooLong("query", count=LONGEST_QUERY)
    return query


def is_begun(word: str) -> bool:
    """Whether it may be the beginning of a longer one."""
    return len(word) >= SHORTEST_BEGINNING


def is_last_word_begun(query: str) -> bool:
    """Not where words are left out, asked for as a phrase, or one or the other."""
    if set(query) & {"-", '"'} or "or" in query.lower().split():
        return False
    return is_begun(query.rpartition(" ")[2])


def excerpt(part: str, whole: str) -> str:
    """In one line, with a sign where it goes on. What is short is not cut; and where nothing is
    left of `part`, as of a text that is all signs, it is the beginning."""
    whole = " ".join(whole.split())
    if len(whole) <= LONGEST_EXCERPT:
        return whole
    part = (" ".join(part.split()) or whole)[:LONGEST_EXCERPT]
    before = "" if whole.startswith(part) else "… "
    after = "" if whole.endswith(part) else " …"
    return f"{before}{part}{after}"


def links_in(text: str) -> int:
    """How many addresses there are, also those written without their beginning."""
    return sum(
        len(_SCHEME.findall(word)) or bool(_ADDRESS.search(word)) for word in text.lower().split()
    )


@dataclass(frozen=True, slots=True)
class Writer:
    """What the limits ask of somebody who writes."""

    joined_at: datetime
    last_at: datetime | None
    """When they posted one of the same kind last."""
    within_hour: int = 0
    oldest_at: datetime | None = None
    """The oldest of those within the hour."""

    def is_new(self, now: datetime) -> bool:
        return now - self.joined_at < NEW_FOR


@dataclass(frozen=True, slots=True)
class Pace:
    of_new: timedelta
    an_hour: int


TOPICS = Pace(TOPIC_OF_NEW_EVERY, TOPICS_AN_HOUR)
REPLIES = Pace(REPLY_OF_NEW_EVERY, REPLIES_AN_HOUR)
A_MINUTE, AN_HOUR = timedelta(minutes=1), timedelta(hours=1)


def refuse_haste(writer: Writer, pace: Pace, *, now: datetime) -> None:
    if writer.last_at and writer.is_new(now):
        missing = writer.last_at + pace.of_new - now
        if missing > timedelta(0):
            raise _too_soon(missing)
    if writer.within_hour >= pace.an_hour and writer.oldest_at:
        missing = writer.oldest_at + AN_HOUR - now
        raise TooMany(count=max(1, _rounded_up(missing, A_MINUTE)))


def _too_soon(missing: timedelta) -> TooSoon:
    """In the unit that people would say."""
    if missing < A_MINUTE:
        return TooSoon(count=_rounded_up(missing, timedelta(seconds=1)))
    return TooSoonByMinutes(count=_rounded_up(missing, A_MINUTE))


def refuse_links(writer: Writer, text: str, *, now: datetime) -> None:
    if writer.is_new(now) and links_in(text) > LINKS_OF_NEW:
        raise TooManyLinks("content", count=LINKS_OF_NEW)


def _rounded_up(span: timedelta, unit: timedelta) -> int:
    return -(-span // unit)


def is_editable(state: str) -> bool:
    """What was hidden or deleted does not come back by writing it anew."""
    return state in ("shown", "waiting")


def can_edit(created_at: datetime, now: datetime) -> bool:
    return now - created_at <= EDIT_WITHIN


def refuse_late_edit(created_at: datetime, *, now: datetime) -> None:
    if not can_edit(created_at, now):
        raise EditedTooLate(count=EDIT_WITHIN // timedelta(minutes=1))


def is_hot(is_flagged: bool, likes: int) -> bool:
    return is_flagged or likes > HOT_ABOVE
