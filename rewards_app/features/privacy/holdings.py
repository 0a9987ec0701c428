"""What is held on a person, table by table: whose each row is, what of it they can take along.

Every table and every column stands here, also those of nobody: what is forgotten here would be
missing from an archive, or left behind when an account is erased. A test compares it with the
tables. Their order counts when an account is erased. Pure.
"""

from collections.abc import Mapping

from rewards_app.features.privacy.account_holdings import ACCOUNT, PRIVACY, SIGN_IN
from rewards_app.features.privacy.company_holdings import COMPANY
from rewards_app.features.privacy.holding import (
    OWN,
    AtTheEnd,
    Group,
    Holding,
    Why,
    names,
    nobodys,
    without,
)
from rewards_app.features.privacy.player_holdings import ADS, COINS, PLAYER, SHOP
from rewards_app.features.privacy.talk_holdings import FORUM, SUPPORT

CHECKS: tuple[Holding, ...] = (
    Holding(
        "fraud_signals",
        OWN,
        Group.CHECKS,
        "fraud_signals",
        names("id account_id rule risk_score patterns action_taken evidence created_at"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "evidence": "'{}'",
        },
    ),
    Holding(
        "fraud_simulations",
        "t.asked_by = %(account)s",
        Group.CHECKS,
        "simulations_that_you_asked_for",
        names("id asked_by status since views expected asked_at heard_at"),
        without(others="before weights result"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "fraud_simulations",
        "position(%(account)s::text in t.result::text) > 0",
        Group.CHECKS,
        why_not=Why.OTHERS,
    ),
    Holding(
        "security_alerts",
        OWN,
        Group.CHECKS,
        "security_alerts",
        names(
            "id severity alert_type ip_address account_id about times last_at resolved resolved_at"
            " created_at"
        ),
        # Its words may name who of the staff did it.
        without(others="description params resolved_by"),
    ),
)
"""What looked wrong."""

HOLDINGS: tuple[Holding, ...] = (
    *ACCOUNT,
    *SIGN_IN,
    *PRIVACY,
    *ADS,
    *COINS,
    *SHOP,
    *PLAYER,
    *FORUM,
    *SUPPORT,
    *COMPANY,
    *CHECKS,
    *nobodys("ad_servings", "boards", "board_progress", "board_steps", "forum_counts"),
    *nobodys("arrival_days", "detached_months", "ledger_days", "opened_doors", "running_views"),
    *nobodys("fraud_days", "fraud_weights", "health_samples", "invoice_numbers", "job_runs"),
)

EXPORTED: tuple[Holding, ...] = tuple(holding for holding in HOLDINGS if holding.is_exported)

SEALED: Mapping[str, frozenset[str]] = {
    "account_closures": frozenset({"hidden"}),
    "accounts": frozenset({"phone", "birth_date"}),
    "advertisers": frozenset({"phone"}),
    "gift_codes": frozenset({"code"}),
    "guardian_consents": frozenset({"email"}),
    "payment_events": frozenset({"payload"}),
}
"""The columns of archives that only our key can read: they are opened for their owner."""
