"""What people are told: once for each cause, theirs alone, by mail as they choose."""

from datetime import timedelta
from uuid import UUID

import pytest

from rewards_app.core import forgetting
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import BadArguments
from rewards_app.core.ids import new_id
from rewards_app.core.mail import Letter, composed
from rewards_app.core.settings import settings
from rewards_app.features.notifications import letters, service
from rewards_app.features.notifications.rules import (
    ABOUT,
    ONE_MAIL_EVERY,
    READ_ONES_ARE_KEPT,
    UNREAD_ONES_ARE_KEPT,
    Kind,
    Topic,
)
from rewards_app.i18n.catalogues import interface
from rewards_app.i18n.languages import CODES, DEFAULT
from rewards_app.models import Account
from tests.ads import the_actor, the_player
from tests.people import NOON, an_account
from tests.queued import as_read
from tests.serving import text_of

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
TOPIC = "/forum/topic?id=1"
QUEUED = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"


async def tells(
    actor: Actor, kind: Kind = Kind.REPLY, *, cause: str = "", link: str = TOPIC, at=NOON, **params
) -> bool:
    said = {"who": "Linnea", "title": "Best loadout?"} | params
    async with transaction() as session:
        return await service.tell(
            session, actor.user_id, kind, link=link, cause=cause or str(new_id()), now=at, **said
        )


async def hides(actor: Actor, **params) -> bool:
    said = {"reason": ["settings.title"], "note": "Two players asked."} | params
    return await tells(actor, Kind.POST_HIDDEN, **said)


async def told(actor: Actor, before: UUID | None = None) -> service.Told:
    async with transaction() as session:
        return await service.told(session, actor.user_id, before=before)


async def reads(actor: Actor, one: UUID | None = None) -> None:
    async with transaction() as session:
        await service.read(session, actor, one, now=NOON)


async def is_shown(actor: Actor, *links: str) -> None:
    async with transaction() as session:
        await service.read_there(session, actor.user_id, links, now=NOON)


async def chooses(actor: Actor, topic: str, by_mail: bool) -> None:
    async with transaction() as session:
        await service.choose(session, actor, topic, by_mail)


async def gathers(at=NOON) -> int:
    async with transaction() as session:
        return await letters.tell_gathered(session, now=at)


async def queued() -> list[Letter]:
    async with transaction() as session:
        return [Letter(**as_read(row[0])) for row in await rows(session, QUEUED, {})]


async def speaks(actor: Actor, language: str) -> None:
    async with transaction() as session:
        account = await session.get(Account, actor.user_id)
        assert account
        account.language = language


class TestTelling:
    async def test_says_it_and_counts_it(self):
        maja = await the_player()
        assert await tells(maja)
        [one] = (await told(maja)).shown
        assert (one.kind, one.params["who"], one.link) == ("reply", "Linnea", TOPIC)
        assert await service.unread(maja.user_id) == 1

    async def test_the_same_cause_tells_nobody_twice(self):
        maja, sven = await the_player(), await the_player("Sven")
        assert await tells(maja, cause="reply:1")
        assert not await tells(maja, cause="reply:1")
        assert await tells(sven, cause="reply:1")
        assert len((await told(maja)).shown) == 1

    async def test_comes_newest_first_stretch_by_stretch(self):
        maja = await the_player()
        for number in range(service.A_PAGE + 3):
            await tells(maja, title=str(number))
        first = await told(maja)
        rest = await told(maja, first.next_before)
        titles = [one.params["title"] for one in [*first.shown, *rest.shown]]
        assert titles == [str(number) for number in reversed(range(service.A_PAGE + 3))]
        assert rest.next_before is None

    async def test_keeps_hostile_words_as_words(self):
        maja = await the_player()
        await tells(maja, title="<script>alert(1)</script> {{who}} $t(app.name)")
        [one] = (await told(maja)).shown
        assert one.params["title"] == "<script>alert(1)</script> {{who}} $t(app.name)"


