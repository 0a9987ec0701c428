"""Which passwords are strong enough, too well known or too old. Pure but for one word list."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

from rewards_app.core.errors import DomainError
from rewards_app.features.accounts.reserved_names import HOUSE

LONGEST_PASSWORD = 128
VALID_SCORE = 4
SHORTEST_CLUE = 4
ROTATION_WARNING_DAYS = 7


class WeakPassword(DomainError):
    """`missing` lists the keys of what the password must still include."""

    code = "accounts.weak_password"
    title = "errors.accounts.weak_password_title"


class ShortPassword(WeakPassword):
    """The specification has words of its own for it, which say all that is needed at once."""

    code = "accounts.short_password"


class KnownPassword(DomainError):
    """Among the first guesses, whoever makes them."""

    code = "accounts.known_password"
    title = "errors.accounts.weak_password_title"


class PersonalPassword(KnownPassword):
    """Among the first guesses of whoever knows the person: it has their name or email in it."""

    code = "accounts.personal_password"


REFUSALS = (WeakPassword, KnownPassword)


class SamePassword(DomainError):
    """The new password is the present one."""

    code = "accounts.same_password"


class PasswordTooLong(DomainError):
    """Hashing takes longer the longer the password is; `most` is the limit."""

    code = "accounts.password_too_long"


def _is_special(character: str) -> bool:
    return character == " " or unicodedata.category(character)[0] in "PS"


# One point each, in the specification's order.
RULES: dict[str, Callable[[str], bool]] = {
    "length": lambda password: len(password) >= 8,
    "uppercase": lambda password: any(map(str.isupper, password)),
    "lowercase": lambda password: any(map(str.islower, password)),
    "digit": lambda password: any(map(str.isdecimal, password)),
    "special": lambda password: any(map(_is_special, password)),
}
# A repetition is as guessable as a known beginning, so both are common patterns; the 2 points go
# once however many are found, because the specification takes them for "a common pattern".
COMMON_PATTERNS = {
    "common_pattern": re.compile(r"password|123456|qwerty", re.IGNORECASE),
    "repeated": re.compile(r".*?(.)\1\1", re.DOTALL),
}
COMMON_PATTERN_COST = 2
LABELS = ("weak", "weak", "weak", "fair", "good", "strong")


@dataclass(frozen=True, slots=True)
class PasswordCheck:
    """How a password stands against the rules; `missing` has the unmet ones in their order."""

    score: int
    missing: tuple[str, ...]

    @property
    def label(self) -> str:
        return LABELS[self.score]

    @property
    def is_valid(self) -> bool:
        return self.score >= VALID_SCORE and not self.missing


def check_password(password: str) -> PasswordCheck:
    # Composed first: a decomposed é would count as two characters.
    composed = unicodedata.normalize("NFC", password)
    unmet = [rule for rule, is_met in RULES.items() if not is_met(composed)]
    patterns = [name for name, pattern in COMMON_PATTERNS.items() if pattern.match(composed)]
    score = len(RULES) - len(unmet) - (COMMON_PATTERN_COST if patterns else 0)
    return PasswordCheck(score=max(0, score), missing=(*unmet, *patterns))


def refuse_weak(password: str, *, about: Iterable[str] = ()) -> None:
    """Raise the reason why `password` may not be used; `about` holds the person's email and names.

    Someone who knows the person tries those first.
    """
    if len(password) > LONGEST_PASSWORD:
        raise PasswordTooLong(most=LONGEST_PASSWORD)
    if missing := check_password(password).missing:
        kind = ShortPassword if "length" in missing else WeakPassword
        raise kind(missing=[f"password.missing.{rule}" for rule in missing])
    if is_widely_known(password) or _gives_away(password, (HOUSE,)):
        raise KnownPassword
    if _gives_away(password, about):
        raise PersonalPassword


# What people write instead of letters. 1 and ! stand for i as often as for l, hence two readings;
# the last one undoes the shift key on the row of digits, for walks such as !QAZ2wsx.
_LEET = dict(zip("@48(3€690$57+2", "aabceeggossttz", strict=True))
_READINGS: tuple[dict[int, str], ...] = tuple(
    {ord(written): meant for written, meant in reading.items()}
    for reading in (
        {},
        _LEET | dict.fromkeys("1!|", "i"),
        _LEET | dict.fromkeys("1!|", "l"),
        dict(zip("!@#$%^&*()", "1234567890", strict=True)),
    )
)
# No listed word has more digits than this before its first letter or after its last one.
_LONGEST_DECORATION = 12
# Letters that Unicode does not decompose into a plain one and a mark.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d"})


def is_widely_known(password: str) -> bool:
    """Whether `password` is a word of the list in disguise: capitals, leetspeak, digits around it.

    Anything longer than the limit is no word of the list, and is not looked at.
    """
    if len(password) > LONGEST_PASSWORD:
        return False
    known = _known_passwords()
    return any(guess in known for guess in _guesses(_folded(password)))


@cache
def _known_passwords() -> frozenset[str]:
    lines = Path(__file__).with_name("common_passwords.txt").read_text("utf-8").splitlines()
    words = [_folded(line) for line in lines if line and not line.startswith("#")]
    return frozenset(word.translate(reading) for word in words for reading in _READINGS)


def _folded(text: str) -> str:
    """`text` without capitals and accents, so that `Hasło` and `haslo` are one word."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_STROKES))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def _guesses(folded: str) -> Iterator[str]:
    for core in _cores(folded):
        for reading in _READINGS:
            read = core.translate(reading)
            yield read
            yield _unit(_squashed(read))


def _cores(folded: str) -> Iterator[str]:
    """`folded` with every length of the digits and punctuation around its letters cut off.

    Every length, because what looks like decoration may belong to the word: `$ecret1`, `ninj@1`.
    """
    letters = [at for at, character in enumerate(folded) if character.isalpha()]
    if not letters:
        yield folded
        return
    first, last = letters[0], letters[-1] + 1
    for start in range(max(0, first - _LONGEST_DECORATION), first + 1):
        for end in range(last, min(len(folded), last + _LONGEST_DECORATION) + 1):
            yield folded[start:end]


def _squashed(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _unit(text: str) -> str:
    """What `text` repeats: `dragon` for `dragondragon`; without a repetition, `text`."""
    return text[: (text + text).find(text, 1)]


def _gives_away(password: str, about: Iterable[str]) -> bool:
    folded = _folded(password)
    return any(
        clue.translate(reading) in folded.translate(reading)
        for clue in _clues(about)
        for reading in _READINGS
    )


def _clues(about: Iterable[str]) -> Iterator[str]:
    """The names and email local parts, whole and word by word; short ones would hit by chance."""
    for fact in about:
        whole = _folded(fact.partition("@")[0]).strip()
        for clue in {whole, _squashed(whole), *re.findall(r"[^\W_]+", whole)}:
            if len(clue) >= SHORTEST_CLUE:
                yield clue


class PasswordAge(NamedTuple):
    """What the banner tells. A day that has begun still counts as remaining."""

    days_remaining: int
    needs_rotation: bool

    @property
    def is_warning(self) -> bool:
        return 1 <= self.days_remaining <= ROTATION_WARNING_DAYS


def password_notice(changed_at: datetime, rotation_days: int, now: datetime) -> PasswordAge | None:
    """None where passwords never expire."""
    if rotation_days == 0:
        return None
    left = ceil((changed_at + timedelta(days=rotation_days) - now) / timedelta(days=1))
    return PasswordAge(days_remaining=max(0, left), needs_rotation=left <= 0)
