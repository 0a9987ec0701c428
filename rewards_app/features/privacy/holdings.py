"""What is held on a person, table by table: whose each row is, what of it they can take along.

Every table and every column stands here, also those of nobody: what is forgotten here would be
missing from an archive, or left behind when an account is erased. A test compares it with the
tables. In the conditions `t` is the table, and `%(account)s` the person.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

OWN = "t.account_id = %(account)s"
ACTS_FOR = "select advertiser_id from advertiser_members where account_id = %(account)s"
COMPANY = f"({ACTS_FOR})"
OF_COMPANY = f"t.advertiser_id in {COMPANY}"
OF_OWNED_COMPANY = f"t.advertiser_id in ({ACTS_FOR} and role = 'owner')"
"""Its payments are for its owner's eyes: a colleague sees none, and takes none along."""
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


def _names(columns: str) -> tuple[str, ...]:
    return tuple(columns.split())


def _without(**reasons: str) -> dict[str, Why]:
    return {
        column: Why[why.upper()] for why, columns in reasons.items() for column in _names(columns)
    }


def _nobodys(*tables: str) -> list[Holding]:
    return [Holding(table, why_not=Why.NOBODY) for table in tables]


HOLDINGS: tuple[Holding, ...] = (
    # The account.
    Holding(
        "accounts",
        "t.id = %(account)s",
        Group.ACCOUNT,
        "account",
        _names(
            "id email email_verified_at password_changed_at role asked_for_admin username"
            " display_name phone sign_up_age birth_date age_verified_at gender country language"
            " created_at last_active_at second_factor_at"
            " first_steps_begun_at first_steps_left_at closed_at"
        ),
        _without(key="password_hash"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "email": "%(email)s",
            "email_verified_at": "coalesce(email_verified_at, created_at)",
            "password_hash": "null",
            "password_changed_at": "created_at",
            "role": "'player'",
            "asked_for_admin": "false",
            "username": "''",
            "display_name": "''",
            "phone": "null",
            "sign_up_age": "null",
            "birth_date": "null",
            "age_verified_at": "null",
            "gender": "null",
            "country": "''",
            "language": "'en'",
            "last_active_at": "created_at",
            "second_factor_at": "null",
            "first_steps_begun_at": "null",
            "first_steps_left_at": "null",
        },
    ),
    Holding("account_handles", OWN, Group.ACCOUNT, "handles", _names("handle account_id")),
    Holding(
        "account_restrictions",
        OWN,
        Group.ACCOUNT,
        "restrictions",
        _names("id account_id kind reason is_automatic risk_score begun_at ended_at end_reason"),
        _without(others="begun_by ended_by"),
    ),
    Holding(
        "waitlist",
        f"t.email = {EMAIL}",
        Group.ACCOUNT,
        "waitlist",
        _names(
            "id email ip_address user_agent notified notified_at created_at language asked_at"
            " confirmed_at code referrals stands_at"
        ),
        _without(others="referred_by"),
    ),
    Holding(
        "notifications",
        OWN,
        Group.ACCOUNT,
        "notifications",
        _names("id account_id kind params link cause mail_at mailed_at read_at created_at"),
    ),
    Holding(
        "notification_choices",
        OWN,
        Group.ACCOUNT,
        "notification_choices",
        _names("account_id topic by_mail"),
    ),
    Holding(
        "audit_entries",
        "t.about = 'account:' || %(account)s::text",
        Group.ACCOUNT,
        "what_staff_did_to_the_account",
        _names("number created_at origin action about label before after reason erased_at"),
        _without(others="actor_id actor_name", key="hash salt digest", made_anew="words"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "audit_entries",
        "t.actor_id = %(account)s",
        Group.ACCOUNT,
        "what_you_did_as_staff",
        _names("number created_at origin actor_id actor_name action erased_at"),
        _without(
            others="about label before after reason", key="hash salt digest", made_anew="words"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # Signing in.
    Holding(
        "account_identities",
        OWN,
        Group.SIGN_IN,
        "providers",
        _names("id account_id provider subject created_at"),
    ),
    Holding(
        "account_sessions",
        OWN,
        Group.SIGN_IN,
        "sessions",
        _names(
            "id account_id created_at last_active_at ended_at user_agent ip_address"
            " place_changed_at"
        ),
        _without(key="token_hash place_hash place_before_hash door_hash"),
    ),
    Holding(
        "sign_in_tickets",
        OWN,
        Group.SIGN_IN,
        "sign_in_tickets",
        _names("account_id may_log_address expires_at"),
        _without(key="token_hash door_hash"),
    ),
    Holding(
        "sign_in_steps",
        OWN,
        Group.SIGN_IN,
        "sign_in_steps",
        _names("account_id may_log_address has_factor expires_at"),
        _without(key="token_hash door_hash"),
    ),
    Holding(
        "email_links",
        OWN,
        Group.SIGN_IN,
        "mailed_links",
        _names("account_id purpose new_email created_at expires_at used_at"),
        _without(key="token_hash"),
    ),
    Holding(
        "authenticators",
        OWN,
        Group.SIGN_IN,
        "authenticators",
        _names("account_id created_at confirmed_at"),
        _without(key="secret last_step"),
    ),
    Holding(
        "backup_codes",
        OWN,
        Group.SIGN_IN,
        "backup_codes",
        _names("id account_id created_at used_at"),
        _without(key="code_hash"),
    ),
    Holding(
        "passkeys",
        OWN,
        Group.SIGN_IN,
        "passkeys",
        _names(
            "id account_id credential_id public_key uses name transports created_at last_used_at"
        ),
    ),
    Holding(
        "passkey_challenges",
        OWN,
        Group.SIGN_IN,
        "passkey_challenges",
        _names("id account_id purpose expires_at"),
        _without(key="challenge"),
    ),
    Holding(
        "factor_resets",
        OWN,
        Group.SIGN_IN,
        "factor_resets",
        _names("id account_id status decided_at ready_at ended_at created_at"),
        _without(key="cancel_hash", others="decided_by"),
    ),
    Holding("presence", OWN, Group.SIGN_IN, "presence", _names("worker_id account_id seen_at")),
    Holding(
        "device_uses",
        OWN,
        Group.SIGN_IN,
        "devices",
        _names("account_id first_seen_at last_seen_at"),
        _without(key="device_hash"),
    ),
    # What they decided about their data.
    Holding(
        "data_exports",
        OWN,
        Group.PRIVACY,
        "data_exports",
        _names(
            "id account_id status rows_done rows_expected size heard_at ready_at expires_at"
            " taken_at created_at"
        ),
        _without(key="token_hash"),
    ),
    Holding(
        "data_export_parts",
        "t.export_id in (select id from data_exports where account_id = %(account)s)",
        Group.PRIVACY,
        why_not=Why.THE_ARCHIVE,
    ),
    Holding(
        "account_closures",
        OWN,
        Group.PRIVACY,
        "account_closures",
        _names("id account_id hidden due_at reminded_at cancelled_at erased_at created_at"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "hidden": "null",
        },
    ),
    Holding(
        "legal_readings",
        OWN,
        Group.PRIVACY,
        "legal_readings",
        _names("account_id document edition at_sign_up read_at"),
    ),
    Holding(
        "guardian_consents",
        OWN,
        Group.PRIVACY,
        "guardian_consents",
        _names(
            "id account_id email status language edition expires_at answered_at withdrawn_at"
            " created_at"
        ),
        _without(key="token_hash", others="name"),
    ),
    # Watching ads.
    Holding(
        "ad_views",
        OWN,
        Group.ADS,
        "ad_views",
        _names(
            "id account_id ad_id status started_at required_seconds reward_coins expires_at"
            " paused_at paused_ms rewarded_at ended_at clicked_at refusal missing_seconds"
            " client_seconds day holds_place age_group invalid_at invalid_reason"
        ),
        _without(key="tab_hash device_hash", others="price"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "tab_hash": "''",
            "device_hash": "''",
            "client_seconds": "null",
            "age_group": "null",
        },
    ),
    Holding(
        "ad_viewers",
        OWN,
        Group.ADS,
        "companies_whose_ads_you_saw",
        _names("advertiser_id account_id age_group last_day"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "age_group": "null",
        },
    ),
    Holding(
        "ad_reports",
        OWN,
        Group.ADS,
        "ad_reports",
        _names("id ad_id account_id reason text created_at"),
    ),
    Holding(
        "watchers",
        OWN,
        Group.ADS,
        "watching",
        _names(
            "account_id time_zone zone_since next_time_zone day_starts_at day_ends_at"
            " sitting_started_at last_started_at age_group"
        ),
    ),
    # Coins.
    Holding(
        "coin_balances",
        OWN,
        Group.COINS,
        "balance",
        _names("account_id total balance held ads"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_entries",
        OWN,
        Group.COINS,
        "coin_entries",
        _names(
            "number month account_id amount kind cause subject balance_after created_at written_by"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_holds",
        OWN,
        Group.COINS,
        "coin_holds",
        _names("id account_id amount cause status created_at ended_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_expiry_notices",
        OWN,
        Group.COINS,
        "coin_expiry_notices",
        _names("account_id inactive_since first_told_at last_told_at coins"),
    ),
    # The shop, and what was paid by card.
    Holding(
        "purchases",
        OWN,
        Group.SHOP,
        "purchases",
        _names(
            "id account_id attempt package_id product_name game currency_amount price_kr"
            " coins_spent status slot purchase_code created_at ended_at refunded_at refund_reason"
        ),
        _without(others="refunded_by"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "refund_reason": "''",
        },
    ),
    Holding(
        "gift_codes",
        "t.purchase_id in (select id from purchases where account_id = %(account)s)",
        Group.SHOP,
        "gift_codes",
        _names("id package_id code status purchase_id is_demo imported_at delivered_at"),
        _without(key="fingerprint", others="imported_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "payments",
        OWN,
        Group.SHOP,
        "payments",
        _names(
            "id account_id purpose subject_id description amount currency provider status"
            " checkout_id checkout_url intent_id expires_at look_at looks is_being_cancelled"
            " paid_at charged refund_id returned_at created_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "checkout_url": "null",
        },
    ),
    Holding(
        "payment_events",
        "t.payment_id in (select id from payments where account_id = %(account)s)",
        Group.SHOP,
        "payment_events",
        _names("id kind payload payment_id outcome received_at"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "payload": "%(nothing)s",
        },
    ),
    Holding(
        "test_checkouts",
        OWN,
        Group.SHOP,
        "test_checkouts",
        _names(
            "id payment_id account_id description amount currency status intent_id returned"
            " expires_at created_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # What a player shows.
    Holding(
        "profiles", OWN, Group.PLAYER, "profile", _names("account_id bio is_public updated_at")
    ),
    Holding(
        "user_games",
        OWN,
        Group.PLAYER,
        "games",
        _names(
            "id account_id title platform genre is_custom rating_tenths achievements description"
            " external_game_id created_at updated_at"
        ),
    ),
    Holding(
        "unlocked_achievements",
        OWN,
        Group.PLAYER,
        "achievements",
        _names("account_id achievement unlocked_at celebrated_at"),
    ),
    Holding(
        "streaks",
        OWN,
        Group.PLAYER,
        "streak",
        _names("account_id days best day_starts_at day_ends_at holds_until"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "board_scores",
        OWN,
        Group.PLAYER,
        "leaderboard",
        _names("board account_id coins ads is_hidden"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # The forum.
    Holding(
        "forum_posts",
        "t.author_id = %(account)s",
        Group.FORUM,
        "topics",
        _names(
            "id author_id category language title content shown_title shown_content violations"
            " rules_edition state state_reason state_at is_hot locked_at replies_count likes_count"
            " edited_at created_at"
        ),
        _without(made_anew="dictionary search"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_replies",
        "t.author_id = %(account)s",
        Group.FORUM,
        "replies",
        _names(
            "id post_id author_id language content shown_content violations rules_edition state"
            " state_reason state_at likes_count edited_at created_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_drafts",
        OWN,
        Group.FORUM,
        "drafts",
        _names("id account_id post_id category title content updated_at"),
    ),
    Holding(
        "forum_likes",
        OWN,
        Group.FORUM,
        "likes",
        _names("id post_id reply_id account_id created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_reports",
        OWN,
        Group.FORUM,
        "reports",
        _names("id post_id reply_id account_id reason text created_at settled_at"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "text": "''",
        },
    ),
    Holding(
        "forum_decisions",
        "(t.post_id in (select id from forum_posts where author_id = %(account)s)"
        " or t.reply_id in (select id from forum_replies where author_id = %(account)s))",
        Group.FORUM,
        "decisions_on_your_words",
        _names("id post_id reply_id action reason created_at"),
        _without(others="by_account_id"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "reason": "'–'",
        },
    ),
    Holding(
        "forum_decisions",
        "t.by_account_id = %(account)s",
        Group.FORUM,
        "decisions_that_you_took",
        _names("id post_id reply_id action reason by_account_id created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_writers",
        OWN,
        Group.FORUM,
        "counts",
        _names("account_id posts replies"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # Support.
    Holding(
        "support_tickets",
        OWN,
        Group.SUPPORT,
        "tickets",
        _names(
            "id number account_id subject message name email about status created_at changed_at"
        ),
    ),
    Holding(
        "support_messages",
        "t.ticket_id in (select id from support_tickets where account_id = %(account)s)",
        Group.SUPPORT,
        "messages",
        _names("id ticket_id is_answer text seen_at created_at"),
        _without(others="by_account_id"),
    ),
    Holding(
        "support_messages",
        "t.by_account_id = %(account)s and t.is_answer",
        Group.SUPPORT,
        "answers_that_you_wrote_as_staff",
        _names("id by_account_id is_answer seen_at created_at"),
        _without(others="ticket_id text"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # The company that they act for.
    Holding(
        "advertisers",
        f"(t.id in {COMPANY} or t.account_id = %(account)s)",
        Group.COMPANY,
        "company",
        _names(
            "id account_id company_name email phone website status reason decided_at balance"
            " reaches_minors starts_by_itself tags_links mails_reviews mails_budgets mails_reports"
            " created_at updated_at"
        ),
        _without(others="decided_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "advertiser_members",
        OWN,
        Group.COMPANY,
        "membership",
        _names("account_id advertiser_id role created_at"),
    ),
    Holding(
        "advertiser_invitations",
        f"(t.invited_by = %(account)s or t.email = {EMAIL})",
        Group.COMPANY,
        "invitations",
        _names("id advertiser_id email expires_at created_at"),
        _without(key="token_hash", others="invited_by"),
    ),
    Holding(
        "advertiser_entries",
        OF_OWNED_COMPANY,
        Group.COMPANY,
        "money",
        _names("number advertiser_id amount kind cause subject balance_after created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "top_ups",
        f"({OF_OWNED_COMPANY} or {OWN})",
        Group.COMPANY,
        "top_ups",
        _names(
            "id advertiser_id attempt cents returned_cents status invoice_number company_name"
            " email paid_at created_at"
        ),
        _without(others="account_id"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ad_campaigns",
        OF_COMPANY,
        Group.COMPANY,
        "campaigns",
        _names(
            "id advertiser_id name description status budget_cents daily_budget_cents starts_at"
            " ends_at taken taken_day taken_today set_aside_at paused_at ended_at ended_by"
            " ended_because settled_at created_at updated_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ads",
        "exists (select from ad_campaigns c where c.id = t.campaign_id"
        f" and c.advertiser_id in {COMPANY})",
        Group.COMPANY,
        "ads",
        _names(
            "id campaign_id title description ad_type video_url image_url click_url duration"
            " reward_coins status review_reason reviewed_at created_at updated_at"
        ),
        _without(others="reviewed_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ad_days",
        OF_COMPANY,
        Group.COMPANY,
        "days_of_ads",
        _names(
            "ad_id day slot campaign_id advertiser_id impressions completions clicks spend rewards"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    # What looked wrong.
    Holding(
        "fraud_signals",
        OWN,
        Group.CHECKS,
        "fraud_signals",
        _names("id account_id rule risk_score patterns action_taken evidence created_at"),
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
        _names("id asked_by status since views expected asked_at heard_at"),
        _without(others="before weights result"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "security_alerts",
        OWN,
        Group.CHECKS,
        "security_alerts",
        _names(
            "id severity alert_type description ip_address account_id about times last_at resolved"
            " resolved_at created_at"
        ),
        _without(others="params resolved_by"),
    ),
    *_nobodys("ad_servings", "boards", "board_progress", "board_steps", "forum_counts"),
    *_nobodys("detached_months", "ledger_days", "running_views"),
    *_nobodys("fraud_days", "fraud_weights", "health_samples", "invoice_numbers", "job_runs"),
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
