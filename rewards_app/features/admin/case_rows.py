"""What is known of a case, as its page shows it."""

from dataclasses import asdict
from typing import Any

from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON
from rewards_app.features.admin.change_rows import changed
from rewards_app.features.fraud.case_rules import level_of
from rewards_app.features.fraud.cases import Case, Event, Holding, View

NOT_KNOWN = dict.fromkeys(
    (
        *("required_seconds", "watched_seconds", "client_seconds", "accounts"),
        *("gap_ms", "spread_ms"),
    ),
    "–",
)
"""What a signal's words may name, where its evidence lacks it."""


def figures(found: Case) -> dict[str, Any]:
    return {
        "balance": found.balance.balance,
        "held": found.balance.held,
        "total": found.balance.total,
        "ads": found.balance.ads,
        "ads_today": found.ads_today,
        "risk": found.risk,
        "level": level_of(found.risk).value,
        "signals": found.signals,
    }


def held(holding: Holding) -> dict[str, Any]:
    return asdict(holding) | {
        "id": str(holding.id),
        "since": holding.since.isoformat(),
        "ticket": str(holding.ticket or ""),
        "has_words": holding.reason != AUTOMATIC_REASON,
    }


def event(happened: Event) -> dict[str, Any]:
    """As the page shows it: its texts find their parameters by name."""
    told = happened.told
    row: dict[str, Any] = {"id": happened.key, "at": happened.at.isoformat(), "what": happened.what}
    match happened.what:
        case "signal":
            row |= {
                **told,
                "evidence": NOT_KNOWN | told["evidence"],
                "level": level_of(told["risk"]).value,
            }
        case "restricted":
            row |= {**told, "has_words": told["reason"] != AUTOMATIC_REASON}
        case "audit":
            row |= {**told, "changes": changed(told["before"], told["after"])}
        case _:
            row |= told
    return row


def view(seen: View) -> dict[str, Any]:
    can_be_credited = seen.status == "rewarded" and seen.parts > 0 and not seen.is_credited
    return asdict(seen) | {
        "id": str(seen.id),
        "started_at": seen.started_at.isoformat(),
        "can_be_credited": can_be_credited,
    }
