"""What is said of one table that holds something on people.

In the conditions `t` is the table, and `%(account)s` the person. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

OWN = "t.account_id = %(account)s"
EMAIL = "(select email from accounts where id = %(account)s)"


class Group(StrEnum):
    """The folders of the archive, and its words: `export.groups.<value>`."""

    ACCOUNT = "account"
    SIGN_IN = "sign_in"
    PRIVACY = "privacy"
    ADS = "ads"
    COINS = "coins"
    SHOP = "shop"
    PLAYER = "player"
    FORUM = "forum"
    SUPPORT = "support"
    COMPANY = "company"
    CHECKS = "checks"


class Why(StrEnum):
    """Why something is not in the archive; its words: `export.why.<value>`."""

    KEY = "key"
    """A key, or the fingerprint of one: it opens something and tells nothing."""
    OTHERS = "others"
    """It is about somebody else."""
    MADE_ANEW = "made_anew"
    """It is worked out from what the archive has, again and again."""
    THE_ARCHIVE = "the_archive"
    NOBODY = "nobody"
    """No row of it is about a person."""


class AtTheEnd(StrEnum):
    """What becomes of a person's rows when the account is erased."""

    DELETED = "deleted"
    UNNAMED = "unnamed"
    """Kept for sums, books and others; what tells who it was is `emptied`, here or by its slice."""


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    table: str
    whose: str = ""
    """Which rows are the person's; empty where none can be."""
    group: Group = Group.ACCOUNT
    file: str = ""
    """Its name in the archive; empty where it is not there, for the reason `why_not`."""
    columns: tuple[str, ...] = ()
    left_out: Mapping[str, Why] = field(default_factory=dict[str, Why])
    why_not: Why | None = None
    at_the_end: AtTheEnd = AtTheEnd.DELETED
    emptied: Mapping[str, str] = field(default_factory=dict[str, str])
    """What stands in a column afterwards, as SQL, where the row is kept.

    It may use `%(email)s`, an address of nobody, and `%(nothing)s`, an empty document, sealed.
    """

    @property
    def is_exported(self) -> bool:
        return self.why_not is None


def names(columns: str) -> tuple[str, ...]:
    return tuple(columns.split())


def without(**reasons: str) -> dict[str, Why]:
    return {
        column: Why[why.upper()] for why, columns in reasons.items() for column in names(columns)
    }


def nobodys(*tables: str) -> list[Holding]:
    return [Holding(table, why_not=Why.NOBODY) for table in tables]
