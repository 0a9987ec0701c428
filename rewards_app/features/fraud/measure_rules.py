"""Who may restrict whom, and with which words. Pure."""

import unicodedata

from rewards_app.core.actor import PLAYING_ROLES, Actor, Role
from rewards_app.core.errors import DomainError, FieldRefused, NotAllowed
from rewards_app.features.accounts.restriction_rules import Kind

SHORTEST_REASON, LONGEST_REASON = 3, 500
JOINERS = "\u200c\u200d"
"""They hold signs together; whatever else has no width could hide or turn what is written."""


class ReasonTooShort(FieldRefused):
    """Less than `least` characters say nothing."""

    code = "fraud.reason_too_short"


class ReasonTooLong(FieldRefused):
    code = "fraud.reason_too_long"


class NotYourself(DomainError):
    """Nobody measures themselves."""

    code = "fraud.not_yourself"


class AdminFirst(DomainError):
    """An admin's role is taken away before anything else is."""

    code = "fraud.admin_first"


class EarnsNothing(DomainError):
    """Companies and admins watch no ads for coins."""

    code = "fraud.earns_nothing"


class DecidedMeanwhile(DomainError):
    """By another admin, by the app itself, or in another tab."""

    code = "fraud.decided_meanwhile"


class CreditedInPart(DomainError):
    """It broke off: `done` of the `wanted` views are credited, and stay so."""

    code = "fraud.credited_in_part"
    title = "errors.fraud.credited_in_part_title"


class UnknownAccount(DomainError):
    code = "fraud.unknown_account"


def reason_from(raw: str) -> str:
    """The reason as its reader sees it: several lines, nothing unseen."""
    said = "".join(c for c in unicodedata.normalize("NFC", raw) if _is_written(c))
    lines = (" ".join(line.split()) for line in said.strip().splitlines())
    reason = "\n".join(lines).strip()
    if sum(_can_be_seen(c) for c in reason) < SHORTEST_REASON:
        raise ReasonTooShort("reason", least=SHORTEST_REASON)
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong("reason", most=LONGEST_REASON)
    return reason


def _is_written(character: str) -> bool:
    kept = character in JOINERS or character in "\n\t"
    return kept or unicodedata.category(character)[0] != "C"


def _can_be_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS"


def refuse_measure(actor: Actor | None, account_id: object, role: Role, kind: Kind) -> None:
    """Refuse who may not decide this about that account; None is the app itself."""
    refuse_decision(actor, account_id)
    if role is Role.ADMIN:
        raise AdminFirst
    if kind is Kind.EARNING_PAUSED and role not in PLAYING_ROLES:
        raise EarnsNothing


def refuse_decision(actor: Actor | None, account_id: object) -> None:
    """Only admins decide, and nobody about themselves: not even to lift what holds them."""
    if actor is None:
        return
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    if actor.user_id == account_id:
        raise NotYourself
