"""What is held on the company that a person acts for. Pure."""

from rewards_app.features.privacy.holding import (
    EMAIL,
    OWN,
    AtTheEnd,
    Group,
    Holding,
    names,
    without,
)

ACTS_FOR = "select advertiser_id from advertiser_members where account_id = %(account)s"
APPLIED = "select id from advertisers where account_id = %(account)s"
THEIRS = f"({ACTS_FOR})"
OF_COMPANY = f"t.advertiser_id in {THEIRS}"
OF_OWNED_COMPANY = f"t.advertiser_id in ({ACTS_FOR} and role = 'owner')"
"""Its payments are for its owner's eyes: a colleague sees none, and takes none along."""

COMPANY: tuple[Holding, ...] = (
    Holding(
        "advertisers",
        f"t.id in ({ACTS_FOR} union {APPLIED})",
        Group.COMPANY,
        "company",
        names(
            "id account_id company_name email phone website status reason decided_at balance"
            " reaches_minors starts_by_itself tags_links mails_reviews mails_budgets mails_reports"
            " created_at updated_at"
        ),
        without(others="decided_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "advertiser_members",
        OWN,
        Group.COMPANY,
        "membership",
        names("account_id advertiser_id role created_at"),
    ),
    Holding(
        "advertiser_invitations",
        f"(t.invited_by = %(account)s or t.email = {EMAIL})",
        Group.COMPANY,
        "invitations",
        names("id advertiser_id email expires_at created_at"),
        without(key="token_hash", others="invited_by"),
    ),
    Holding(
        "advertiser_entries",
        OF_OWNED_COMPANY,
        Group.COMPANY,
        "money",
        names("number advertiser_id amount kind cause subject balance_after created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "top_ups",
        f"({OF_OWNED_COMPANY} or {OWN})",
        Group.COMPANY,
        "top_ups",
        names(
            "id advertiser_id attempt cents returned_cents status invoice_number company_name"
            " email paid_at created_at"
        ),
        without(others="account_id"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ad_campaigns",
        OF_COMPANY,
        Group.COMPANY,
        "campaigns",
        names(
            "id advertiser_id name description status budget_cents daily_budget_cents starts_at"
            " ends_at taken taken_day taken_today set_aside_at paused_at ended_at ended_by"
            " ended_because settled_at created_at updated_at"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ads",
        "exists (select from ad_campaigns c where c.id = t.campaign_id"
        f" and c.advertiser_id in {THEIRS})",
        Group.COMPANY,
        "ads",
        names(
            "id campaign_id title description ad_type video_url image_url click_url duration"
            " reward_coins status review_reason reviewed_at is_review_due created_at updated_at"
        ),
        without(others="reviewed_by"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "ad_days",
        OF_COMPANY,
        Group.COMPANY,
        "days_of_ads",
        names(
            "ad_id day slot campaign_id advertiser_id impressions completions refused clicks"
            " spend rewards"
        ),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)
