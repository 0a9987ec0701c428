"""Replies are searched, and beginnings of words are found"""

from alembic import op

revision = "c94e1b7f30a6"
down_revision = "e2b6f0c4d913"
branch_labels = None
depends_on = None

DICTIONARY = """
case language when 'en' then 'english'::regconfig when 'sv' then 'swedish'::regconfig
    when 'de' then 'german'::regconfig when 'fr' then 'french'::regconfig
    when 'es' then 'spanish'::regconfig when 'it' then 'italian'::regconfig
    when 'ru' then 'russian'::regconfig else 'simple'::regconfig end
"""
STEMS_OF_TOPICS = """
setweight(to_tsvector(dictionary, shown_title), 'A') || to_tsvector(dictionary, shown_content)
"""
WORDS_OF_TOPICS = "strip(to_tsvector('simple'::regconfig, shown_title || ' ' || shown_content))"
TOPICS, REPLIES = "ix_forum_posts_search", "ix_forum_replies_search"


def upgrade() -> None:
    # Each table is written anew once, however many columns are made in one statement.
    op.execute(
        f"""alter table forum_replies
        add column dictionary regconfig generated always as ({DICTIONARY}) stored,
        add column search tsvector generated always as (to_tsvector({DICTIONARY}, shown_content)
            || strip(to_tsvector('simple'::regconfig, shown_content))) stored"""
    )
    op.create_index(
        REPLIES,
        "forum_replies",
        ["search"],
        postgresql_using="gin",
        postgresql_where="state = 'shown'",
        postgresql_with={"fastupdate": "off"},
    )
    _search_topics_by(f"{STEMS_OF_TOPICS} || {WORDS_OF_TOPICS}")


def downgrade() -> None:
    _search_topics_by(STEMS_OF_TOPICS)
    op.drop_index(REPLIES, table_name="forum_replies")
    op.drop_column("forum_replies", "search")
    op.drop_column("forum_replies", "dictionary")


def _search_topics_by(words: str) -> None:
    """The column and its index go and come: what it is made of cannot be changed."""
    op.execute(
        f"""alter table forum_posts drop column search,
        add column search tsvector generated always as ({words}) stored"""
    )
    op.create_index(
        TOPICS,
        "forum_posts",
        ["search"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
