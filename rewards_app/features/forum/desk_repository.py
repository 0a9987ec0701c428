"""What waits for moderators, in the database: things that were reported, held or appealed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.accounts.handle_rules import NAMELESS, is_neutral
from rewards_app.features.forum.desk_rules import GRAVEST_FIRST, LIFTED, Standing, Target, about

ASKED: LiteralString = """
reported as (
    select post_id, reply_id, profile_id, count(*)::int as reporters, max(created_at) as at,
        min(array_position(%(gravest_first)s::text[], reason::text)) as gravest
    from forum_reports where settled_at is null group by post_id, reply_id, profile_id
),
appealed as (
    select substr(about, strpos(about, ':') + 1)::uuid as id, split_part(about, ':', 1) as kind,
        id as ticket_id, number, message, created_at as at
    from support_tickets where status = 'open' and starts_with(about, 'forum-')
)
"""
"""What people said of things, and what their authors answered; open ones."""
WAITING: LiteralString = """
waiting as (
    select id as post_id, null::uuid as reply_id, null::uuid as profile_id
    from forum_posts where state = 'waiting'
    union select null, id, null from forum_replies where state = 'waiting'
    union select post_id, reply_id, profile_id from reported
    union select case kind when 'forum-post' then id end, case kind when 'forum-reply' then id end,
        case kind when 'forum-profile' then id end from appealed
)
"""
# What nobody ever reported no moderator reads. Who appealed is answered, whatever they became.
HAS_BEEN_REPORTED: LiteralString = """
(owner.role in ('player', 'moderator')
        or owner.id in (select id from appealed where kind = 'forum-profile'))
    and exists (select from forum_reports said where said.profile_id = owner.id)
"""
# Of a game of the catalogue all but what was won in it is ours; its title says what that is about.
SAID_ON_PROFILE: LiteralString = """
select concat_ws(E'\\n\\n', nullif(profile.bio, ''),
        string_agg(game.words, E'\\n\\n' order by game.created_at desc, game.id desc)) as written,
    concat_ws(E'\\n\\n', case when profile.hidden_at is null then nullif(profile.bio, '') end,
        string_agg(game.words, E'\\n\\n' order by game.created_at desc, game.id desc)
            filter (where game.hidden_at is null)) as shown,
    greatest(profile.hidden_at, max(game.hidden_at)) as hidden_at
from (
    select id, created_at, hidden_at, case when is_custom
        then concat_ws(E'\\n', concat_ws(' · ', title, nullif(platform, '')),
            nullif(description, ''), nullif(achievements, ''))
        else concat_ws(E'\\n', title, achievements) end as words
    from user_games where account_id = owner.id and (is_custom or achievements <> '')
) as game
"""
THINGS: LiteralString = f"""
things as (
    select 'post' as target, post.id, post.id as post_id, post.author_id, post.category,
        post.title as topic, post.title, post.content, post.shown_title, post.shown_content,
        post.violations, post.rules_edition, post.state, post.state_reason, post.state_at,
        post.edited_at, post.created_at, post.locked_at, post.is_hot, false as is_topic_gone
    from forum_posts post where post.id in (select post_id from waiting)
    union all
    select 'reply', reply.id, reply.post_id, reply.author_id, post.category,
        post.shown_title, '', reply.content, '', reply.shown_content,
        reply.violations, reply.rules_edition, reply.state, reply.state_reason, reply.state_at,
        reply.edited_at, reply.created_at, post.locked_at, post.is_hot, post.state <> 'shown'
    from forum_replies reply join forum_posts post on post.id = reply.post_id
    where reply.id in (select reply_id from waiting)
    union all
    select 'profile', owner.id, owner.id, owner.id, '',
        owner.display_name, owner.display_name, said.written, owner.display_name, said.shown,
        '[]'::jsonb, 0, case when owner.closed_at is not null then 'deleted'
            when said.hidden_at is not null then 'hidden' else 'shown' end, '', said.hidden_at,
        profile.said_at, owner.created_at, null, false, false
    from accounts owner left join profiles profile on profile.account_id = owner.id,
        lateral ({SAID_ON_PROFILE}) said
    where owner.id in (select profile_id from waiting) and {HAS_BEEN_REPORTED}
)
"""  # noqa: S608  (all parts are ours)
SHOWN: LiteralString = """
select things.*, account.display_name as author, coalesce(handle.handle, '') as handle,
    account.role, account.created_at as joined_at,
    coalesce(reported.reporters, 0) as reporters,
    appealed.number as appeal_number, coalesce(appealed.message, '') as appeal,
    appealed.at as appealed_at,
    greatest(things.created_at, things.edited_at, reported.at, appealed.at) as since,
    (select said.id from support_messages said
        where said.ticket_id = appealed.ticket_id and not said.is_answer
        order by said.id desc limit 1) as added_last,
    case when things.state = 'waiting' and things.violations @> '[{"kind": "self_harm"}]'
        then 'self_harm'
        else coalesce((%(gravest_first)s::text[])[reported.gravest], '') end as gravest
