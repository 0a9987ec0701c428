"""However much was ever written: what waits for moderators is found without reading all of it."""

from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from rewards_app.core.actor import Actor
from rewards_app.core.database import engine, transaction
from rewards_app.core.settings import settings
from rewards_app.features.forum import casebook, search
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.notifications import service as notifications
from tests.ads import the_player
from tests.databases import template_with
from tests.features.forum.test_desk import reports_it
from tests.forum import a_reply, a_topic

MANY = """
insert into accounts (id, email, email_verified_at, password_changed_at, role, asked_for_admin,
    username, display_name, country, language, created_at)
select gen_random_uuid(), 'writer-' || n || '@example.com', now(), now(), 'player', false,
    'W' || n, 'Writer ' || n, 'SE', 'en', now()
from generate_series(1, 30000) as n;
insert into forum_writers (account_id, posts, replies) select id, 1, 1 from accounts
on conflict do nothing;
insert into forum_posts (id, author_id, category, language, title, content, shown_title,
    shown_content, violations, rules_edition, state, state_reason, is_hot, replies_count,
    likes_count, created_at, dictionary)
select gen_random_uuid(), %(author)s, 'general', 'en', 'title', 'words', 'title', 'words', '[]', 1,
    'shown', '', false, 0, 0, now(), 'simple'
from generate_series(1, 30000) as n;
insert into forum_replies (id, post_id, author_id, language, content, shown_content, violations,
    rules_edition, state, state_reason, likes_count, created_at)
select gen_random_uuid(), id, author_id, 'en', 'words', 'words', '[]', 1, 'shown', '', 0, now()
from forum_posts;
insert into forum_reports (id, post_id, account_id, reason, text, created_at, settled_at)
select gen_random_uuid(), id, author_id, 'spam', '', now(), now() from forum_posts;
insert into forum_decisions (id, post_id, action, reason, created_at)
select gen_random_uuid(), id, 'hide', 'spam', now() from forum_posts;
insert into notifications (id, account_id, kind, params, link, cause, read_at, created_at)
select gen_random_uuid(), author_id, 'reply', '{}', '', '', now(), now() from forum_posts;
"""
TABLES = (
    *("accounts", "forum_writers"),
    *("forum_posts", "forum_replies", "forum_reports", "forum_decisions", "notifications"),
)


async def much_is_written() -> Actor:
    """And by whom."""
    author = await the_player()
    with psycopg.connect(settings().database_url, autocommit=True) as connection:
        for statement in MANY.split(";\n"):
            if statement.strip():
                connection.execute(statement, {"author": author.user_id})  # pyright: ignore
        connection.execute("vacuum analyze")
    return author


@pytest.fixture(scope="module")
async def written(postgres: str) -> AsyncIterator[tuple[str, Actor]]:
    async with template_with(postgres, much_is_written) as made:
        yield made


@pytest.fixture
def template(written: tuple[str, Actor]) -> str:
    return written[0]


@pytest.fixture
def maja(written: tuple[str, Actor]) -> Actor:
    return written[1]


@pytest.fixture
async def plans(database: str, maja: Actor) -> AsyncIterator[list[str]]:
    """How the database finds what is asked for from now on."""
    found: list[str] = []
    with psycopg.connect(database, autocommit=True) as connection:

        def explain(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
            if any(table in statement for table in TABLES) and "select" in statement.lower():
                lines = connection.execute(f"explain {statement}", values).fetchall()  # pyright: ignore
                found.append("\n".join(line for (line,) in lines))

        topic = await a_topic(maja)
        await reports_it(await the_player("Sven"), topic)
        event.listen(engine().sync_engine, "before_cursor_execute", explain)
        yield found
        event.remove(engine().sync_engine, "before_cursor_execute", explain)


def read_nothing_whole(plans: list[str]) -> bool:
    assert plans
    return not any(f"Seq Scan on {table}" in plan for plan in plans for table in TABLES)


@pytest.mark.parametrize("kind", ["all", "reported", "waiting", "appealed"])
async def test_the_queue(plans: list[str], kind: str):
    async with transaction() as session:
        await casebook.queue(session, kind)
    assert read_nothing_whole(plans), plans


async def test_its_counts(plans: list[str]):
    async with transaction() as session:
        await casebook.counts(session)
    assert read_nothing_whole(plans), plans


async def test_one_case(plans: list[str], maja: Actor):
    async with transaction() as session:
        [item] = await casebook.queue(session, "all")
        plans.clear()
        await casebook.case(session, Target.POST, item.id)
    # The last one counts what was hidden of an author, whose all of this is here.
    assert read_nothing_whole(plans[:-1]), plans


async def test_one_profile(plans: list[str]):
    nova = await the_player("Nova")
    await reports_it(await the_player("Ola"), nova.user_id, Target.PROFILE)
    plans.clear()
    async with transaction() as session:
        await casebook.case(session, Target.PROFILE, nova.user_id)
    assert read_nothing_whole(plans), plans


async def test_the_newest_decisions(plans: list[str]):
    async with transaction() as session:
        await casebook.log(session)
    assert read_nothing_whole(plans), plans


async def test_what_somebody_was_told(plans: list[str], maja: Actor):
    async with transaction() as session:
        await notifications.told(session, maja.user_id)
    assert read_nothing_whole(plans), plans


@pytest.mark.parametrize("category", ["", "general", "roblox"])
async def test_a_search(plans: list[str], maja: Actor, category: str):
    await a_reply(maja, await a_topic(maja), "All about Zanzibar here.")
    plans.clear()
    for query in (
        *("words", "word", "zanzibar", "zanzi", "zanzibar wor", "words zanzi", "zanzibar words"),
        *("zanzibar -words", '"zanzibar words"', "zanzibar or words", "Sven", "@sven"),
    ):
        async with transaction() as session:
            await search.search(session, maja, query, category=category)
    assert read_nothing_whole(plans), plans
