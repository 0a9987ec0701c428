"""Profiles are reported and decided on: what is written there, and what their owners are called."""

import asyncio
from datetime import datetime
from uuid import UUID

import pytest

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import SessionEnded, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing, restrictions
from rewards_app.features.accounts.handle_rules import is_neutral
from rewards_app.features.accounts.restriction_rules import Kind as Restriction
from rewards_app.features.audit import log as audit_log
from rewards_app.features.audit.rules import Search
from rewards_app.features.forum import (
    appeals,
    calls,
    casebook,
    decisions,
    profiles,
    replies,
    things,
    topics,
)
from rewards_app.features.forum.desk_rules import (
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
)
from rewards_app.features.forum.reports import DESK
from rewards_app.features.forum.verdicts import RECORDED_ON_PROFILE
from rewards_app.features.privacy import erasing
from rewards_app.features.profile import service, shelf
from tests.ads import the_player
from tests.features.forum.test_desk import (
    MINUTE,
    WORDS,
    a_moderator,
    appeals_it,
    audited,
    case_of,
    counts,
    decides,
    queue,
    reports_it,
    seen,
    tickets_by_status,
    told,
)
from tests.features.forum.test_leaving import MONTHS
from tests.features.profile.test_service import handle_of, sees, somebody
from tests.forum import a_reply, a_topic
from tests.guardians import is_born
from tests.people import NOON

pytestmark = pytest.mark.usefixtures("database")
PROFILE = Target.PROFILE
BIO = "Ask me for free boosts."
CUSTOM = {"title": "Snake 2049", "platform": "Calculator", "description": "You all lose to me."}


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def describes(actor: Actor, name: str, bio: str, *, at: datetime = NOON) -> None:
    async with transaction() as session:
        await service.describe(session, actor, {"display_name": name, "bio": bio}, now=at)


async def adds(actor: Actor, *, at: datetime = NOON, **form: str) -> UUID:
    async with transaction() as session:
        return await shelf.add(session, actor, form, now=at)


async def changes(actor: Actor, game: UUID, *, at: datetime = NOON, **form: str) -> None:
    async with transaction() as session:
        await shelf.change(session, actor, game, form, now=at)


async def nova() -> Actor:
    """With a bio, a game of her own and one of the catalogue."""
    player = await somebody("Nova")
    await describes(player, "Nova Rage", BIO)
    await adds(player, **CUSTOM)
    known = await adds(player, game="fortnite")
    await changes(player, known, achievements="Ten wins in a row.")
    return player


async def reported(player: Actor, *, reason: str = "harassment", at: datetime = NOON) -> Actor:
    sven = await the_player("Sven")
    await reports_it(sven, player.user_id, PROFILE, reason=reason, at=at)
    return sven


async def decides_on(
    moderator: Actor, player: Actor, deed: Deed, why: str = "", *, note: str = "", at=NOON + MINUTE
) -> None:
    await decides(moderator, player.user_id, deed, why, target=PROFILE, note=note, at=at)


async def as_others_see(player: Actor) -> tuple[str, str, list[tuple[str, str, str]]]:
    """Name, bio, and of each game its title, what is said of it and what was won."""
    found = await sees(await the_player("Eva"), await handle_of(player))
    assert found is not None
    games = [(one.title.text, one.description.text, one.achievements.text) for one in found.games]
    return found.name, found.bio.text, games


async def leading_there(topic: UUID, reader: Actor) -> frozenset[str]:
    """Whom a topic calls that somebody may open."""
    async with transaction() as session:
        post = await topics.topic(session, reader, topic)
        return await calls.leading_somewhere(session, [post.content])


async def calls_in_a_topic(actor: Actor, text: str, *, at: datetime) -> None:
    async with transaction() as session:
        await topics.post(session, actor, "general", "A duel", text, language="en", now=at)


async def why_hidden(player: Actor) -> str:
    async with transaction() as session:
        found = await profiles.why_hidden(session, player.user_id)
    return f"{found.key} {found.note}".strip() if found else ""