from things join accounts account on account.id = things.author_id
    left join account_handles handle
        on handle.account_id = account.id and handle.retired_at is null
            and account.closed_at is null
    left join reported on (things.target = 'post' and reported.post_id = things.id)
        or (things.target = 'reply' and reported.reply_id = things.id)
        or (things.target = 'profile' and reported.profile_id = things.id)
    left join appealed on appealed.id = things.id
"""
PICKED: LiteralString = """
select * from found where state <> 'deleted' and case %(kind)s
    when 'reported' then reporters > 0
    when 'appealed' then appeal_number is not null
    when 'waiting' then state = 'waiting'
    else true end
order by (gravest = 'self_harm') desc, reporters desc, since desc, id desc limit %(limit)s
"""
JUST_THIS: LiteralString = """
waiting as (
    select case when %(target)s = 'post' then %(id)s::uuid end as post_id,
        case when %(target)s = 'reply' then %(id)s::uuid end as reply_id,
        case when %(target)s = 'profile' then %(id)s::uuid end as profile_id
)
"""
QUEUE: LiteralString = f"with {ASKED}, {WAITING}, {THINGS}, found as ({SHOWN}) {PICKED}"
ONE: LiteralString = f"with {ASKED}, {JUST_THIS}, {THINGS} {SHOWN}"

GRAVEST = {"gravest_first": [reason.value for reason in GRAVEST_FIRST]}

LONGEST_NAME = 60
PLAYERS = frozenset(role.value for role in PLAYING_ROLES)


@dataclass(frozen=True, slots=True)
class Item:
    """A topic, a reply or a profile as those see it who decide on it."""

    target: Target
    id: UUID
    post_id: UUID
    """Where it stands; a profile stands by itself."""
    author_id: UUID
    category: str
    topic: str
    title: str
    content: str
    shown_title: str
    shown_content: str
    violations: Sequence[Mapping[str, Any]]
    rules_edition: int
    state: str
    state_reason: str
    state_at: datetime | None
    edited_at: datetime | None
    created_at: datetime
    locked_at: datetime | None
    is_hot: bool
    is_topic_gone: bool
    """It is a reply, and nobody else reads its topic."""
    author: str
    handle: str
    role: str
    joined_at: datetime
    reporters: int
    appeal_number: int | None
    appeal: str
    appealed_at: datetime | None
    since: datetime
    added_last: UUID | None
    """The last thing that its author added to the appeal."""
    gravest: str
    """The gravest reason for which it waits; empty where nobody said any."""

    @property
    def is_changed(self) -> bool:
        """Others see something else than what was written."""
        return (self.title, self.content) != (self.shown_title, self.shown_content)

    @property
    def is_changed_by_rules(self) -> bool:
        """What is hidden of a profile a moderator decided; what rules make of it is not kept."""
        by_rules = self.target is not Target.PROFILE and self.rules_edition < LIFTED
        return self.is_changed and by_rules

    @property
    def name(self) -> str:
        """How it is called where a line has room for it: whoever's topic, only as it is shown."""
        return self.topic or self.content[:LONGEST_NAME] or "–"

    @property
    def is_asked_about(self) -> bool:
        """Somebody waits for a decision, or for another one than that it is hidden."""
        return self.reporters > 0 or self.appeal_number is not None or self.state == "hidden"

    @property
    def standing(self) -> Standing:
        return Standing(
            target=self.target,
            state=self.state,
            is_locked=self.locked_at is not None,
            is_hot=self.is_hot,
            is_changed_by_rules=self.is_changed_by_rules,
            has_reports=self.reporters > 0,
            has_appeal=self.appeal_number is not None,
            has_words=self.shown_content != "",
            has_own_name=self.author != NAMELESS or not is_neutral(self.handle),
            is_player=self.role in PLAYERS,
        )

    @property
    def version(self) -> str:
        """Another one when something of it was decided or written since; reports may come."""
        parts = (
            *(self.state, self.state_at, self.edited_at, self.locked_at, self.is_hot),
            *(self.rules_edition, self.appeal_number, self.added_last),
        )
        return "|".join(str(part) for part in parts)


