"""What is held on somebody who plays: what they watched, earned, bought and show. Pure."""

from rewards_app.features.privacy.holding import OWN, AtTheEnd, Group, Holding, names, without

ADS: tuple[Holding, ...] = (
    Holding(
        "ad_views",
        OWN,
        Group.ADS,
        "ad_views",
        names(
            "id account_id ad_id status started_at required_seconds reward_coins expires_at"
            " paused_at paused_ms rewarded_at ended_at clicked_at refused_at refusal"
            " missing_seconds client_seconds day holds_place age_group invalid_at invalid_reason"
        ),
        without(key="tab_hash device_hash", others="price"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "tab_hash": "''",
            "device_hash": "''",
            "client_seconds": "null",
            "age_group": "null",
            "invalid_reason": "''",
        },
    ),
    Holding(
        "ad_viewers",
        OWN,
        Group.ADS,
        "companies_whose_ads_you_saw",
        names("advertiser_id account_id age_group last_day"),
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
        names("id ad_id account_id reason text created_at"),
    ),
    Holding(
        "watchers",
        OWN,
        Group.ADS,
        "watching",
        names(
            "account_id time_zone zone_since next_time_zone day_starts_at day_ends_at"
            " sitting_started_at last_started_at age_group"
        ),
    ),
)

COINS: tuple[Holding, ...] = (
    Holding(
        "coin_balances",
        OWN,
        Group.COINS,
        "balance",
        names("account_id total balance held ads"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_entries",
        OWN,
        Group.COINS,
        "coin_entries",
        names(
            "number month account_id amount kind cause subject balance_after created_at written_by"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_holds",
        OWN,
        Group.COINS,
        "coin_holds",
        names("id account_id amount cause status created_at ended_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "coin_expiry_notices",
        OWN,
        Group.COINS,
        "coin_expiry_notices",
        names("account_id inactive_since first_told_at last_told_at coins"),
    ),
)

SHOP: tuple[Holding, ...] = (
    Holding(
        "purchases",
        OWN,
        Group.SHOP,
        "purchases",
        names(
            "id account_id attempt package_id product_name game currency_amount price_kr"
            " coins_spent status slot purchase_code created_at ended_at refunded_at refund_reason"
        ),
        without(others="refunded_by"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "refund_reason": "''",
        },
    ),
    Holding(
        "gift_codes",
        # What is only reserved is not paid for, and what was withdrawn is theirs no more.
        "t.status = 'delivered'"
        " and t.purchase_id in (select id from purchases where account_id = %(account)s)",
        Group.SHOP,
        "gift_codes",
        names(
            "id package_id code status purchase_id is_demo is_withheld is_given"
            " imported_at delivered_at"
        ),
        without(key="fingerprint", others="imported_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "payments",
        OWN,
        Group.SHOP,
        "payments",
        names(
            "id account_id purpose subject_id description amount currency provider status"
            " checkout_id checkout_url intent_id expires_at look_at looks is_being_cancelled"
            " is_under_way paid_at charged refund_id returned_at created_at"
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
        names("id kind payload payment_id outcome received_at"),
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
        names(
            "id payment_id account_id description amount currency status intent_id returned"
            " expires_at created_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)

PLAYER: tuple[Holding, ...] = (
    Holding(
        "profiles",
        OWN,
        Group.PLAYER,
        "profile",
        names("account_id bio is_public said_at hidden_at updated_at"),
    ),
    Holding(
        "user_games",
        OWN,
        Group.PLAYER,
        "games",
        names(
            "id account_id title platform genre is_custom rating_tenths achievements description"
            " external_game_id hidden_at created_at updated_at"
        ),
    ),
    Holding(
        "unlocked_achievements",
        OWN,
        Group.PLAYER,
        "achievements",
        names("account_id achievement unlocked_at celebrated_at"),
    ),
    Holding(
        "streaks",
        OWN,
        Group.PLAYER,
        "streak",
        names("account_id days best day_starts_at day_ends_at holds_until"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "board_scores",
        OWN,
        Group.PLAYER,
        "leaderboard",
        names("board account_id coins ads is_hidden"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)
