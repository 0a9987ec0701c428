"""What is written down of an action, and how one line is tied to the one before. Pure."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast
from uuid import UUID

from rewards_app.core.errors import BadArguments

FIRST = "0" * 64
"""What the first line is tied to."""


class Origin(StrEnum):
    PERSON = "person"
    COMMAND_LINE = "command_line"
    AUTOMATION = "automation"


class Action(StrEnum):
    """Each has its words in every catalogue, under `audit.actions.`."""

    APPLICATION_APPROVED = "application_approved"
    APPLICATION_REJECTED = "application_rejected"
    AD_APPROVED = "ad_approved"
    AD_REJECTED = "ad_rejected"
    AD_KEPT = "ad_kept"
    AD_MADE = "ad_made"
    AD_CHANGED = "ad_changed"
    AD_PAUSED = "ad_paused"
    AD_RESUMED = "ad_resumed"
    CAMPAIGN_PLANNED = "campaign_planned"
    CAMPAIGN_CHANGED = "campaign_changed"
    CAMPAIGN_PAUSED = "campaign_paused"
    CAMPAIGN_RESUMED = "campaign_resumed"
    CAMPAIGN_ENDED = "campaign_ended"
    VIEW_CREDITED_BACK = "view_credited_back"
    CODES_IMPORTED = "codes_imported"
    CODES_WITHHELD = "codes_withheld"
    CODES_RELEASED = "codes_released"
    INVOICE_FETCHED = "invoice_fetched"
    INVOICES_SKIPPED = "invoices_skipped"
    ORDER_REFUNDED = "order_refunded"
    ORDER_SENT_AGAIN = "order_sent_again"
    ROLE_CHANGED = "role_changed"
    SESSIONS_ENDED = "sessions_ended"
    VERIFICATION_SENT = "verification_sent"
    FACTOR_RESET_ASKED = "factor_reset_asked"
    FACTOR_RESET_GRANTED = "factor_reset_granted"
    FACTOR_RESET_REFUSED = "factor_reset_refused"
    FACTOR_RESET_CANCELLED = "factor_reset_cancelled"
    FACTOR_RESET_DONE = "factor_reset_done"
    SECOND_FACTOR_OFF = "second_factor_off"
    ADDRESS_BROUGHT_BACK = "address_brought_back"
    BIRTH_DATE_FORGOTTEN = "birth_date_forgotten"
    SUPPORT_ANSWERED = "support_answered"
    SUPPORT_CLOSED = "support_closed"
    EARNING_PAUSED = "earning_paused"
    EARNING_RESUMED = "earning_resumed"
    SUSPENDED = "suspended"
    RESTORED = "restored"
    ALERT_RESOLVED = "alert_resolved"
    WEIGHTS_CHANGED = "weights_changed"
    FORUM_HIDDEN = "forum_hidden"
    FORUM_RESTORED = "forum_restored"
    FORUM_SHOWN_AS_WRITTEN = "forum_shown_as_written"
    FORUM_LOCKED = "forum_locked"
    FORUM_UNLOCKED = "forum_unlocked"
    FORUM_MARKED_HOT = "forum_marked_hot"
    FORUM_UNMARKED_HOT = "forum_unmarked_hot"
    FORUM_REPORTS_DISMISSED = "forum_reports_dismissed"
    FORUM_APPEAL_TURNED_DOWN = "forum_appeal_turned_down"
    PROFILE_HIDDEN = "profile_hidden"
    PROFILE_RENAMED = "profile_renamed"
    PROFILE_RESTORED = "profile_restored"
    PROFILE_REPORTS_DISMISSED = "profile_reports_dismissed"
    PROFILE_APPEAL_TURNED_DOWN = "profile_appeal_turned_down"
    WAITLIST_NOTIFIED = "waitlist_notified"
    WAITLIST_EXPORTED = "waitlist_exported"
    WAITLIST_OPENED = "waitlist_opened"
    AUDIT_EXPORTED = "audit_exported"
    BACKUP_MADE = "backup_made"
    BACKUP_RESTORED = "backup_restored"
    DEMO_MADE = "demo_made"
    ACCOUNT_CLOSED = "account_closed"
    PERSON_ERASED = "person_erased"


Values = Mapping[str, str | int | bool | Sequence[str] | None]
"""What was changed, by name: no floats, so that it reads the same for ever."""


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    created_at: datetime
    origin: str
    actor_id: UUID | None
    actor_name: str
    action: str
    about: str
    label: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str
    salt: str = ""

    @property
    def is_erased(self) -> bool:
        """Its words are gone; that it was written stays, and what came of it."""
        return not self.salt


@dataclass(frozen=True, slots=True)
class Search:
    """Which lines are wanted: all that is given must fit."""

    text: str = ""
    """Words of names, labels and reasons; the last one may be only begun."""
    action: Action | None = None
    by: UUID | Origin | None = None
    about: str = ""

    @property
    def values(self) -> dict[str, str]:
        """As it stays written down of an export: what was asked for, nothing else."""
        asked = {
            "search": self.text,
            "action": self.action.value if self.action else "",
            "by": str(self.by or ""),
            "about": self.about,
        }
        return {name: value for name, value in asked.items() if value}


LONGEST_TEXT, LONGEST_ABOUT = 200, 120


def search_from(text: str, action: str, by: str, about: str) -> Search:
    """What a page asks for; what no page asks for is refused."""
    if len(text) > LONGEST_TEXT or len(about) > LONGEST_ABOUT or "\0" in text + about:
        raise BadArguments
    try:
        return Search(
            text=text.strip(),
            action=Action(action) if action else None,
            by=_who(by) if by else None,
            about=about.strip(),
        )
    except ValueError:
        raise BadArguments from None


def _who(by: str) -> UUID | Origin:
    return Origin(by) if by in set(Origin) else UUID(by)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not what it was; None where there was, or is, nothing."""

    name: str
    before: str | None
    after: str | None


def changes_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What an action changed, name by name; what stayed as it was is left out."""
    names = dict.fromkeys([*before, *after])
    found = (Change(name, _said(before.get(name)), _said(after.get(name))) for name in names)
    return [change for change in found if change.before != change.after]


def _said(value: Any) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, Any]", value).items()
        return ", ".join(f"{name}: {_said(part)}" for name, part in parts)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(_said(part)) for part in cast("Sequence[Any]", value))
    return None if value is None else str(value)


def digest_of(line: Line) -> str:
    """What stands for the words of a line in the chain: they can be erased, it stays."""
    return _hashed(_words_of(line))


def _words_of(line: Line) -> list[Any]:
    """What erasing empties, and the digest holds."""
    return [line.salt, line.actor_name, line.label, line.before, line.after, line.reason]


def says_what_it_said(line: Line, digest: str, *, erased_at: datetime | None) -> bool:
    """A line has the words that it was written with, or none: what else it has is forged."""
    if erased_at is None:
        return digest == digest_of(line)
    return not any(_words_of(line))


def chained(previous: str, line: Line, digest: str = "") -> str:
    """The hash of a line: a changed word, a missing or an added line breaks all that follow.

    Of a line whose words are erased the digest is what was kept of them.
    """
    return _hashed(
        [
            previous,
            line.number,
            line.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
            line.origin,
            str(line.actor_id or ""),
            line.action,
            line.about,
            digest or digest_of(line),
        ]
    )


def _hashed(fields: Sequence[Any]) -> str:
    said = json.dumps(fields, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
