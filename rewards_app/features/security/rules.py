"""What Account Security shows, and when its password form is filled in. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from rewards_app.core.errors import DomainError

ERROR = "security.error"
KEY_GROUP = 4


class Section(StrEnum):
    """The values of ?section=."""

    PASSWORD = "password"  # noqa: S105  the name of a section
    SESSIONS = "sessions"
    TWO_FACTOR = "two-factor"
    DANGER = "danger"


class FieldsMissing(DomainError):
    code = "security.fields_missing"
    title = ERROR


class PasswordsDiffer(DomainError):
    code = "security.passwords_differ"
    title = ERROR


class PasswordNotUpdated(DomainError):
    """A defect of ours."""

    code = "security.password_not_updated"
    title = ERROR


class Chosen(NamedTuple):
    old: str
    new: str


def section_from(asked: str | None) -> Section:
    return Section(asked) if asked in set(Section) else Section.PASSWORD


def chosen_password(form: Mapping[str, str], *, has_password: bool) -> Chosen:
    """The present and the new password of a form; who has none yet is not asked for it."""
    old, new, again = (form.get(name, "") for name in ("password", "new", "again"))
    if not new or not again or (has_password and not old):
        raise FieldsMissing
    if new != again:
        raise PasswordsDiffer
    return Chosen(old, new)


def in_groups(secret: str) -> str:
    """As people copy it from one screen to another: QK5D 6PZ3 W2ME."""
    groups = (secret[at : at + KEY_GROUP] for at in range(0, len(secret), KEY_GROUP))
    return " ".join(groups)