class TestReading:
    async def test_one_leaves_the_others_unread(self):
        maja = await the_player()
        await tells(maja)
        await tells(maja)
        await reads(maja, (await told(maja)).shown[0].id)
        assert [one.read_at is None for one in (await told(maja)).shown] == [False, True]

    async def test_all_leaves_none(self):
        maja = await the_player()
        await tells(maja)
        await tells(maja)
        await reads(maja)
        assert await service.unread(maja.user_id) == 0

    async def test_nobody_reads_anothers(self):
        maja, sven = await the_player(), await the_player("Sven")
        await tells(maja)
        await reads(sven, (await told(maja)).shown[0].id)
        await reads(sven)
        assert await service.unread(maja.user_id) == 1

    async def test_whoever_is_shown_where_it_leads_has_read_it_and_nothing_else(self):
        maja, sven = await the_player(), await the_player("Sven")
        for person in (maja, sven):
            await tells(person)
        await tells(maja, link="/forum/topic?id=2")
        await is_shown(maja, TOPIC, f"{TOPIC}#reply-1")
        assert [one.link for one in (await told(maja)).shown if not one.read_at] == [
            "/forum/topic?id=2"
        ]
        assert await service.unread(sven.user_id) == 1

    async def test_a_decision_is_not_read_where_its_reason_does_not_stand(self):
        maja = await the_player()
        await hides(maja, link=TOPIC)
        await is_shown(maja, TOPIC)
        assert await service.unread(maja.user_id) == 1

    async def test_what_nobody_read_for_a_year_is_forgotten(self):
        maja = await the_player()
        await tells(maja)
        assert await service.forget(now=NOON + UNREAD_ONES_ARE_KEPT) == 0
        assert await service.forget(now=NOON + UNREAD_ONES_ARE_KEPT + MINUTE) == 1
        assert (await told(maja)).shown == []

    async def test_what_was_read_long_ago_is_forgotten_alone(self):
        maja = await the_player()
        await tells(maja)
        await reads(maja)
        await tells(maja)
        assert await service.forget(now=NOON + READ_ONES_ARE_KEPT) == 0
        assert await service.forget(now=NOON + READ_ONES_ARE_KEPT + MINUTE) == 1
        assert [one.read_at for one in (await told(maja)).shown] == [None]

    async def test_all_that_was_read_long_ago_is_forgotten_however_much(self, monkeypatch):
        monkeypatch.setattr(forgetting, "AT_ONCE", 2)
        maja = await the_player()
        for _ in range(5):
            await tells(maja)
        await reads(maja)
        assert await service.forget(now=NOON + READ_ONES_ARE_KEPT + MINUTE) == 5


