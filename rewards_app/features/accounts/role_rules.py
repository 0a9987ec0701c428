"""Who may give whom another role. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.errors import DomainError, FieldRefused, NotAllowed

SHORTEST_REASON, LONGEST_REASON = 3, 500


class UnknownAccount(DomainError):
    """There never was one, or whoever it belonged to is forgotten for good."""

    code = "roles.unknown_account"


class OwnRole(DomainError):
    """Nobody decides on themselves: another admin does, or the command line."""

    code = "roles.own"


class Unchanged(DomainError):
    code = "roles.unchanged"


class DecidedMeanwhile(DomainError):
    """Whoever asks has seen another role than the account has by now."""

    code = "roles.decided_meanwhile"


class NotVerified(DomainError):
    """An admin whose address nobody has proven could be anybody."""

    code = "roles.not_verified"


class IsRestricted(DomainError):
    """What somebody is suspended for is settled before they get more power."""

    code = "roles.is_restricted"


class ActsForCompany(DomainError):
    """`company` would be left with somebody who decides on its own ads."""

    code = "roles.acts_for_company"


class ReasonTooShort(FieldRefused):
    """Less than `least` characters say nothing."""

    code = "roles.reason_too_short"


class ReasonTooLong(FieldRefused):
    code = "roles.reason_too_long"


@dataclass(frozen=True, slots=True)
class Person:
    """What counts of an account when its role is decided on."""

    account_id: UUID
    role: Role
    asked_for_admin: bool
    is_verified: bool
    is_suspended: bool
    acts_for: str
    """A company's name; empty for none."""


def refuse_wrong(actor: Actor | None, person: Person, role: Role, admins: Collection[UUID]) -> None:
    """`admins` are those who can sign in as such; nobody is `actor` where the command line asks.

    Whoever decides stays an admin, so that the last one cannot go. The command line may do all but
    what nobody may: it is the way back in.
    """
    if actor:
        _refuse_to_admins(actor, person, role, admins)
    if role is Role.ADMIN and person.acts_for:
        raise ActsForCompany(company=person.acts_for)


def _refuse_to_admins(actor: Actor, person: Person, role: Role, admins: Collection[UUID]) -> None:
    if actor.user_id not in admins:
        raise NotAllowed
    if actor.user_id == person.account_id:
        raise OwnRole
    if not changes_something(person, role):
        raise Unchanged
    if role is Role.ADMIN and not person.is_verified:
        raise NotVerified
    if role is Role.ADMIN and person.is_suspended:
        raise IsRestricted


def changes_something(person: Person, role: Role) -> bool:
    """Whoever asked to become an admin can be told no by leaving them what they are."""
    return person.role is not role or person.asked_for_admin


def reason_from(raw: str) -> str:
    reason = " ".join(raw.split())
    if len(reason) < SHORTEST_REASON:
        raise ReasonTooShort("reason", least=SHORTEST_REASON)
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong("reason", most=LONGEST_REASON)
    return reason
