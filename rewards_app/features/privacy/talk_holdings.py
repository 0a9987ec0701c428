"""What is held on what a person wrote, in the forum and to support. Pure."""

from rewards_app.features.privacy.holding import OWN, AtTheEnd, Group, Holding, names, without

FORUM: tuple[Holding, ...] = (
    Holding(
        "forum_posts",
        "t.author_id = %(account)s",
        Group.FORUM,
        "topics",
        names(
            "id author_id category language title content shown_title shown_content violations"
            " rules_edition state state_reason state_at is_hot locked_at replies_count likes_count"
            " edited_at created_at"
        ),
        without(made_anew="dictionary search"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_replies",
        "t.author_id = %(account)s",
        Group.FORUM,
        "replies",
        names(
            "id post_id author_id language content shown_content violations rules_edition state"
            " state_reason state_at likes_count edited_at created_at"
        ),
        without(made_anew="dictionary search"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_drafts",
        # Each half has an index of its own.
        f"({OWN} and t.post_id is null or {OWN} and t.post_id is not null)",
        Group.FORUM,
        "drafts",
        names("id account_id post_id category title content updated_at"),
    ),
    Holding(
        "forum_likes",
        OWN,
        Group.FORUM,
        "likes",
        names("id post_id reply_id account_id created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_reports",
        OWN,
        Group.FORUM,
        "reports",
        names("id post_id reply_id profile_id account_id reason text created_at settled_at"),
        at_the_end=AtTheEnd.UNNAMED,
        emptied={
            "text": "''",
        },
    ),
    Holding(
        "forum_decisions",
        "t.id in (select d.id from forum_posts p join forum_decisions d on d.post_id = p.id"
        " where p.author_id = %(account)s"
        " union all select d.id from forum_replies r join forum_decisions d on d.reply_id = r.id"
        " where r.author_id = %(account)s"
        " union all select id from forum_decisions where profile_id = %(account)s)",
        Group.FORUM,
        "decisions_on_your_words",
        names("id post_id reply_id profile_id action reason created_at"),
        without(others="by_account_id"),
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
        names("id post_id reply_id profile_id action reason by_account_id created_at"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
    Holding(
        "forum_writers",
        OWN,
        Group.FORUM,
        "counts",
        names("account_id posts replies"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)

SUPPORT: tuple[Holding, ...] = (
    Holding(
        "support_tickets",
        OWN,
        Group.SUPPORT,
        "tickets",
        names(
            "id number account_id subject message name email about status"
            " created_at changed_at waits_since"
        ),
    ),
    Holding(
        "support_messages",
        "t.ticket_id in (select id from support_tickets where account_id = %(account)s)",
        Group.SUPPORT,
        "messages",
        names("id ticket_id is_answer text seen_at created_at"),
        without(others="by_account_id"),
    ),
    Holding(
        "support_messages",
        "t.by_account_id = %(account)s and t.is_answer",
        Group.SUPPORT,
        "answers_that_you_wrote_as_staff",
        names("id by_account_id is_answer seen_at created_at"),
        without(others="ticket_id text"),
        at_the_end=AtTheEnd.UNNAMED,
    ),
)