class TestChoices:
    async def test_begin_with_decisions_alone(self):
        maja = await the_player()
        async with transaction() as session:
            found = await service.choices(session, maja)
        assert [topic for topic, by_mail in found.items() if by_mail] == [Topic.MODERATION]
        assert set(found) == set(Topic)

    async def test_are_kept_and_can_be_taken_back(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await chooses(maja, "moderation", False)
        await chooses(maja, "replies", False)
        async with transaction() as session:
            assert not any((await service.choices(session, maja)).values())

    async def test_of_companies_leave_out_what_they_cannot_unlock(self):
        company = the_actor(await an_account(role=Role.COMPANY))
        async with transaction() as session:
            assert Topic.ACHIEVEMENTS not in await service.choices(session, company)
        with pytest.raises(BadArguments):
            await chooses(company, "achievements", True)

    async def test_of_unknown_topics_are_refused(self):
        with pytest.raises(BadArguments):
            await chooses(await the_player(), "everything", True)


class TestMails:
    @pytest.mark.parametrize("language", CODES)
    async def test_tell_a_decision_at_once_in_its_readers_language(self, language: str):
        maja = await the_player()
        await speaks(maja, language)
        await hides(maja)
        [letter] = await queued()
        said = text_of(composed(letter))
        assert "Best loadout?" in said
        assert "Two players asked." in said
        led = "/settings" if language == DEFAULT else f"/settings?language={language}"
        assert f"{settings().origin}{led}" in said.split()
        assert "{{" not in said
        assert "notifications." not in said

    async def test_of_decisions_can_be_switched_off(self):
        maja = await the_player()
        await chooses(maja, "moderation", False)
        await hides(maja)
        assert await queued() == []

    async def test_of_replies_are_not_sent_unless_wanted(self):
        maja = await the_player()
        await tells(maja)
        assert await gathers() == 0

    async def test_go_to_nobody_who_did_not_prove_the_address(self):
        maja = the_actor(await an_account(is_verified=False))
        await hides(maja)
        assert await queued() == []

    async def test_gather_what_one_topic_saw(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await chooses(maja, "mentions", True)
        await tells(maja, who="Linnea")
        await tells(maja, Kind.MENTION, who="Sven", link=f"{TOPIC}#reply-2")
        await tells(maja, who="Ola", link="/forum/topic?id=2", title="Another")
        assert await gathers() == 2
        first = next(letter for letter in await queued() if letter.params["count"] == 2)
        said = text_of(composed(first))
        assert "Linnea replied to “Best loadout?”" in said
        assert "Sven mentioned you in “Best loadout?”" in said

    async def test_come_at_most_once_an_hour_for_one_topic(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await tells(maja)
        assert await gathers() == 1
        await tells(maja, at=NOON + MINUTE)
        await tells(maja, at=NOON + 2 * MINUTE)
        assert await gathers(NOON + 30 * MINUTE) == 0
        assert await gathers(NOON + ONE_MAIL_EVERY - MINUTE) == 0
        assert await gathers(NOON + ONE_MAIL_EVERY) == 1
        assert [letter.params["count"] for letter in await queued()] == [1, 2]
        assert await gathers(NOON + 3 * ONE_MAIL_EVERY) == 0

    async def test_leave_out_what_was_read_meanwhile(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await tells(maja)
        await reads(maja)
        assert await gathers() == 0

    async def test_leave_out_what_its_reader_was_shown_meanwhile(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await tells(maja)
        await is_shown(maja, TOPIC)
        assert await gathers() == 0

    async def test_leave_out_what_is_not_wanted_any_more(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await tells(maja)
        await chooses(maja, "replies", False)
        assert await gathers() == 0
        async with transaction() as session:
            [one] = await rows(session, "select mail_at, mailed_at from notifications", {})
        assert tuple(one) == (None, None)

    async def test_keep_a_title_of_many_lines_out_of_the_headers(self):
        maja = await the_player()
        await chooses(maja, "replies", True)
        await tells(maja, title="Hi\nBcc: everybody@example.com")
        await gathers()
        [letter] = await queued()
        assert composed(letter)["Bcc"] is None


class TestEveryKind:
    @pytest.mark.parametrize("kind", [kind for kind in Kind if ABOUT[kind].topic])
    async def test_has_its_words(self, kind: Kind):
        maja = await the_player()
        for topic in Topic:
            await chooses(maja, topic, True)
        assert await tells(maja, kind, reason=["settings.title"], note="", name=["settings.title"])
        await gathers()
        [letter] = await queued()
        assert "{{" not in text_of(composed(letter))

    @pytest.mark.parametrize("kind", [kind for kind in Kind if ABOUT[kind].topic is None])
    async def test_of_no_topic_is_told_by_the_bell_alone(self, kind: Kind):
        maja = await the_player()
        for topic in Topic:
            await chooses(maja, topic, True)
        assert await tells(maja, kind)
        await gathers()
        assert await queued() == []
        assert f"notifications.kinds.{kind}" in interface("en")


async def test_a_notification_goes_with_its_account():
    maja = await the_player()
    await tells(maja)
    async with transaction() as session:
        await session.delete(await session.get(Account, maja.user_id))
    async with transaction() as session:
        assert await rows(session, "select 1 from notifications", {}) == []