async def queue(session: AsyncSession, kind: str, *, limit: int) -> list[Item]:
    """Where somebody may be in danger first, then the most reported, then the newest."""
    found = await rows(session, QUEUE, {"kind": kind, "limit": limit, **GRAVEST})
    return [_item(row) for row in found]


async def find(session: AsyncSession, target: Target, thing_id: UUID) -> Item | None:
    found = await rows(session, ONE, {"target": target.value, "id": thing_id, **GRAVEST})
    return _item(found[0]) if found else None


def _item(row: Any) -> Item:
    return Item(Target(row[0]), *row[1:])


LOCK_OF: dict[Target, LiteralString] = {
    Target.POST: "select id from forum_posts where id = %(id)s for update",
    Target.REPLY: "select id from forum_replies where id = %(id)s for update",
    Target.PROFILE: "select id from accounts where id = %(id)s for no key update",
}


TOPIC_OF: LiteralString = """
select id from forum_posts
where id = (select post_id from forum_replies where id = %(id)s) for update
"""


async def lock(session: AsyncSession, target: Target, thing_id: UUID) -> None:
    """Whoever else decides on it or changes it waits; a reply is followed by its topic."""
    await rows(session, LOCK_OF[target], {"id": thing_id})
    if target is Target.REPLY:
        await rows(session, TOPIC_OF, {"id": thing_id})


LOCK_APPEAL: LiteralString = """
select id from support_tickets where about = %(about)s and status = 'open' for update
"""
ADDED: LiteralString = """
select said.text, said.created_at
from support_messages said join support_tickets ticket on ticket.id = said.ticket_id
where ticket.number = %(number)s and not said.is_answer order by said.id desc limit %(limit)s
"""


async def lock_appeal(session: AsyncSession, target: Target, thing_id: UUID) -> None:
    """Whoever says more in it waits."""
    await rows(session, LOCK_APPEAL, {"about": about(target, thing_id)})


@dataclass(frozen=True, slots=True)
class Added:
    """What an author added to their appeal."""

    text: str
    created_at: datetime


async def added_to(session: AsyncSession, appeal_number: int, *, limit: int) -> list[Added]:
    """The newest, in the order in which they were said."""
    found = await rows(session, ADDED, {"number": appeal_number, "limit": limit})
    return [Added(*row) for row in reversed(found)]


KNOWN: LiteralString = f"""
known as (
    select state = 'waiting' as waits,
        exists (select from reported where reported.post_id = post.id) as is_reported,
        exists (select from appealed where appealed.id = post.id) as is_appealed
    from forum_posts post where id in (select post_id from waiting) and state <> 'deleted'
    union all
    select state = 'waiting',
        exists (select from reported where reported.reply_id = reply.id),
        exists (select from appealed where appealed.id = reply.id)
    from forum_replies reply where id in (select reply_id from waiting) and state <> 'deleted'
    union all
    select false,
        exists (select from reported where reported.profile_id = owner.id),
        exists (select from appealed where appealed.id = owner.id)
    from accounts owner
    where id in (select profile_id from waiting) and closed_at is null and {HAS_BEEN_REPORTED}
)
"""  # noqa: S608  (all parts are ours)
COUNTED: LiteralString = """
select count(*), count(*) filter (where is_reported), count(*) filter (where waits),
    count(*) filter (where is_appealed)
from known
"""
COUNTS: LiteralString = f"with {ASKED}, {WAITING}, {KNOWN} {COUNTED}"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much waits for a decision, and why; one thing may wait for several reasons."""

    all: int
    reported: int
    waiting: int
    appealed: int


async def counts(session: AsyncSession) -> Counts:
    return Counts(*(await rows(session, COUNTS, GRAVEST))[0])