CATALOGUE = "Fortnite"
WHOLE = (
    "Nova Rage",
    BIO,
    [(CATALOGUE, "", "Ten wins in a row."), ("Snake 2049", "You all lose to me.", "")],
)
WORDLESS = ("Nova Rage", "", [(CATALOGUE, "", "")])


class TestReports:
    async def test_bring_a_profile_to_the_desk_with_all_its_words_and_hide_nothing(self):
        player = await nova()
        await reported(player)
        assert await queue("reported") == [player.user_id]
        assert await counts() == (1, 1, 0, 0)
        item = (await case_of(player.user_id, PROFILE)).item
        assert (item.name, item.title, item.handle) == ("Nova Rage", "Nova Rage", "nova")
        assert item.content == (
            f"{BIO}\n\n{CATALOGUE}\nTen wins in a row.\n\n"
            "Snake 2049 · Calculator\nYou all lose to me."
        )
        assert not item.is_changed
        assert await as_others_see(player) == WHOLE

    async def test_stand_in_one_queue_with_those_of_topics(self):
        player, author = await nova(), await the_player()
        topic = await a_topic(author)
        await reported(player, at=NOON + MINUTE)
        await reports_it(await the_player("Ola"), topic)
        assert await queue() == [player.user_id, topic]

    async def test_of_somebody_in_danger_come_before_the_most_reported(self):
        player, topic = await nova(), await a_topic(await the_player())
        for name in ("Ola", "Emil"):
            await reports_it(await the_player(name), topic, at=NOON + MINUTE)
        await reported(player, reason="self_harm")
        assert await queue() == [player.user_id, topic]
        assert (await case_of(player.user_id, PROFILE)).item.gravest == "self_harm"

    async def test_are_announced_to_the_desk(self):
        player = await nova()
        await reported(player)
        assert (DESK, str(player.user_id)) in live._waiting

    async def test_count_once_for_each_person_and_what_it_says(self):
        player, linnea = await nova(), await a_moderator()
        sven = await reported(player)
        with pytest.raises(ReportedBefore) as refusal:
            await reports_it(sven, player.user_id, PROFILE)
        assert refusal.type is ReportedBefore
        await decides_on(linnea, player, Deed.DISMISS)
        with pytest.raises(ReportDecided):
            await reports_it(sven, player.user_id, PROFILE, at=NOON + 2 * MINUTE)

    @pytest.mark.parametrize("what", ["name", "bio", "added", "changed", "removed"])
    async def test_count_again_once_it_says_something_else(self, what: str):
        player, linnea, later = await nova(), await a_moderator(), NOON + 2 * MINUTE
        game = await adds(player, title="Pong", description="Easy.")
        sven = await reported(player)
        await decides_on(linnea, player, Deed.DISMISS)
        match what:
            case "name":
                await describes(player, "Nova Calm", BIO, at=later)
            case "bio":
                await describes(player, "Nova Rage", "Hello.", at=later)
            case "added":
                await adds(player, title="Tennis", at=later)
            case "changed":
                await changes(player, game, title="Pong", description="Hard.", at=later)
            case _:
                async with transaction() as session:
                    await shelf.remove(session, player, game, now=later)
        await reports_it(sven, player.user_id, PROFILE, at=NOON + 3 * MINUTE)
        assert await counts() == (1, 1, 0, 0)

    async def test_count_no_more_where_it_was_saved_as_it_was(self):
        player, linnea, later = await nova(), await a_moderator(), NOON + 2 * MINUTE
        game = await adds(player, title="Pong", description="Easy.")
        sven = await reported(player)
        await decides_on(linnea, player, Deed.DISMISS)
        await describes(player, "Nova Rage", BIO, at=later)
        await changes(player, game, title="Pong", description="Easy.", rating="40", at=later)
        with pytest.raises(ReportDecided):
            await reports_it(sven, player.user_id, PROFILE, at=NOON + 3 * MINUTE)

    async def test_of_ones_own_are_refused(self):
        player = await nova()
        with pytest.raises(OwnThing):
            await reports_it(player, player.user_id, PROFILE)

    async def test_of_a_private_one_are_refused(self):
        player = await nova()
        async with transaction() as session:
            await service.open_or_close(session, player, is_public=False, now=NOON)
        with pytest.raises(NotThere):
            await reported(player)

    async def test_of_one_that_waits_for_a_guardian_are_refused(self):
        player = await nova()
        await is_born(player, "2011-05-17")
        with pytest.raises(NotThere):
            await reported(player)

    async def test_of_a_suspended_or_closed_account_are_refused(self):
        player, gone = await nova(), await somebody("Ola")
        async with transaction() as session:
            await restrictions.begin(
                session, player.user_id, Restriction.SUSPENDED, "Forged.", by=None, now=NOON
            )
            await closing.close(session, gone.user_id, now=NOON)
        for one in (player, gone):
            with pytest.raises(NotThere):
                await reported(one)

    @pytest.mark.parametrize("role", [Role.COMPANY, Role.ADMIN])
    async def test_of_who_has_no_profile_are_refused(self, role: Role):
        with pytest.raises(NotThere):
            await reported(await somebody("Orbit", role))

    async def test_of_nobody_are_refused(self):
        with pytest.raises(NotThere):
            await reports_it(await the_player(), new_id(), PROFILE)

    async def test_share_the_limit_with_those_of_the_forum(self):
        author, sven, player = await the_player(), await the_player("Sven"), await nova()
        for _ in range(20):
            await reports_it(sven, await a_topic(author))
        with pytest.raises(TooManyAttempts):
            await reports_it(sven, player.user_id, PROFILE)

    async def test_of_one_person_at_once_count_once(self):
        player, sven = await nova(), await the_player("Sven")
        done = await asyncio.gather(
            *(reports_it(sven, player.user_id, PROFILE) for _ in range(8)), return_exceptions=True
        )
        assert sum(one is None for one in done) == 1


