"""What is held on a person's account, on how they sign in, and on what they decided. Pure."""

from rewards_app.features.privacy.holding import (
    EMAIL,
    OWN,
    AtTheEnd,
    Group,
    Holding,
    Why,
    names,
    without,
)

ACCOUNT: tuple[Holding, ...] = (
    Holding(
        "accounts",
        "t.id = %(account)s",
        Group.ACCOUNT,
        "account",
        names(
            "id email email_verified_at password_changed_at role asked_for_admin username"
            " display_name phone sign_up_age birth_date age_verified_at gender country language"
            " created_at last_active_at second_factor_at"
            " first_steps_begun_at first_steps_left_at closed_at"
        ),
        without(key="password_hash"),
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
    Holding(
        "account_handles", OWN, Group.ACCOUNT, "handles", names("handle account_id retired_at")
    ),
    Holding(
        "account_restrictions",
        OWN,
        Group.ACCOUNT,
        "restrictions",
        names(
            "id account_id kind reason is_automatic risk_score grounds begun_at ended_at end_reason"
        ),
        without(others="begun_by ended_by"),
    ),
    Holding(
        "waitlist",
        f"t.email = {EMAIL}",
        Group.ACCOUNT,
        "waitlist",
        names(
            "id email ip_address user_agent notified notified_at created_at language asked_at"
            " confirmed_at code referrals stands_at"
        ),
        without(others="referred_by"),
    ),
    Holding(
        "notifications",
        OWN,
        Group.ACCOUNT,
        "notifications",
        names("id account_id kind params link cause mail_at mailed_at read_at created_at"),
    ),
    Holding(
        "notification_choices",
        OWN,
        Group.ACCOUNT,
        "notification_choices",
        names("account_id topic by_mail"),
    ),
    Holding(
        "audit_entries",
        "t.about = 'account:' || %(account)s::text",
        Group.ACCOUNT,
        "what_staff_did_to_the_account",
        names("number created_at origin action about label before after reason erased_at"),
        without(others="actor_id actor_name", key="hash salt digest", made_anew="words"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "audit_entries",
        "t.actor_id = %(account)s",
        Group.ACCOUNT,
        "what_you_did_as_staff",
        names("number created_at origin actor_id actor_name action erased_at"),
        without(
            others="about label before after reason", key="hash salt digest", made_anew="words"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)

SIGN_IN: tuple[Holding, ...] = (
    Holding(
        "account_identities",
        OWN,
        Group.SIGN_IN,
        "providers",
        names("id account_id provider subject created_at"),
    ),
    Holding(
        "account_sessions",
        OWN,
        Group.SIGN_IN,
        "sessions",
        names(
            "id account_id created_at last_active_at ended_at user_agent ip_address"
            " place_changed_at"
        ),
        without(key="token_hash place_hash place_before_hash door_hash"),
    ),
    Holding(
        "sign_in_tickets",
        OWN,
        Group.SIGN_IN,
        "sign_in_tickets",
        names("account_id may_log_address expires_at"),
        without(key="token_hash door_hash"),
    ),
    Holding(
        "sign_in_steps",
        OWN,
        Group.SIGN_IN,
        "sign_in_steps",
        names("account_id may_log_address has_factor expires_at"),
        without(key="token_hash door_hash"),
    ),
    Holding(
        "email_links",
        OWN,
        Group.SIGN_IN,
        "mailed_links",
        names("account_id purpose new_email created_at expires_at used_at"),
        without(key="token_hash door_hash"),
    ),
    Holding(
        "authenticators",
        OWN,
        Group.SIGN_IN,
        "authenticators",
        names("account_id created_at confirmed_at"),
        without(key="secret last_step"),
    ),
    Holding(
        "backup_codes",
        OWN,
        Group.SIGN_IN,
        "backup_codes",
        names("id account_id created_at used_at"),
        without(key="code_hash"),
    ),
    Holding(
        "passkeys",
        OWN,
        Group.SIGN_IN,
        "passkeys",
        names(
            "id account_id credential_id public_key uses name transports created_at last_used_at"
        ),
    ),
    Holding(
        "passkey_challenges",
        OWN,
        Group.SIGN_IN,
        "passkey_challenges",
        names("id account_id purpose expires_at"),
        without(key="challenge"),
    ),
    Holding(
        "factor_resets",
        OWN,
        Group.SIGN_IN,
        "factor_resets",
        names("id account_id status decided_at ready_at ended_at created_at"),
        without(key="cancel_hash", others="decided_by"),
    ),
    Holding("presence", OWN, Group.SIGN_IN, "presence", names("worker_id account_id seen_at")),
    Holding(
        "device_uses",
        OWN,
        Group.SIGN_IN,
        "devices",
        names("account_id first_seen_at last_seen_at"),
        without(key="device_hash"),
    ),
)

PRIVACY: tuple[Holding, ...] = (
    Holding(
        "data_exports",
        OWN,
        Group.PRIVACY,
        "data_exports",
        names(
            "id account_id status rows_done rows_expected size heard_at ready_at expires_at"
            " taken_at created_at"
        ),
        without(key="token_hash"),
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
        names("id account_id hidden due_at reminded_at cancelled_at erased_at created_at"),
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
        names("account_id document edition at_sign_up read_at"),
    ),
    Holding(
        "guardian_consents",
        OWN,
        Group.PRIVACY,
        "guardian_consents",
        names(
            "id account_id email status language edition expires_at answered_at withdrawn_at"
            " created_at"
        ),
        without(key="token_hash", others="name"),
    ),
)
