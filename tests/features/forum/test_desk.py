"""Reports, decisions and appeals: once, by the right people, and with every consequence."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import timedelta
from uuid import UUID

import pytest

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.core.ids import id_at, new_id
from rewards_app.features.accounts import closing
from rewards_app.features.admin import what_waits
from rewards_app.features.admin.reports_state import ReportsTabState
from rewards_app.features.admin.tabs import TABS
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.audit import log as audit_log
from rewards_app.features.audit.rules import Action, Search
from rewards_app.features.forum import (
    appeals,
    casebook,
    decisions,
    replies,
    reports,
    rules,
    things,
    topics,
    verdicts,
)
from rewards_app.features.forum.decisions import Seen
from rewards_app.features.forum.desk_page import PAGES
from rewards_app.features.forum.desk_page import PATH as DESK_PATH
from rewards_app.features.forum.desk_rules import (
    FOR_THE_LOG,
    AppealedBefore,
    DecidedMeanwhile,
    Deed,
    NothingToAppeal,
    NotThere,
    OwnThing,
    ReasonMissing,
    ReportDecided,
    ReportedBefore,
    Target,
    Why,
)
from rewards_app.features.forum.desk_state import DeskState
from rewards_app.features.forum.seen import post_row
from rewards_app.features.moderation.rules import EDITION
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import NOBODY
from rewards_app.features.support import inbox, tickets
from rewards_app.features.support.rules import AppealWaits, MessageTooShort, TicketSettled
from rewards_app.features.support.service import APPEALED_ELSEWHERE
from rewards_app.models import ForumReport
from tests.ads import the_actor, the_player, the_players
from tests.forum import a_reply, a_topic, figures, row
from tests.people import NOON, an_account
from tests.tickets import replies as replies_in_ticket

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
WRITTEN = (Target.POST, Target.REPLY)
"""In the forum; profiles have tests of their own."""
WORDS = "I only quoted what the announcer said."
MORE = "Here is the recording: minute twelve."


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def a_moderator(name: str = "Linnea") -> Actor:
    email = f"{name.lower()}@example.com"
    return the_actor(await an_account(email, Role.MODERATOR, name=name))


async def reports_it(
    actor: Actor, thing: UUID, target: Target = Target.POST, *, reason="spam", text="", at=NOON
) -> None:
    async with transaction() as session:
        await reports.report(session, actor, target, thing, reason, text, now=at)


async def is_reported_by(people: Sequence[Actor], topic: UUID, *, text: str = "", at=NOON) -> None:
    """As a machine writes it down by whose clock it is `at` now."""
    async with transaction() as session:
        for one in people:
            session.add(
                ForumReport(
                    id=id_at(at),
                    post_id=topic,
                    account_id=one.user_id,
                    reason="spam",
                    text=text,
                    created_at=at,
                )
            )


async def case_of(thing: UUID, target: Target = Target.POST) -> casebook.Case:
    async with transaction() as session:
        return await casebook.case(session, target, thing)


async def seen(thing: UUID, target: Target = Target.POST) -> Seen:
    found = await case_of(thing, target)
    return Seen(target, thing, found.item.version, found.read)


async def decides(
    actor: Actor,
    thing: UUID | Seen,
    deed: Deed,
    why: str = "",
    *,
    target: Target = Target.POST,
    note: str = "",
    at=NOON,
) -> None:
    looked_at = thing if isinstance(thing, Seen) else await seen(thing, target)
    reason = why or decisions.desk_rules.REASONS[deed][0].value
    async with transaction() as session:
        await decisions.decide(session, actor, looked_at, deed, reason, note, now=at)


async def appeals_it(
    actor: Actor, thing: UUID, target: Target = Target.POST, *, words: str = WORDS, at=NOON
) -> int:
    async with transaction() as session:
        return await appeals.appeal(session, actor, target, thing, words, now=at)


async def changes(actor: Actor, thing: UUID, target: Target, content: str, *, at) -> None:
    async with transaction() as session:
        if target is Target.POST:
            await topics.edit(session, actor, thing, "Best place", content, language="en", now=at)
        else:
            await replies.edit(session, actor, thing, content, language="en", now=at)


async def deletes(actor: Actor, thing: UUID, target: Target = Target.POST) -> None:
    delete = topics.delete if target is Target.POST else replies.delete
    async with transaction() as session:
        await delete(session, actor, thing, now=NOON + MINUTE)


async def tickets_by_status() -> dict[str, int]:
    async with transaction() as session:
        return {**await inbox.counts(session)}


async def found_in(actor: Actor, topic: UUID) -> set[str]:
    """What its card says."""
    async with transaction() as session:
        shown = post_row(await topics.topic(session, actor, topic))
    return {one["kind"] for one in shown["violations"]}


async def queue(kind: str = "all") -> list[UUID]:
    async with transaction() as session:
        return [item.id for item in await casebook.queue(session, kind)]


async def counts() -> tuple[int, int, int, int]:
    async with transaction() as session:
        found = await casebook.counts(session)
    return found.all, found.reported, found.waiting, found.appealed


async def told(actor: Actor) -> list[tuple[str, dict]]:
    async with transaction() as session:
        found = await notifications.told(session, actor.user_id)
    return [(one.kind, one.params) for one in found.shown]


async def audited() -> list[tuple[str, str, str]]:
    async with transaction() as session:
        found = await audit_log.find(session, Search())
    return [(line.action, line.actor_name, line.reason) for line in found.shown]


class TestReports:
    async def test_bring_a_thing_to_the_desk_and_hide_nothing(self):
        topic = await a_topic(await the_player())
        await reports_it(await the_player("Sven"), topic, reason="harassment", text="Look.")
        assert await queue("reported") == [topic]
        found = await case_of(topic)
        assert [(one.reason, one.text) for one in found.reports] == [("harassment", "Look.")]
        assert found.item.state == "shown"

    async def test_many_never_hide_by_themselves(self):
        topic = await a_topic(await the_player())
        for number in range(5):
            await reports_it(await the_player(f"Sven{number}"), topic)
        assert (await row("forum_posts", topic))["state"] == "shown"
        assert (await case_of(topic)).item.reporters == 5

    async def test_the_most_reported_come_first(self):
        author = await the_player()
        quiet, loud = await a_topic(author), await a_topic(author)
        await reports_it(await the_player("Sven"), loud)
        await reports_it(await the_player("Ola"), loud)
        await reports_it(await the_player("Ola"), quiet, at=NOON + MINUTE)
        assert await queue() == [loud, quiet]

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_of_somebody_in_danger_come_before_the_most_reported(self, target: Target):
        author = await the_player()
        loud = topic = await a_topic(author)
        in_danger = await a_topic(author)
        if target is Target.REPLY:
            loud, in_danger = await a_reply(author, topic), await a_reply(author, topic)
        await reports_it(await the_player("Ola"), in_danger, target, reason="self_harm")
        for name in ("Sven", "Emil"):
            await reports_it(await the_player(name), loud, target, at=NOON + MINUTE)
        assert await queue() == [in_danger, loud]

    async def test_come_after_what_waits_for_a_person_because_of_self_harm(self):
        author = await the_player()
        waiting = await a_topic(author, "I want to kill myself", state="waiting")
        loud = await a_topic(author)
        for name in ("Sven", "Ola"):
            await reports_it(await the_player(name), loud, at=NOON + MINUTE)
        assert await queue() == [waiting, loud]
        assert (await case_of(waiting)).item.gravest == "self_harm"

    async def test_say_the_gravest_of_what_is_open(self):
        linnea, topic = await a_moderator(), await a_topic(await the_player())
        assert (await case_of(topic)).item.gravest == ""
        for name, reason in (("Sven", "spam"), ("Ola", "hateful"), ("Emil", "harassment")):
            await reports_it(await the_player(name), topic, reason=reason)
        assert (await case_of(topic)).item.gravest == "hateful"
        await decides(linnea, topic, Deed.DISMISS)
        await reports_it(await the_player("Nils"), topic, at=NOON + MINUTE)
        assert (await case_of(topic)).item.gravest == "spam"

    async def test_count_once_for_each_person(self):
        sven, topic = await the_player("Sven"), await a_topic(await the_player())
        await reports_it(sven, topic)
        with pytest.raises(ReportedBefore):
            await reports_it(sven, topic, reason="hateful")
        assert (await case_of(topic)).item.reporters == 1

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_of_what_was_changed_since_they_were_settled_count_again(self, target: Target):
        maja, sven, linnea = await the_player(), await the_player("Sven"), await a_moderator()
        thing = topic = await a_topic(maja)
        if target is Target.REPLY:
            thing = await a_reply(maja, topic)
        await reports_it(sven, thing, target)
        await changes(maja, thing, target, "Nothing of that.", at=NOON + MINUTE)
        with pytest.raises(ReportedBefore) as refusal:
            await reports_it(sven, thing, target, reason="hateful", at=NOON + 2 * MINUTE)
        assert refusal.type is ReportedBefore
        looked_at = await seen(thing, target)
        await decides(linnea, looked_at, Deed.DISMISS, at=NOON + 3 * MINUTE)
        with pytest.raises(ReportDecided):
            await reports_it(sven, thing, target, reason="hateful", at=NOON + 4 * MINUTE)
        await changes(maja, thing, target, "All of that.", at=NOON + 5 * MINUTE)
        await reports_it(sven, thing, target, reason="hateful", at=NOON + 6 * MINUTE)
        found = await case_of(thing, target)
        assert [one.reason for one in found.reports] == ["hateful"]
        assert not set(found.read) & set(looked_at.reports)

    async def test_of_one_person_at_once_count_once(self):
        sven, topic = await the_player("Sven"), await a_topic(await the_player())
        done = await asyncio.gather(
            *(reports_it(sven, topic) for _ in range(8)), return_exceptions=True
        )
        assert sum(one is None for one in done) == 1

    async def test_of_ones_own_words_are_refused(self):
        maja = await the_player()
        with pytest.raises(OwnThing):
            await reports_it(maja, await a_topic(maja))

    @pytest.mark.parametrize("state", ["hidden", "waiting", "deleted"])
    async def test_of_what_nobody_sees_are_refused(self, state: str):
        topic = await a_topic(await the_player(), state=state)
        with pytest.raises(NotThere):
            await reports_it(await the_player("Sven"), topic)

    async def test_of_what_never_was_are_refused(self):
        with pytest.raises(NotThere):
            await reports_it(await the_player(), new_id(), Target.REPLY)

    async def test_end_after_twenty_in_an_hour(self):
        author, sven = await the_player(), await the_player("Sven")
        for _ in range(20):
            await reports_it(sven, await a_topic(author))
        with pytest.raises(TooManyAttempts):
            await reports_it(sven, await a_topic(author))


class TestDecisions:
    async def test_hiding_a_topic_takes_it_out_of_every_figure_and_tells_its_author(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await reports_it(await the_player("Sven"), topic)
        await decides(linnea, topic, Deed.HIDE, "harassment", note="Calm down, please.")
        known = await row("forum_posts", topic)
        assert (known["state"], known["state_reason"]) == (
            "hidden",
            "harassment\nCalm down, please.",
        )
        assert await figures() == {}
        assert await told(maja) == [
            (
                "post_hidden",
                {
                    "title": "Best place to land",
                    "reason": ["forum.desk.reasons.harassment"],
                    "note": "Calm down, please.",
                },
            )
        ]
        assert await counts() == (0, 0, 0, 0)

    async def test_hiding_a_reply_takes_it_off_its_topics_count(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(linnea)
        reply = await a_reply(maja, topic)
        await decides(linnea, reply, Deed.HIDE, target=Target.REPLY)
        assert (await row("forum_posts", topic))["replies_count"] == 0
        assert [kind for kind, _ in await told(maja)] == ["reply_hidden"]
        assert await figures() == {"category:fortnite": 1, "writers": 1}

    async def test_showing_again_puts_every_figure_back(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        before = await figures()
        await decides(linnea, topic, Deed.HIDE)
        await decides(linnea, topic, Deed.RESTORE, "mistake", at=NOON + MINUTE)
        known = await row("forum_posts", topic)
        assert (known["state"], known["state_reason"]) == ("shown", "")
        assert await figures() == before
        assert [kind for kind, _ in await told(maja)] == ["restored", "post_hidden"]

    async def test_settle_what_was_read_and_no_report_with_an_older_id(self):
        """A machine's clock may be behind, and a transaction may end late."""
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        sven = await the_player("Sven")
        await reports_it(await the_player("Ola"), topic)
        looked_at = await seen(topic)
        await is_reported_by([sven], topic, text="Late", at=NOON - MINUTE)
        await decides(linnea, looked_at, Deed.DISMISS)
        assert [one.text for one in (await case_of(topic)).reports] == ["Late"]
        assert await queue("reported") == [topic]
        with pytest.raises(ReportedBefore):
            await reports_it(sven, topic)

    async def test_settle_all_that_were_counted_though_no_more_than_fifty_are_shown(self):
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        await is_reported_by(await the_players(casebook.MOST_REPORTS + 1), topic)
        found = await case_of(topic)
        assert (len(found.reports), found.item.reporters) == (50, 51)
        await decides(linnea, topic, Deed.HIDE)
        assert await counts() == (0, 0, 0, 0)

    async def test_a_text_that_waits_is_approved_or_kept_back_with_caring_words(self):
        maja, linnea = await the_player(), await a_moderator()
        topics = [await a_topic(maja, state="waiting") for _ in range(2)]
        assert await queue("waiting") == list(reversed(topics))
        await decides(linnea, topics[0], Deed.RESTORE)
        await decides(linnea, topics[1], Deed.HIDE, "care")
        assert await figures() == {"category:fortnite": 1, "writers": 1}
        assert (await told(maja))[0][1]["reason"] == ["forum.desk.reasons.care"]
        assert await counts() == (0, 0, 0, 0)

    @pytest.mark.parametrize("deed", [Deed.RESTORE, Deed.HIDE])
    async def test_what_waited_for_self_harm_bears_no_word_of_it_once_it_was_read(self, deed: Deed):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "I just want to die laughing, what idiots", state="waiting")
        assert await found_in(maja, topic) == {"language", "self_harm"}
        await decides(linnea, topic, deed)
        assert await found_in(maja, topic) == {"language"}

    async def test_a_persons_decision_wins_over_the_rules(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "you are stupid and nobody likes you, get lost")
        assert (await row("forum_posts", topic))["shown_content"] != (
            await row("forum_posts", topic)
        )["content"]
        await decides(linnea, topic, Deed.AS_WRITTEN)
        known = await row("forum_posts", topic)
        assert known["shown_content"] == known["content"]
        assert known["violations"] == []
        assert known["rules_edition"] > EDITION
        assert Deed.AS_WRITTEN not in decisions.desk_rules.deeds_for(
            (await case_of(topic)).item.standing
        )

    async def test_what_waited_calls_its_people_when_it_is_shown(self):
        maja, linnea = the_actor(await an_account(name="Maja")), await a_moderator()
        sven = the_actor(await an_account("sven@example.com", name="Sven"))
        topic = await a_topic(sven)
        reply = await a_reply(maja, topic, "@linnea what now?", state="waiting")
        await decides(await a_moderator("Ola"), reply, Deed.RESTORE, target=Target.REPLY)
        assert [kind for kind, _ in await told(sven)] == ["reply"]
        assert [kind for kind, _ in await told(linnea)] == ["mention"]

    async def test_what_waited_calls_them_by_no_name_whose_account_is_closed(self):
        maja, sven = the_actor(await an_account(name="Maja")), await the_player("Sven")
        linnea = await a_moderator()
        topic = await a_topic(sven)
        reply = await a_reply(maja, topic, "@linnea what now?", state="waiting")
        async with transaction() as session:
            await closing.close(session, maja.user_id, now=NOON)
        await decides(await a_moderator("Ola"), reply, Deed.RESTORE, target=Target.REPLY)
        for person in (sven, linnea):
            [(_, said)] = await told(person)
            assert said["who"] == [NOBODY]

    @pytest.mark.parametrize("state", ["hidden", "deleted", "waiting"])
    async def test_a_reply_calls_nobody_into_a_topic_that_is_not_shown(self, state: str):
        maja, linnea = the_actor(await an_account(name="Maja")), await a_moderator()
        sven = the_actor(await an_account("sven@example.com", name="Sven"))
        topic = await a_topic(sven, state=state)
        reply = await a_reply(maja, topic, "@linnea what now?", state="waiting")
        await decides(await a_moderator("Ola"), reply, Deed.RESTORE, target=Target.REPLY)
        assert (await row("forum_replies", reply))["state"] == "shown"
        assert (await told(sven), await told(linnea)) == ([], [])

    async def test_a_reply_under_a_title_that_nobody_sees_is_called_by_its_own_words(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(await the_player("Sven"))
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql("update forum_posts set shown_title = ''")
        reply = await a_reply(maja, topic, "At the lighthouse.")
        await decides(linnea, reply, Deed.HIDE, target=Target.REPLY)
        assert (await told(maja))[0][1]["title"] == "At the lighthouse."

    async def test_a_lock_and_the_hot_badge_come_and_go(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        for deed in (Deed.LOCK, Deed.MARK_HOT):
            await decides(linnea, topic, deed)
        known = await row("forum_posts", topic)
        assert known["locked_at"]
        assert known["is_hot"]
        for deed in (Deed.UNLOCK, Deed.UNMARK_HOT):
            await decides(linnea, topic, deed)
        known = await row("forum_posts", topic)
        assert (known["locked_at"], known["is_hot"]) == (None, False)
        assert [kind for kind, _ in await told(maja)] == ["unlocked", "locked"]

    async def test_the_last_reason_of_a_lock_is_for_the_topics_author_alone(self):
        maja, linnea, sven = await the_player(), await a_moderator(), await the_player("Sven")
        topic = await a_topic(maja)
        for deed, why in ((Deed.LOCK, "done"), (Deed.UNLOCK, "calm"), (Deed.LOCK, "heated")):
            await decides(linnea, topic, deed, why, note="Sleep over it.")
        async with transaction() as session:
            own = post_row(await topics.topic(session, maja, topic))
            others = post_row(await topics.topic(session, sven, topic))
        heated = ("forum.desk.reasons.heated", "Sleep over it.")
        assert (own["lock_key"], own["lock_note"]) == heated
        assert (others["lock_key"], others["lock_note"]) == ("", "")

    async def test_closing_reports_leaves_the_thing_and_those_that_came_meanwhile(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await reports_it(await the_player("Sven"), topic)
        looked_at = await seen(topic)
        await reports_it(await the_player("Ola"), topic, reason="hateful")
        await decides(linnea, looked_at, Deed.DISMISS)
        assert [one.reason for one in (await case_of(topic)).reports] == ["hateful"]
        assert await told(maja) == []

    async def test_of_two_at_once_one_counts_and_the_other_is_told(self):
        maja, linnea, ola = await the_player(), await a_moderator(), await a_moderator("Ola")
        topic = await a_topic(maja)
        looked_at = await seen(topic)
        done = await asyncio.gather(
            decides(linnea, looked_at, Deed.HIDE),
            decides(ola, looked_at, Deed.HIDE, "spam"),
            return_exceptions=True,
        )
        assert sorted(type(one).__name__ for one in done) == ["DecidedMeanwhile", "NoneType"]
        assert len(await told(maja)) == 1
        assert len((await case_of(topic)).decisions) == 1

    async def test_on_what_was_changed_meanwhile_are_refused(self):
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        looked_at = await seen(topic)
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql("update forum_posts set edited_at = now()")
        with pytest.raises(DecidedMeanwhile):
            await decides(linnea, looked_at, Deed.HIDE)

    async def test_on_ones_own_words_are_refused(self):
        linnea = await a_moderator()
        topic = await a_topic(linnea)
        with pytest.raises(OwnThing):
            await decides(linnea, topic, Deed.MARK_HOT)

    async def test_that_make_no_sense_now_are_refused(self):
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        for deed in (Deed.RESTORE, Deed.UNLOCK, Deed.TURN_DOWN, Deed.DISMISS, Deed.AS_WRITTEN):
            with pytest.raises(DecidedMeanwhile):
                await decides(linnea, topic, deed)

    async def test_without_a_reason_of_theirs_are_refused(self):
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        with pytest.raises(ReasonMissing):
            await decides(linnea, topic, Deed.HIDE, Why.WORTH_READING)
        assert (await row("forum_posts", topic))["state"] == "shown"

    async def test_on_what_never_was_are_refused(self):
        linnea = await a_moderator()
        with pytest.raises(NotThere):
            await decides(linnea, Seen(Target.POST, new_id(), ""), Deed.HIDE)

    @pytest.mark.parametrize("deed", [Deed.HIDE, Deed.LOCK, Deed.MARK_HOT])
    async def test_are_written_into_the_audit_log(self, deed: Deed):
        topic, linnea = await a_topic(await the_player()), await a_moderator()
        await decides(linnea, topic, deed, note="As agreed.")
        [(action, who, reason)] = await audited()
        assert (action, who) == (verdicts.RECORDED[deed].value, "Linnea")
        assert reason.endswith("As agreed.")
        assert not reason.startswith("forum.")

    async def test_tell_the_author_unless_what_is_said_is_for_the_log(self):
        assert {Deed.HIDE, *verdicts.TELLS} == set(Deed) - FOR_THE_LOG
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await reports_it(await the_player("Sven"), topic)
        for deed in (Deed.DISMISS, Deed.MARK_HOT, Deed.UNMARK_HOT):
            await decides(linnea, topic, deed, note="Please keep it friendlier.")
        assert await told(maja) == []

    async def test_every_one_has_its_line(self):
        assert {*verdicts.RECORDED, *verdicts.RECORDED_ON_PROFILE} == set(Deed)
        lines = [*verdicts.RECORDED.values(), *verdicts.RECORDED_ON_PROFILE.values()]
        assert len(set(lines)) == len(lines)
        assert all(isinstance(action, Action) for action in lines)


class TestAppeals:
    async def test_bring_a_hidden_thing_back_to_the_desk(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        assert await queue("appealed") == [topic]
        item = (await case_of(topic)).item
        assert (item.appeal_number, item.appeal) == (number, WORDS)

    async def test_are_not_spent_by_an_author_who_would_close_them(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        with pytest.raises(AppealWaits):
            async with transaction() as session:
                await tickets.close(session, maja, number, now=NOON + 2 * MINUTE)
        assert await queue("appealed") == [topic]
        async with transaction() as session:
            right = await appeals.right_of(session, maja, Target.POST, topic, now=NOON)
        assert right.open_number == number

    async def test_are_read_with_all_that_was_added_to_them(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        for minutes, words in enumerate((MORE, WORDS), start=2):
            await replies_in_ticket(maja, number, words, now=NOON + minutes * MINUTE)
        found = await case_of(topic)
        assert (found.item.appeal, [one.text for one in found.added]) == (WORDS, [MORE, WORDS])
        assert found.added[0].created_at == NOON + 2 * MINUTE

    async def test_that_were_added_to_are_not_decided_before_that_is_read(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        looked_at = await seen(topic)
        await replies_in_ticket(maja, number, MORE)
        with pytest.raises(DecidedMeanwhile):
            await decides(linnea, looked_at, Deed.TURN_DOWN)
        await decides(linnea, topic, Deed.TURN_DOWN)

    async def test_that_are_just_being_added_to_are_not_decided_either(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        looked_at = await seen(topic)
        async with transaction() as session:
            await tickets.reply(session, maja, number, MORE, now=NOON + 2 * MINUTE)
            deciding = asyncio.create_task(decides(linnea, looked_at, Deed.TURN_DOWN))
            await asyncio.wait({deciding}, timeout=0.3)
        with pytest.raises(DecidedMeanwhile):
            await deciding
        assert await queue("appealed") == [topic]

    async def test_that_are_added_to_are_announced_to_the_desks(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        live._waiting.clear()
        await replies_in_ticket(maja, number, MORE)
        assert (APPEALED_ELSEWHERE, str(topic)) in live._waiting
        [desk] = [page for page in PAGES if page.path == DESK_PATH]
        assert DeskState.refresh in desk.follows[APPEALED_ELSEWHERE]
        [tab] = [tab for tab in TABS if tab.key == "reports"]
        assert ReportsTabState.refresh in tab.follows[APPEALED_ELSEWHERE]

    async def test_that_are_taken_back_by_rewording_are_announced_to_who_counts_them(self):
        maja = await the_player()
        topic = await a_topic(maja, "what a stupid map")
        await appeals_it(maja, topic, at=NOON + MINUTE)
        live._waiting.clear()
        await changes(maja, topic, Target.POST, "What a map that is!", at=NOON + 2 * MINUTE)
        assert await counts() == (0, 0, 0, 0)
        assert (APPEALED_ELSEWHERE, str(topic)) in live._waiting
        assert WaitingState.count in what_waits.FOLLOWS[APPEALED_ELSEWHERE]

    async def test_are_closed_by_showing_the_thing(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        await appeals_it(maja, topic, at=NOON + MINUTE)
        await decides(linnea, topic, Deed.RESTORE, "mistake", at=NOON + 2 * MINUTE)
        assert await counts() == (0, 0, 0, 0)
        assert (await told(maja))[0][0] == "restored"

    async def test_can_be_made_once_against_each_decision(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        await appeals_it(maja, topic, at=NOON + MINUTE)
        await decides(linnea, topic, Deed.TURN_DOWN, at=NOON + 2 * MINUTE)
        assert [kind for kind, _ in await told(maja)] == ["appeal_turned_down", "post_hidden"]
        with pytest.raises(AppealedBefore):
            await appeals_it(maja, topic, at=NOON + 3 * MINUTE)
        await decides(linnea, topic, Deed.RESTORE, at=NOON + 4 * MINUTE)
        await decides(linnea, topic, Deed.HIDE, at=NOON + 5 * MINUTE)
        assert await appeals_it(maja, topic, at=NOON + 6 * MINUTE)

    @pytest.mark.parametrize(
        ("age", "deeds", "can_change"),
        [
            (MINUTE, [], True),
            (rules.EDIT_WITHIN + MINUTE, [], False),
            (MINUTE, [Deed.LOCK], False),
            (MINUTE, [Deed.HIDE], False),
        ],
        ids=["fresh", "old", "locked", "hidden"],
    )
    async def test_say_that_a_text_can_be_changed_only_where_it_can(
        self, age: timedelta, deeds: list[Deed], can_change: bool
    ):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "what a stupid map")
        for deed in deeds:
            await decides(linnea, topic, deed)
        async with transaction() as session:
            right = await appeals.right_of(session, maja, Target.POST, topic, now=NOON + age)
        assert right.can_change is can_change
        with nullcontext() if can_change else pytest.raises(DomainError):
            async with transaction() as session:
                await topics.edit(
                    session, maja, topic, "A title", "A new text", language="en", now=NOON + age
                )

    async def test_of_a_reply_speak_of_changing_it_only_while_its_topic_is_shown(self):
        maja = await the_player()
        topic = await a_topic(await the_player("Sven"))
        reply = await a_reply(maja, topic, "what a stupid map")
        for state, can_change in (("shown", True), ("hidden", False)):
            async with transaction() as session:
                await things.set_state(session, Target.POST, topic, state, "", now=NOON)
                right = await appeals.right_of(session, maja, Target.REPLY, reply, now=NOON)
            assert right.can_change is can_change

    async def test_asked_twice_are_the_same_one(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        first = await appeals_it(maja, topic, at=NOON + MINUTE)
        assert await appeals_it(maja, topic, at=NOON + MINUTE) == first

    async def test_stand_against_a_lock_and_are_answered_by_opening_the_topic(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.LOCK)
        await appeals_it(maja, topic, at=NOON + MINUTE)
        assert await queue("appealed") == [topic]
        await decides(linnea, topic, Deed.TURN_DOWN, at=NOON + 2 * MINUTE)
        with pytest.raises(AppealedBefore):
            await appeals_it(maja, topic, at=NOON + 3 * MINUTE)
        await decides(linnea, topic, Deed.UNLOCK, at=NOON + 4 * MINUTE)
        await decides(linnea, topic, Deed.LOCK, at=NOON + 5 * MINUTE)
        await appeals_it(maja, topic, at=NOON + 6 * MINUTE)
        await decides(linnea, topic, Deed.UNLOCK, "mistake", at=NOON + 7 * MINUTE)
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 2}
        with pytest.raises(NothingToAppeal):
            await appeals_it(maja, topic, at=NOON + 8 * MINUTE)

    async def test_of_what_is_masked_too_wait_on_when_its_topic_is_opened(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "what a stupid map")
        await decides(linnea, topic, Deed.LOCK)
        await appeals_it(maja, topic, at=NOON + MINUTE)
        await decides(linnea, topic, Deed.UNLOCK, at=NOON + 2 * MINUTE)
        assert await queue("appealed") == [topic]

    async def test_of_a_reply_are_refused_where_only_its_topic_is_locked(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(linnea)
        reply = await a_reply(maja, topic)
        await decides(await a_moderator("Nils"), topic, Deed.LOCK)
        with pytest.raises(NothingToAppeal):
            await appeals_it(maja, reply, Target.REPLY, at=NOON + MINUTE)

    async def test_stand_against_what_the_rules_did(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(linnea)
        reply = await a_reply(maja, topic, "what a stupid map", now=NOON)
        await appeals_it(maja, reply, Target.REPLY, at=NOON + MINUTE)
        await decides(linnea, reply, Deed.AS_WRITTEN, target=Target.REPLY)
        assert (await row("forum_replies", reply))["shown_content"] == "what a stupid map"

    async def test_of_others_and_of_what_is_shown_are_refused(self):
        maja, linnea, sven = await the_player(), await a_moderator(), await the_player("Sven")
        topic = await a_topic(maja)
        with pytest.raises(NothingToAppeal):
            await appeals_it(maja, topic)
        await decides(linnea, topic, Deed.HIDE)
        with pytest.raises(NothingToAppeal):
            await appeals_it(sven, topic)
        with pytest.raises(NothingToAppeal):
            await appeals_it(maja, new_id())

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_end_when_the_author_deletes_what_was_hidden(self, target: Target):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        thing = topic if target is Target.POST else await a_reply(maja, topic)
        await decides(linnea, thing, Deed.HIDE, target=target)
        number = await appeals_it(maja, thing, target, at=NOON + MINUTE)
        await deletes(maja, thing, target)
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 1}
        assert (await counts(), await queue()) == ((0, 0, 0, 0), [])
        with pytest.raises(TicketSettled):
            async with transaction() as session:
                await tickets.reply(session, maja, number, WORDS, now=NOON + 2 * MINUTE)

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_end_when_the_author_deletes_what_was_masked(self, target: Target):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "what a stupid map")
        reply = await a_reply(maja, await a_topic(linnea), "what a stupid map")
        thing = topic if target is Target.POST else reply
        await appeals_it(maja, thing, target, at=NOON + MINUTE)
        await deletes(maja, thing, target)
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 1}

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_end_when_the_author_rewords_what_was_masked(self, target: Target):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja, "what a stupid map")
        reply = await a_reply(maja, await a_topic(linnea), "what a stupid map")
        thing = topic if target is Target.POST else reply
        await appeals_it(maja, thing, target, at=NOON + MINUTE)
        await changes(maja, thing, target, "such a stupid map", at=NOON + 2 * MINUTE)
        assert await queue("appealed") == [thing]
        await changes(maja, thing, target, "what a map", at=NOON + 3 * MINUTE)
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 1}
        assert await queue() == []

    async def test_against_what_later_rules_took_back_were_right(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(linnea)
        reply = await a_reply(maja, topic, "what a map", now=NOON)
        async with transaction() as session:
            await rows(
                session,
                "update forum_replies set rules_edition = 0, shown_content = '****' returning id",
                {},
            )
        await appeals_it(maja, reply, Target.REPLY, at=NOON + MINUTE)
        async with transaction() as session:
            await replies.replies_to(session, linnea, topic)
        with pytest.raises(DecidedMeanwhile):
            await decides(linnea, reply, Deed.TURN_DOWN, target=Target.REPLY)
        await decides(linnea, reply, Deed.RESTORE, "mistake", target=Target.REPLY)
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 1}
        assert [kind for kind, _ in await told(maja)] == ["restored"]

    async def test_of_other_things_wait_on_when_one_is_deleted(self):
        maja, linnea = await the_player(), await a_moderator()
        gone, stays = await a_topic(maja), await a_topic(maja)
        for topic in (gone, stays):
            await decides(linnea, topic, Deed.HIDE)
            await appeals_it(maja, topic, at=NOON + MINUTE)
        await deletes(maja, gone)
        assert await queue("appealed") == [stays]
        assert (await tickets_by_status())["open"] == 1

    async def test_made_while_the_thing_is_being_deleted_end_with_it(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        async with transaction() as session:
            await appeals.appeal(session, maja, Target.POST, topic, WORDS, now=NOON + MINUTE)
            deleting = asyncio.create_task(deletes(maja, topic))
            await asyncio.wait({deleting}, timeout=0.3)
        await deleting
        assert (await tickets_by_status())["open"] == 0

    async def test_need_words(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.HIDE)
        with pytest.raises(MessageTooShort):
            await appeals_it(maja, topic, words="no")

    async def test_end_after_five_in_an_hour(self):
        maja, linnea = await the_player(), await a_moderator()
        topics = [await a_topic(maja) for _ in range(6)]
        for topic in topics:
            await decides(linnea, topic, Deed.HIDE)
        for topic in topics[:5]:
            await appeals_it(maja, topic, at=NOON + MINUTE)
        with pytest.raises(TooManyAttempts):
            await appeals_it(maja, topics[5], at=NOON + MINUTE)


class TestTheLog:
    async def test_tells_who_decided_what_the_newest_first(self):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        await decides(linnea, topic, Deed.LOCK)
        await decides(linnea, topic, Deed.HIDE, "spam", at=NOON + MINUTE)
        async with transaction() as session:
            found = await casebook.log(session)
        assert [(one.action, one.by_name, one.author) for one in found.shown] == [
            ("hide", "Linnea", "Maja"),
            ("lock", "Linnea", "Maja"),
        ]

    async def test_is_narrowed_down_by_author_and_decision(self):
        maja, linnea = the_actor(await an_account(name="Maja")), await a_moderator()
        sven = the_actor(await an_account("sven@example.com", name="Sven"))
        for author in (maja, sven):
            topic = await a_topic(author)
            await decides(linnea, topic, Deed.HIDE)
        async with transaction() as session:
            of_maja = await casebook.log(session, handle="@Maja")
            hidden = await casebook.log(session, action="hide")
            locked = await casebook.log(session, action="lock")
            nobody = await casebook.log(session, handle="' or 1=1 --")
        assert [one.author for one in of_maja.shown] == ["Maja"]
        assert (len(hidden.shown), len(locked.shown), len(nobody.shown)) == (2, 0, 0)

    async def test_counts_what_was_hidden_of_an_author_before(self):
        maja, linnea = await the_player(), await a_moderator()
        first, second = await a_topic(maja), await a_topic(maja)
        await decides(linnea, first, Deed.HIDE)
        assert (await case_of(second)).hidden_before == 1

    @pytest.mark.parametrize("target", WRITTEN)
    async def test_does_not_count_what_was_hidden_by_mistake(self, target: Target):
        maja, linnea = await the_player(), await a_moderator()
        topic = await a_topic(maja)
        thing = topic if target is Target.POST else await a_reply(maja, topic)
        for deed in (Deed.HIDE, Deed.RESTORE):
            await decides(linnea, thing, deed, target=target)
        assert (await case_of(topic)).hidden_before == 0
        await decides(linnea, thing, Deed.HIDE, target=target)
        assert (await case_of(topic)).hidden_before == 1


async def test_a_deleted_thing_waits_for_nobody():
    topic = await a_topic(await the_player())
    await reports_it(await the_player("Sven"), topic)
    async with transaction() as session:
        connection = await session.connection()
        await connection.exec_driver_sql("update forum_posts set state = 'deleted'")
    assert await queue() == []
    assert await counts() == (0, 0, 0, 0)
    async with transaction() as session:
        assert len(await rows(session, "select 1 from forum_reports", {})) == 1
