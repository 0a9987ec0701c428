"""Community: leaderboard, profiles, forum, notifications"""

import re
import unicodedata
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "2b1e78d94001"
down_revision = "76f215bf513b"
branch_labels = None
depends_on = None

A_BATCH = 5000
STRANGE = re.compile(r"[^\w.-]+")
TABLES = (
    "forum_reports",
    "forum_likes",
    "forum_decisions",
    "forum_drafts",
    "forum_replies",
    "user_games",
    "unlocked_achievements",
    "streaks",
    "profiles",
    "notifications",
    "notification_choices",
    "forum_writers",
    "forum_posts",
    "board_scores",
    "account_handles",
    "forum_counts",
    "boards",
    "board_steps",
    "board_progress",
)


def upgrade() -> None:
    op.create_table(
        "board_progress",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("counted", sa.Text(), nullable=False),
        sa.Column("settled_to", sa.BigInteger(), nullable=False),
        sa.Column("newest", sa.BigInteger(), nullable=False),
        sa.Column("open_until", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name="one_board_progress"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "board_steps",
        sa.Column("board", sa.String(length=12), nullable=False),
        sa.Column("width", sa.SmallInteger(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.CheckConstraint("players >= 0", name="step_counts_players"),
        sa.PrimaryKeyConstraint("board", "width", "step"),
        postgresql_with={"fillfactor": 70},
    )
    op.create_table(
        "boards",
        sa.Column("board", sa.String(length=12), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ads", sa.BigInteger(), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("board"),
    )
    op.create_table(
        "forum_counts",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "account_handles",
        sa.Column("handle", sa.String(length=30), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("account_id"),
    )
    op.create_table(
        "board_scores",
        sa.Column("board", sa.String(length=12), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.Column("ads", sa.Integer(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), nullable=False),
        sa.CheckConstraint("coins >= 0 and ads >= 0", name="score_is_no_debt"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("board", "account_id"),
        postgresql_with={"fillfactor": 80},
    )
    op.create_index("ix_board_scores_account_id", "board_scores", ["account_id"], unique=False)
    op.create_index(
        "ix_board_scores_hidden",
        "board_scores",
        ["account_id"],
        unique=False,
        postgresql_where="is_hidden",
    )
    op.create_index(
        "ix_board_scores_ranking",
        "board_scores",
        ["board", sa.text("coins DESC"), "account_id"],
        unique=False,
        postgresql_where="not is_hidden",
    )
    op.create_table(
        "forum_posts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("category", sa.String(length=20), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("content", sa.String(length=5000), nullable=False),
        sa.Column("shown_title", sa.String(length=120), nullable=False),
        sa.Column("shown_content", sa.String(length=5000), nullable=False),
        sa.Column("violations", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("rules_edition", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("state_reason", sa.String(length=500), nullable=False),
        sa.Column("state_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_hot", sa.Boolean(), nullable=False),
        sa.Column("locked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replies_count", sa.Integer(), nullable=False),
        sa.Column("likes_count", sa.Integer(), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dictionary", postgresql.REGCONFIG(), nullable=False),
        sa.Column(
            "search",
            postgresql.TSVECTOR(),
            sa.Computed(
                "setweight(to_tsvector(dictionary, shown_title), 'A')"
                " || to_tsvector(dictionary, shown_content)",
                persisted=True,
            ),
            nullable=True,
        ),
        sa.CheckConstraint(
            "state in ('shown', 'waiting', 'hidden', 'deleted')", name="post_state_is_known"
        ),
        sa.CheckConstraint("replies_count >= 0 and likes_count >= 0", name="post_counts"),
        sa.ForeignKeyConstraint(["author_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_forum_posts_author_id_id", "forum_posts", ["author_id", "id"], unique=False)
    op.create_index(
        "ix_forum_posts_category_shown",
        "forum_posts",
        ["category", "id"],
        unique=False,
        postgresql_where="state = 'shown'",
    )
    op.create_index(
        "ix_forum_posts_search",
        "forum_posts",
        ["search"],
        unique=False,
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.create_index(
        "ix_forum_posts_shown",
        "forum_posts",
        ["id"],
        unique=False,
        postgresql_where="state = 'shown'",
    )
    op.create_index(
        "ix_forum_posts_waiting",
        "forum_posts",
        ["id"],
        unique=False,
        postgresql_where="state = 'waiting'",
    )
    op.create_index(
        "ix_forum_posts_moderated",
        "forum_posts",
        ["id"],
        unique=False,
        postgresql_where="violations <> '[]'::jsonb",
    )
    op.create_table(
        "forum_writers",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("posts", sa.Integer(), nullable=False),
        sa.Column("replies", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "notification_choices",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("topic", sa.String(length=30), nullable=False),
        sa.Column("by_mail", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "topic"),
    )
    op.create_table(
        "notifications",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("params", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("link", sa.String(length=200), nullable=False),
        sa.Column("cause", sa.String(length=120), nullable=False),
        sa.Column("mail_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_notifications_account_id_id", "notifications", ["account_id", "id"], unique=False
    )
    op.create_index(
        "ix_notifications_unread",
        "notifications",
        ["account_id"],
        unique=False,
        postgresql_where="read_at is null",
    )
    op.create_index(
        "ix_notifications_to_be_mailed",
        "notifications",
        ["mail_at"],
        unique=False,
        postgresql_where="mail_at is not null",
    )
    op.create_index(
        "one_notification_a_cause",
        "notifications",
        ["account_id", "cause"],
        unique=True,
        postgresql_where="cause <> ''",
    )
    op.create_table(
        "profiles",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("bio", sa.String(length=500), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "streaks",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("day_starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day_ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holds_until", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("best >= days and days > 0", name="best_streak_is_best"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "unlocked_achievements",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("achievement", sa.String(length=30), nullable=False),
        sa.Column("unlocked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("celebrated_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "achievement"),
    )
    op.create_table(
        "user_games",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(length=60), nullable=False),
        sa.Column("platform", sa.String(length=40), nullable=False),
        sa.Column("genre", sa.String(length=40), nullable=False),
        sa.Column("is_custom", sa.Boolean(), nullable=False),
        sa.Column("rating_tenths", sa.SmallInteger(), nullable=True),
        sa.Column("achievements", sa.String(length=300), nullable=False),
        sa.Column("description", sa.String(length=500), nullable=False),
        sa.Column("external_game_id", sa.String(length=40), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "is_custom = (external_game_id is null)", name="game_is_custom_or_from_catalogue"
        ),
        sa.CheckConstraint("rating_tenths between 10 and 50", name="rating_is_known"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_user_games_account_id_created_at",
        "user_games",
        ["account_id", "created_at"],
        unique=False,
    )
    op.create_index(
        "one_catalogue_game_a_player",
        "user_games",
        ["account_id", "external_game_id"],
        unique=True,
        postgresql_where="external_game_id is not null",
    )
    op.create_table(
        "forum_drafts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=True),
        sa.Column("category", sa.String(length=20), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("content", sa.String(length=5000), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["forum_posts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_forum_drafts_post_id", "forum_drafts", ["post_id"], unique=False)
    op.create_index(
        "one_draft_of_a_reply",
        "forum_drafts",
        ["account_id", "post_id"],
        unique=True,
        postgresql_where="post_id is not null",
    )
    op.create_index(
        "one_draft_of_a_topic",
        "forum_drafts",
        ["account_id"],
        unique=True,
        postgresql_where="post_id is null",
    )
    op.create_table(
        "forum_replies",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("content", sa.String(length=3000), nullable=False),
        sa.Column("shown_content", sa.String(length=3000), nullable=False),
        sa.Column("violations", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("rules_edition", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("state_reason", sa.String(length=500), nullable=False),
        sa.Column("state_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("likes_count", sa.Integer(), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state in ('shown', 'waiting', 'hidden', 'deleted')", name="reply_state_is_known"
        ),
        sa.CheckConstraint("likes_count >= 0", name="reply_counts"),
        sa.ForeignKeyConstraint(["author_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["forum_posts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_forum_replies_author_id_id", "forum_replies", ["author_id", "id"], unique=False
    )
    op.create_index("ix_forum_replies_post_id_id", "forum_replies", ["post_id", "id"], unique=False)
    op.create_index(
        "ix_forum_replies_waiting",
        "forum_replies",
        ["id"],
        unique=False,
        postgresql_where="state = 'waiting'",
    )
    op.create_index(
        "ix_forum_replies_moderated",
        "forum_replies",
        ["id"],
        unique=False,
        postgresql_where="violations <> '[]'::jsonb",
    )
    op.create_table(
        "forum_decisions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=True),
        sa.Column("reply_id", sa.Uuid(), nullable=True),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("by_account_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("reason <> ''", name="decision_has_a_reason"),
        sa.CheckConstraint(
            "num_nonnulls(post_id, reply_id) = 1", name="decision_is_about_one_thing"
        ),
        sa.ForeignKeyConstraint(["by_account_id"], ["accounts.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["post_id"], ["forum_posts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reply_id"], ["forum_replies.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        op.f("ix_forum_decisions_by_account_id"), "forum_decisions", ["by_account_id"], unique=False
    )
    op.create_index("ix_forum_decisions_post_id", "forum_decisions", ["post_id"], unique=False)
    op.create_index("ix_forum_decisions_reply_id", "forum_decisions", ["reply_id"], unique=False)
    op.create_table(
        "forum_likes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=True),
        sa.Column("reply_id", sa.Uuid(), nullable=True),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("num_nonnulls(post_id, reply_id) = 1", name="like_is_of_one_thing"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["forum_posts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reply_id"], ["forum_replies.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_forum_likes_account_id", "forum_likes", ["account_id"], unique=False)
    op.create_index(
        "one_like_a_post",
        "forum_likes",
        ["post_id", "account_id"],
        unique=True,
        postgresql_where="post_id is not null",
    )
    op.create_index(
        "one_like_a_reply",
        "forum_likes",
        ["reply_id", "account_id"],
        unique=True,
        postgresql_where="reply_id is not null",
    )
    op.create_table(
        "forum_reports",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=True),
        sa.Column("reply_id", sa.Uuid(), nullable=True),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("text", sa.String(length=300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("num_nonnulls(post_id, reply_id) = 1", name="report_is_of_one_thing"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["forum_posts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reply_id"], ["forum_replies.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_forum_reports_account_id", "forum_reports", ["account_id"], unique=False)
    op.create_index(
        "ix_forum_reports_open",
        "forum_reports",
        ["id"],
        unique=False,
        postgresql_where="settled_at is null",
    )
    op.create_index(
        "one_report_a_post",
        "forum_reports",
        ["post_id", "account_id"],
        unique=True,
        postgresql_where="post_id is not null",
    )
    op.create_index(
        "one_report_a_reply",
        "forum_reports",
        ["reply_id", "account_id"],
        unique=True,
        postgresql_where="reply_id is not null",
    )
    op.create_index(
        "ix_support_tickets_forum_appeals",
        "support_tickets",
        ["number"],
        postgresql_where="status = 'open' and starts_with(about, 'forum-')",
    )
    # In two steps: entries that are there keep none, and are counted when the boards are made.
    op.add_column("coin_entries", sa.Column("written_by", sa.BigInteger(), nullable=True))
    op.alter_column(
        "coin_entries", "written_by", server_default=sa.text("pg_current_xact_id()::text::bigint")
    )
    _name_everybody()


def downgrade() -> None:
    op.drop_index("ix_support_tickets_forum_appeals", table_name="support_tickets")
    op.drop_column("coin_entries", "written_by")
    for table in TABLES:
        op.drop_table(table)


def _name_everybody() -> None:
    """Give a handle to every account that is there, the oldest first."""
    connection = op.get_bind()
    taken: set[str] = set()
    rows = connection.execute(sa.text("select id, username from accounts order by id"))
    named = [{"account_id": account.id, "handle": _handle(account, taken)} for account in rows]
    handles = sa.table("account_handles", sa.column("handle"), sa.column("account_id", sa.Uuid))
    for start in range(0, len(named), A_BATCH):
        op.bulk_insert(handles, named[start : start + A_BATCH])


def _handle(account: sa.Row[Any], taken: set[str]) -> str:
    name = unicodedata.normalize("NFKC", account.username).casefold()
    handle = STRANGE.sub("_", name).strip("_.-")[:24]
    if len(handle) < 2:
        handle = "player"
    if handle in taken:
        handle = f"{handle[:20]}_{account.id.hex[-9:]}"
    taken.add(handle)
    return handle
