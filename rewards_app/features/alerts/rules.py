"""What admins are alerted of, and how much it matters. Pure."""

import unicodedata
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from ipaddress import ip_address

from rewards_app.core.errors import DomainError

LONGEST_PARAM = 200
ADDRESS_KEPT_FOR = timedelta(days=90)
"""How long an alert names the address from where it was caused, after it happened last."""


class UnknownAlert(DomainError):
    code = "alerts.unknown"
    title = "alerts.not_resolved"


class ResolvedMeanwhile(DomainError):
    """Another admin was quicker: resolved is resolved, once."""

    code = "alerts.resolved_meanwhile"
    title = "alerts.not_resolved"


class Severity(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Kind(StrEnum):
    """Each has its words in every catalogue: `alerts.kinds.<kind>`, with the alert's params."""

    LEDGER_DIFFERENCE = "ledger_difference"
    LEDGER_SKIP = "ledger_skip"
    PURCHASE_DIFFERENCE = "purchase_difference"
    ADVERTISER_DIFFERENCE = "advertiser_difference"
    ADVERTISER_BELOW_ZERO = "advertiser_below_zero"
    ADVERTISER_LEFT_MONEY = "advertiser_left_money"
    ADVERTISER_RENAMED = "advertiser_renamed"
    PAYMENT_OTHER_CHECKOUT = "payment_other_checkout"
    PAYMENT_OTHER_AMOUNT = "payment_other_amount"
    PAYMENT_PAID_TWICE = "payment_paid_twice"
    PAYMENT_PARTLY_RETURNED = "payment_partly_returned"
    PAYMENT_REFUND_FAILED = "payment_refund_failed"
    PAYMENT_DISPUTED = "payment_disputed"
    PAYMENT_DISPUTE_LOST = "payment_dispute_lost"
    PAYMENT_UNSETTLED = "payment_unsettled"
    PAYMENT_UNKNOWN = "payment_unknown"
    BOARDS_DIFFERENCE = "boards_difference"
    MONTHS_MISSING = "months_missing"
    REPLICA_AWAY = "replica_away"
    AUDIT_BROKEN = "audit_broken"
    WEBHOOK_FORGED = "webhook_forged"
    SIGN_INS_FAILED = "sign_ins_failed"
    ACCOUNT_LOCKED = "account_locked"
    FACTOR_GUESSED = "factor_guessed"
    PASSKEY_COPIED = "passkey_copied"
    FACTOR_RESET_ASKED = "factor_reset_asked"
    ADMIN_MADE = "admin_made"
    ROLE_CHANGED = "role_changed"
    SESSION_IN_TWO_PLACES = "session_in_two_places"
    LIMIT_STORM = "limit_storm"
    DENIED_STORM = "denied_storm"
    ACCOUNT_SUSPENDED = "account_suspended"
    EARNING_PAUSED = "earning_paused"


SEVERITIES: dict[Kind, Severity] = {
    Kind.LEDGER_DIFFERENCE: Severity.CRITICAL,
    Kind.LEDGER_SKIP: Severity.CRITICAL,
    Kind.PURCHASE_DIFFERENCE: Severity.CRITICAL,
    Kind.ADVERTISER_DIFFERENCE: Severity.CRITICAL,
    Kind.ADVERTISER_BELOW_ZERO: Severity.HIGH,
    Kind.ADVERTISER_LEFT_MONEY: Severity.HIGH,
    Kind.ADVERTISER_RENAMED: Severity.MEDIUM,
    Kind.PAYMENT_OTHER_CHECKOUT: Severity.CRITICAL,
    Kind.PAYMENT_OTHER_AMOUNT: Severity.CRITICAL,
    Kind.PAYMENT_PAID_TWICE: Severity.CRITICAL,
    Kind.PAYMENT_PARTLY_RETURNED: Severity.CRITICAL,
    Kind.PAYMENT_REFUND_FAILED: Severity.CRITICAL,
    Kind.PAYMENT_DISPUTED: Severity.CRITICAL,
    Kind.PAYMENT_DISPUTE_LOST: Severity.CRITICAL,
    Kind.PAYMENT_UNSETTLED: Severity.CRITICAL,
    Kind.PAYMENT_UNKNOWN: Severity.CRITICAL,
    Kind.BOARDS_DIFFERENCE: Severity.MEDIUM,
    Kind.MONTHS_MISSING: Severity.MEDIUM,
    Kind.REPLICA_AWAY: Severity.LOW,
    Kind.AUDIT_BROKEN: Severity.CRITICAL,
    Kind.WEBHOOK_FORGED: Severity.HIGH,
    Kind.SIGN_INS_FAILED: Severity.HIGH,
    Kind.ACCOUNT_LOCKED: Severity.MEDIUM,
    Kind.FACTOR_GUESSED: Severity.HIGH,
    Kind.PASSKEY_COPIED: Severity.HIGH,
    Kind.FACTOR_RESET_ASKED: Severity.MEDIUM,
    Kind.ADMIN_MADE: Severity.HIGH,
    Kind.ROLE_CHANGED: Severity.LOW,
    Kind.SESSION_IN_TWO_PLACES: Severity.HIGH,
    Kind.LIMIT_STORM: Severity.MEDIUM,
    Kind.DENIED_STORM: Severity.HIGH,
    Kind.ACCOUNT_SUSPENDED: Severity.HIGH,
    Kind.EARNING_PAUSED: Severity.MEDIUM,
}


def address_from(raw: str | None) -> str | None:
    """The address as it is written usually; None for what is none."""
    with suppress(ValueError):
        return str(ip_address((raw or "").strip()))
    return None


def plain(text: str) -> str:
    """What somebody else wrote, as one line: nothing in it is unseen or turns the line around."""
    seen = "".join(" " if _is_unseen(character) else character for character in text)
    return " ".join(seen.split())[:LONGEST_PARAM]


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
