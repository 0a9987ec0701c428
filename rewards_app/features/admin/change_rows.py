"""What a line of the audit log says was changed, as pages show it."""

from collections.abc import Mapping, Sequence
from typing import Any

from rewards_app.features.audit import rules
from rewards_app.features.audit.rules import Change
from rewards_app.i18n import catalogues

NAMES = ("audit.fields", "fraud.rules")
VALUES = (
    *("audit.values", "audit.actions", "audit.origins"),
    *("alerts.severity", "ads_desk.kind", "campaigns.status"),
)
AS_TYPED = ("search", "name", "title", "description")
"""Somebody's own words, even where they are those of the catalogue."""
NOBODY: Mapping[str, str] = {}


def changed(
    before: Mapping[str, Any], after: Mapping[str, Any], people: Mapping[str, str] = NOBODY
) -> list[dict[str, str]]:
    """Name by name; `people` are the names of those whose ids it may hold."""
    return [_row(change, people) for change in rules.changes_of(before, after)]


def _row(change: Change, people: Mapping[str, str]) -> dict[str, str]:
    """Names and values that the catalogue knows by their key, all others as they are."""
    after = change.after or ""
    kinds = () if change.name in AS_TYPED else VALUES
    return {
        "name": change.name,
        "name_key": key_of(NAMES, change.name),
        "before": change.before or "",
        "before_key": key_of(kinds, change.before),
        "after": people.get(after, after),
        "after_key": key_of(kinds, change.after),
    }


def key_of(kinds: Sequence[str], said: str | None) -> str:
    """Empty where the catalogue does not know it."""
    keys = (f"{kind}.{said}" for kind in kinds if said)
    return next((key for key in keys if key in catalogues.interface("en")), "")
