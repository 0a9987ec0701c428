"""What is kept for how long, and why: the jobs of each slice forget it when its time is over.

Pure.
"""

from dataclasses import dataclass
from enum import StrEnum


class Period(StrEnum):
    """Each has its words in every catalogue, under `retention.periods.`."""

    AS_ACCOUNT = "as_account"
    FOR_GOOD = "for_good"
    TWO_YEARS = "two_years"
    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Kept:
    """Its words are `retention.kept.<name>` and `retention.kept.<name>_why`."""

    name: str
    period: Period
    jobs: tuple[str, ...] = ()
    """Those that forget it."""


KEPT = (
    Kept("account", Period.AS_ACCOUNT, ("privacy.erase_due",)),
    Kept("unproven", Period.MONTH, ("privacy.forget_never_proven",)),
    Kept("coins", Period.FOR_GOOD),
    Kept("support", Period.TWO_YEARS, ("support.forget",)),
    Kept(
        "activity",
        Period.YEAR,
        (
            "accounts.forget_activity",
            "signals.forget",
            "fraud.forget_simulations",
            "alerts.forget_resolved",
            "ads.forget_traces",
        ),
    ),
    Kept("attackers", Period.QUARTER, ("alerts.forget_addresses",)),
    Kept("drafts", Period.YEAR, ("forum.forget_drafts",)),
    Kept("notifications", Period.QUARTER, ("notifications.forget",)),
    Kept("unread", Period.YEAR, ("notifications.forget",)),
    Kept("guardians", Period.MONTH, ("guardians.forget",)),
    Kept("mails", Period.MONTH, ("health.forget",)),
    Kept("waitlist", Period.MONTH, ("waitlist.forget",)),
    Kept("exports", Period.WEEK, ("privacy.tidy_exports", "accounts.forget_expired")),
)