class TestTheDesk:
    async def test_shows_no_profile_that_nobody_has_reported(self):
        player = await nova()
        with pytest.raises(NotThere):
            await case_of(player.user_id, PROFILE)

    async def test_shows_nobody_who_has_become_staff(self):
        player = await nova()
        await reported(player)
        async with transaction() as session:
            await rows(
                session,
                "update accounts set role = 'admin' where id = %(id)s returning id",
                {"id": player.user_id},
            )
        assert (await queue(), await counts()) == ([], (0, 0, 0, 0))
        with pytest.raises(NotThere):
            await case_of(player.user_id, PROFILE)

    async def test_forgets_who_closes_their_account_until_they_come_back(self):
        player = await nova()
        await reported(player)
        async with transaction() as session:
            await closing.close(session, player.user_id, now=NOON)
        assert (await queue(), await counts()) == ([], (0, 0, 0, 0))

    async def test_keeps_what_was_made_private_since_until_it_is_decided(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        async with transaction() as session:
            await service.open_or_close(session, player, is_public=False, now=NOON)
        assert await queue() == [player.user_id]
        await decides_on(linnea, player, Deed.DISMISS)
        with pytest.raises(NotThere):
            await case_of(player.user_id, PROFILE)

    async def test_shows_no_more_of_one_that_waits_for_a_guardian_since(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.DISMISS)
        assert (await case_of(player.user_id, PROFILE)).item.id == player.user_id
        await is_born(player, "2011-05-17")
        with pytest.raises(NotThere):
            await case_of(player.user_id, PROFILE)

    async def test_is_told_that_what_was_reported_says_something_else(self):
        player = await nova()
        await reported(player)
        looked_at = await seen(player.user_id, PROFILE)
        await describes(player, "Nova Rage", "Hello.", at=NOON + MINUTE)
        with pytest.raises(DecidedMeanwhile):
            await decides(await a_moderator(), looked_at, Deed.HIDE)


class TestHiding:
    async def test_takes_all_written_words_from_others_and_leaves_the_name(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE, "harassment", note="Third time.")
        assert await as_others_see(player) == WORDLESS
        assert (await queue(), await counts()) == ([], (0, 0, 0, 0))
        assert await why_hidden(player) == "forum.desk.reasons.harassment Third time."
        assert await audited() == [
            ("profile_hidden", "Linnea", "It attacks or bullies somebody. Third time.")
        ]
        assert await told(player) == [
            (
                "profile_hidden",
                {
                    "title": ["nav.profile"],
                    "reason": ["forum.desk.reasons.harassment"],
                    "note": "Third time.",
                },
            )
        ]

    async def test_leaves_the_owner_all_their_words(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        async with transaction() as session:
            own = await service.own_profile(session, player, now=NOON)
        assert (own.bio, own.is_bio_hidden) == (BIO, True)
        assert [one.game.achievements for one in await shelf.own_games(player)] == [
            "Ten wins in a row.",
            "",
        ]

    async def test_ends_where_the_owner_rewords_and_nowhere_else(self):
        player, linnea, later = await nova(), await a_moderator(), NOON + 2 * MINUTE
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await describes(player, "Nova Rage", "Hello.", at=later)
        assert await as_others_see(player) == ("Nova Rage", "Hello.", [(CATALOGUE, "", "")])
        assert await why_hidden(player) != ""
        custom = next(one for one in await shelf.own_games(player) if one.game.is_custom).game
        await changes(player, custom.id, at=later, **CUSTOM)
        assert len((await as_others_see(player))[2]) == 1
        await changes(player, custom.id, title="Snake 2049", description="Fun.", at=later)
        _, _, games = await as_others_see(player)
        assert ("Snake 2049", "Fun.", "") in games

    async def test_can_be_repeated_for_what_was_written_since(self):
        player, linnea = await nova(), await a_moderator()
        sven = await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await describes(player, "Nova Rage", "Still free boosts.", at=NOON + 2 * MINUTE)
        await reports_it(sven, player.user_id, PROFILE, at=NOON + 3 * MINUTE)
        found = await case_of(player.user_id, PROFILE)
        assert (found.item.state, found.hidden_before) == ("hidden", 1)
        assert found.item.shown_content == "Still free boosts."
        await decides_on(linnea, player, Deed.HIDE, at=NOON + 4 * MINUTE)
        assert await as_others_see(player) == WORDLESS
        assert (await case_of(player.user_id, PROFILE)).hidden_before == 2

    async def test_is_taken_back_with_every_word(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await decides_on(linnea, player, Deed.RESTORE, at=NOON + 2 * MINUTE)
        assert await as_others_see(player) == WHOLE
        assert await why_hidden(player) == ""
        assert (await case_of(player.user_id, PROFILE)).hidden_before == 0
        assert [kind for kind, _ in await told(player)] == ["restored", "profile_hidden"]

    async def test_is_taken_back_for_what_was_hidden_last(self):
        player, linnea, later = await nova(), await a_moderator(), NOON + 2 * MINUTE
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE, "hateful")
        await adds(player, title="Pong", description="Easy.", at=later)
        await reported(player, at=later)
        await decides_on(linnea, player, Deed.HIDE, "spam", at=NOON + 3 * MINUTE)
        assert await why_hidden(player) == "forum.desk.reasons.spam"
        await decides_on(linnea, player, Deed.RESTORE, at=NOON + 4 * MINUTE)
        name, bio, games = await as_others_see(player)
        assert (name, bio, [title for title, *_ in games if title == "Pong"]) == (
            "Nova Rage",
            "",
            ["Pong"],
        )
        assert await why_hidden(player) == "forum.desk.reasons.hateful"
        await decides_on(linnea, player, Deed.RESTORE, at=NOON + 5 * MINUTE)
        assert (await as_others_see(player))[1] == BIO


class TestReplacingTheName:
    async def test_calls_a_player_by_neutral_ones_until_they_choose_another(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME, "hateful")
        neutral = f"player_{player.user_id.hex[-9:]}"
        assert ((await as_others_see(player))[:2], await handle_of(player)) == (
            ("player", BIO),
            neutral,
        )
        assert await counts() == (0, 0, 0, 0)
        [(kind, params)] = await told(player)
        assert (kind, params["title"]) == ("name_replaced", "player")
        assert [action for action, _, _ in await audited()] == ["profile_renamed"]
        await describes(player, "Nova Calm", BIO, at=NOON + 2 * MINUTE)
        assert ((await as_others_see(player))[0], await handle_of(player)) == (
            "Nova Calm",
            "nova_calm",
        )

    async def test_is_done_once_and_again_where_they_chose_another(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        with pytest.raises(DecidedMeanwhile):
            await decides_on(linnea, player, Deed.RENAME, at=NOON + 2 * MINUTE)
        await describes(player, "Nova Rage", BIO, at=NOON + 3 * MINUTE)
        await reported(player, at=NOON + 3 * MINUTE)
        assert await queue() == [player.user_id]
        await decides_on(linnea, player, Deed.RENAME, at=NOON + 4 * MINUTE)
        assert (await as_others_see(player))[0] == "player"
        assert (await handle_of(player)).startswith("player_")

    async def test_reaches_a_handle_beside_a_neutral_name(self):
        player, linnea = await nova(), await a_moderator()
        await describes(player, "player", BIO)
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        assert is_neutral(await handle_of(player))

    async def test_leads_nobody_there_by_what_they_were_called(self):
        player, linnea, eva = await nova(), await a_moderator(), await the_player("Eva")
        topic = await a_topic(eva, "Well played, @nova!", title="A duel to remember")
        assert await leading_there(topic, eva) == {"nova"}
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        assert (await sees(eva, "nova"), await leading_there(topic, eva)) == (None, set())
        await calls_in_a_topic(eva, "Once more, @nova! A duel.", at=NOON + 5 * MINUTE)
        assert [kind for kind, _ in await told(player)] == ["name_replaced"]
        present = await handle_of(player)
        await calls_in_a_topic(eva, f"Once more, @{present}! A duel.", at=NOON + 9 * MINUTE)
        assert [kind for kind, _ in await told(player)] == ["mention", "name_replaced"]

    async def test_shows_what_they_wrote_once_and_under_the_new_name(self):
        player, linnea, eva = await nova(), await a_moderator(), await the_player("Eva")
        topic = await a_topic(player)
        await a_reply(player, topic)
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        neutral = await handle_of(player)
        async with transaction() as session:
            post = await topics.topic(session, eva, topic)
            [reply] = (await replies.replies_to(session, eva, topic)).items
            listed = (await topics.latest(session, eva)).items
        called = [(one.author, one.handle) for one in (post, reply, *listed)]
        assert called == [("player", neutral)] * 3

    async def test_is_heard_of_wherever_the_name_stands(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        live._waiting.clear()
        await decides_on(linnea, player, Deed.RENAME)
        assert live._waiting.keys() >= {
            (things.CHANGED, live.EVERYBODYS),
            (profiles.CHANGED, str(player.user_id)),
        }

    async def test_leaves_their_lines_in_the_log_to_be_found_by_any_handle(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        neutral = await handle_of(player)
        for handle in ("@nova", neutral):
            async with transaction() as session:
                found = await casebook.log(session, handle=handle)
            assert [(one.action, one.author, one.handle) for one in found.shown] == [
                ("rename", "player", neutral)
            ]

    async def test_is_not_undone_by_a_form_that_began_before(self):
        player, linnea, later = await nova(), await a_moderator(), NOON + 2 * MINUTE
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        form = {"display_name": "Nova Rage", "bio": "Hello."}
        async with transaction() as session:
            await service.describe(session, player, form, name_before="Nova Rage", now=later)
        assert (await as_others_see(player))[:2] == ("player", "Hello.")

    async def test_leaves_the_words_to_be_hidden_too(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        await decides_on(linnea, player, Deed.HIDE, at=NOON + 2 * MINUTE)
        assert (await as_others_see(player))[:2] == ("player", "")

    async def test_is_nothing_to_be_reported_anew_by_itself(self):
        player, linnea = await nova(), await a_moderator()
        sven = await reported(player)
        await decides_on(linnea, player, Deed.RENAME)
        with pytest.raises(ReportDecided):
            await reports_it(sven, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        await describes(player, "Nova Rage", BIO, at=NOON + 3 * MINUTE)
        await reports_it(sven, player.user_id, PROFILE, at=NOON + 4 * MINUTE)


class TestDecisions:
    async def test_closing_the_reports_changes_nothing_and_tells_nobody(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.DISMISS)
        assert await as_others_see(player) == WHOLE
        assert (await told(player), await counts()) == ([], (0, 0, 0, 0))
        assert [action for action, _, _ in await audited()] == ["profile_reports_dismissed"]

    @pytest.mark.parametrize("deed", [Deed.HIDE, Deed.RENAME, Deed.DISMISS])
    async def test_on_ones_own_profile_are_refused(self, deed: Deed):
        linnea = await somebody("Linnea", Role.MODERATOR)
        await describes(linnea, "Lin the Great", BIO)
        await reported(linnea)
        with pytest.raises(OwnThing):
            await decides_on(linnea, linnea, deed)

    async def test_need_a_reason_of_their_own(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        for deed in (Deed.HIDE, Deed.RENAME, Deed.DISMISS):
            with pytest.raises(ReasonMissing):
                await decides_on(linnea, player, deed, "stands")

    @pytest.mark.parametrize("deed", [Deed.LOCK, Deed.MARK_HOT, Deed.AS_WRITTEN, Deed.RESTORE])
    async def test_that_mean_nothing_there_are_refused(self, deed: Deed):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        with pytest.raises(DecidedMeanwhile):
            await decides_on(linnea, player, deed)

    async def test_of_two_at_once_the_second_is_told(self):
        player, linnea, nils = await nova(), await a_moderator(), await a_moderator("Nils")
        await reported(player)
        looked_at = await seen(player.user_id, PROFILE)
        done = await asyncio.gather(
            decides(linnea, looked_at, Deed.HIDE),
            decides(nils, looked_at, Deed.RENAME),
            return_exceptions=True,
        )
        assert sum(isinstance(one, DecidedMeanwhile) for one in done) == 1

    async def test_meanwhile_the_owner_waits_with_what_they_write(self):
        player, linnea = await nova(), await a_moderator()
        custom = next(one for one in await shelf.own_games(player) if one.game.is_custom).game
        await reported(player)
        looked_at = await seen(player.user_id, PROFILE)
        async with transaction() as session:
            await decisions.decide(
                session, linnea, looked_at, Deed.HIDE, "spam", "", now=NOON + MINUTE
            )
            rewording = asyncio.create_task(
                changes(player, custom.id, title="Snake 2049", description="Fun.")
            )
            await asyncio.wait({rewording}, timeout=0.3)
            assert not rewording.done()
        await rewording
        assert ("Snake 2049", "Fun.", "") in (await as_others_see(player))[2]

    @pytest.mark.parametrize("deed", RECORDED_ON_PROFILE)
    async def test_stand_in_the_log_under_their_author(self, deed: Deed):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        if deed in (Deed.RESTORE, Deed.TURN_DOWN):
            await decides_on(linnea, player, Deed.HIDE)
        if deed is Deed.TURN_DOWN:
            await appeals_it(player, player.user_id, PROFILE, at=NOON + MINUTE)
        await decides_on(linnea, player, deed, at=NOON + 2 * MINUTE)
        async with transaction() as session:
            found = await casebook.log(session, handle="@nova", action=deed.value)
        assert [(one.target, one.thing_id, one.by_name) for one in found.shown] == [
            (PROFILE, player.user_id, "Linnea")
        ]
        assert (await audited())[0][0] == RECORDED_ON_PROFILE[deed]


class TestAppeals:
    async def test_bring_the_words_back_to_the_desk_and_to_others(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await appeals_it(player, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        assert (await queue("appealed"), await counts()) == ([player.user_id], (1, 0, 0, 1))
        assert (await case_of(player.user_id, PROFILE)).item.appeal == WORDS
        await decides_on(linnea, player, Deed.RESTORE, "mistake", at=NOON + 3 * MINUTE)
        assert await as_others_see(player) == WHOLE
        assert await tickets_by_status() == {"open": 0, "answered": 0, "closed": 1}

    async def test_are_turned_down_once_and_for_all(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await appeals_it(player, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        await decides_on(linnea, player, Deed.TURN_DOWN, at=NOON + 3 * MINUTE)
        assert await as_others_see(player) == WORDLESS
        assert [kind for kind, _ in await told(player)] == ["appeal_turned_down", "profile_hidden"]
        await describes(player, "Nova Rage", "Hello.", at=NOON + 4 * MINUTE)
        with pytest.raises(AppealedBefore):
            await appeals_it(player, player.user_id, PROFILE, at=NOON + 5 * MINUTE)

    async def test_end_once_the_owner_has_reworded_all_that_was_hidden(self):
        player, linnea = await somebody("Nova"), await a_moderator()
        await describes(player, "Nova Rage", BIO)
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await appeals_it(player, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        await describes(player, "Nova Calm", BIO, at=NOON + 3 * MINUTE)
        assert await queue("appealed") == [player.user_id]
        await describes(player, "Nova Calm", "Hello.", at=NOON + 4 * MINUTE)
        assert (await queue(), (await tickets_by_status())["closed"]) == ([], 1)

    async def test_of_who_becomes_staff_are_answered_still(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await appeals_it(player, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        async with transaction() as session:
            await rows(
                session,
                "update accounts set role = 'company' where id = %(id)s returning id",
                {"id": player.user_id},
            )
        assert (await queue("appealed"), await counts()) == ([player.user_id], (1, 0, 0, 1))
        await decides_on(linnea, player, Deed.TURN_DOWN, at=NOON + 3 * MINUTE)
        assert (await queue(), (await tickets_by_status())["closed"]) == ([], 1)

    async def test_are_told_to_the_desk_when_some_of_it_is_reworded(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        await appeals_it(player, player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        live._waiting.clear()
        await describes(player, "Nova Rage", "Hello.", at=NOON + 3 * MINUTE)
        assert (DESK, str(player.user_id)) in live._waiting

    async def test_of_others_and_where_nothing_is_hidden_are_refused(self):
        player, linnea = await nova(), await a_moderator()
        sven = await reported(player)
        for actor in (player, sven):
            with pytest.raises(NothingToAppeal):
                await appeals_it(actor, player.user_id, PROFILE)
        await decides_on(linnea, player, Deed.HIDE)
        with pytest.raises(NothingToAppeal):
            await appeals_it(sven, player.user_id, PROFILE)

    async def test_say_that_rewording_is_another_way(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE)
        async with transaction() as session:
            right = await appeals.right_of(
                session, player, PROFILE, player.user_id, now=NOON + 2 * MINUTE
            )
        assert (right.can_appeal, right.open_number, right.can_change) == (True, None, True)


class TestLeaving:
    async def test_settles_what_was_reported_and_empties_why_it_was_decided(self):
        player, linnea = await nova(), await a_moderator()
        await reported(player)
        await decides_on(linnea, player, Deed.HIDE, note="Nova Rage sells boosts.")
        await reports_it(await the_player("Ola"), player.user_id, PROFILE, at=NOON + 2 * MINUTE)
        async with transaction() as session:
            await closing.close(session, player.user_id, now=NOON)
        assert await erasing.erase(player.user_id, now=NOON + MONTHS)
        async with transaction() as session:
            open_ones = await rows(
                session, "select 1 from forum_reports where settled_at is null", {}
            )
            [(reason,)] = await rows(session, "select reason from forum_decisions", {})
            lines = (await audit_log.find(session, Search())).shown
        assert (open_ones, reason) == ([], "–")
        assert not any("Nova" in f"{line.label} {line.reason}" for line in lines)

    async def test_takes_the_words_of_who_reported_it_and_keeps_the_report(self):
        player, sven = await nova(), await the_player("Sven")
        await reports_it(sven, player.user_id, PROFILE, text="He wrote to me, Sven.")
        async with transaction() as session:
            await closing.close(session, sven.user_id, now=NOON)
        assert await erasing.erase(sven.user_id, now=NOON + MONTHS)
        assert [one.text for one in (await case_of(player.user_id, PROFILE)).reports] == [""]


async def test_a_closed_account_adds_nothing_to_its_shelf():
    player = await nova()
    async with transaction() as session:
        await closing.close(session, player.user_id, now=NOON)
    with pytest.raises(SessionEnded):
        await adds(player, title="Pong")
