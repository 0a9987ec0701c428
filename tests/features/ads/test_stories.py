"""What became of a player's views, in their own words; and what players say of ads."""

from datetime import timedelta

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.ads import history_repository, repository, rules, service, stories
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.ads.stories import Outcome
from rewards_app.models import Ad
from tests.ads import NOON, SECOND, an_ad, change, finishes, starts, the_player, watches
from tests.plans import plan_of

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
TOO_LATE = NOON + 5 * SECOND + rules.FINISH_WITHIN + SECOND


@pytest.fixture
async def ad(database: str) -> Ad:
    return await an_ad(title="Sit like a champion")


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def view(maja: Actor, ad: Ad) -> RunningAd:
    """Maja has started an ad of five seconds at noon."""
    return await starts(maja, ad)


async def outcomes(player: Actor, *, now=NOON + MINUTE) -> list[Outcome]:
    return await stories.latest_outcomes(player.user_id, now=now)


async def newest_reason(player: Actor, *, now=NOON + MINUTE) -> str:
    return (await outcomes(player, now=now))[0].reason


async def is_refused(player: Actor, view: RunningAd, *, now) -> None:
    with pytest.raises(DomainError):
        await finishes(player, view, now=now)


class TestWhatWasWatchedLast:
    async def test_is_what_was_paid_for_or_refused_at_its_end(self, maja: Actor, ad: Ad, view):
        assert await watched(maja) == []
        await is_refused(maja, view, now=NOON + 2 * SECOND)
        assert await watched(maja) == []
        await finishes(maja, view, now=NOON + 5 * SECOND)
        assert await watched(maja) == [("Sit like a champion", 15)]
        late = await starts(maja, ad, now=NOON + MINUTE)
        async with transaction() as session:
            await repository.count_refused(session, maja.user_id, late.view_id, now=TOO_LATE)
        assert await watched(maja) == [("Sit like a champion", 0), ("Sit like a champion", 15)]

    async def test_is_found_without_reading_or_sorting_all_views(self, database: str, maja: Actor):
        values = {"account_id": maja.user_id, "limit": 2}
        with psycopg.connect(database) as connection:
            connection.execute("set enable_seqscan = off")
            plan = plan_of(connection, history_repository.WATCHED, values)
        assert "ix_ad_views_account_id_started_at" in plan.indexes
        assert "'Node Type': 'Sort'" not in plan.text


async def watched(player: Actor) -> list[tuple[str, int]]:
    async with transaction() as session:
        found = await stories.latest_watched(session, player.user_id, limit=2)
    return [(one.title, one.coins) for one in found]


class TestOutcomes:
    async def test_of_a_new_player_are_none(self, maja: Actor):
        assert await outcomes(maja) == []

    async def test_of_a_rewarded_ad_say_what_it_earned(self, maja: Actor, ad: Ad):
        await watches(maja, ad)
        assert await outcomes(maja) == [
            Outcome(
                title="Sit like a champion",
                started_at=NOON,
                is_rewarded=True,
                is_running=False,
                reward=15,
                reason="",
                missing_seconds=0,
                required_seconds=5,
            )
        ]

    async def test_of_a_running_ad_say_that_it_is_unfinished(self, maja, view):
        newest = (await outcomes(maja, now=NOON + SECOND))[0]
        assert (newest.is_running, newest.reason) == (True, stories.UNFINISHED)

    async def test_of_an_ad_that_was_left_say_so(self, maja: Actor, view: RunningAd):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        assert await newest_reason(maja) == stories.LEFT

    async def test_of_an_ad_finished_too_early_say_how_much_was_missing(self, maja, view):
        await is_refused(maja, view, now=NOON + 2 * SECOND)
        newest = (await outcomes(maja))[0]
        assert (newest.reason, newest.missing_seconds) == ("ads.watched_too_short", 3)

    async def test_of_an_ad_finished_in_the_end_forget_that_it_was_too_early(self, maja, view):
        await is_refused(maja, view, now=NOON + 2 * SECOND)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        newest = (await outcomes(maja))[0]
        assert (newest.is_rewarded, newest.reason, newest.missing_seconds) == (True, "", 0)

    async def test_of_an_ad_left_after_it_was_finished_too_early_name_the_check(self, maja, view):
        await is_refused(maja, view, now=NOON + 2 * SECOND)
        await service.give_up(maja, view.view_id, now=NOON + 3 * SECOND)
        assert await newest_reason(maja) == "ads.watched_too_short"

    async def test_of_an_ad_finished_too_late_say_so(self, maja: Actor, view: RunningAd):
        await is_refused(maja, view, now=TOO_LATE)
        assert await newest_reason(maja, now=TOO_LATE) == "ads.view_expired"

    async def test_of_an_ad_that_was_forgotten_say_that_it_is_too_late(self, maja, view):
        newest = (await outcomes(maja, now=TOO_LATE))[0]
        assert (newest.is_running, newest.reason) == (False, "ads.view_expired")

    async def test_of_a_second_call_leave_the_reward_as_it_is(self, maja: Actor, view: RunningAd):
        await finishes(maja, view, now=NOON + 5 * SECOND)
        await is_refused(maja, view, now=NOON + 6 * SECOND)
        assert (await outcomes(maja))[0].is_rewarded

    async def test_of_completions_that_came_too_quickly_say_so(self, maja: Actor, ad: Ad):
        await watches(maja, ad)
        view = await starts(maja, ad, now=NOON)
        await is_refused(maja, view, now=NOON + 6 * SECOND)
        assert "ads.too_quick" in {story.reason for story in await outcomes(maja)}

    async def test_show_the_newest_first_and_ten_at_most(self, maja: Actor, ad: Ad):
        for number in range(stories.SHOWN_VIEWS + 2):
            await watches(maja, ad, now=NOON + number * MINUTE)
        shown = [story.started_at for story in await outcomes(maja)]
        assert shown == [NOON + number * MINUTE for number in range(11, 1, -1)]

    async def test_are_only_the_players_own(self, maja: Actor, view: RunningAd):
        assert await outcomes(await the_player("Emil")) == []

    async def test_name_the_check_that_failed_of_another_ad_of_the_day(self, maja, ad):
        """Each keeps its own reason."""
        await watches(maja, ad)
        view = await starts(maja, ad, now=NOON + MINUTE)
        await is_refused(maja, view, now=NOON + MINUTE + SECOND)
        assert [story.reason for story in await outcomes(maja)] == ["ads.watched_too_short", ""]


class TestTheEndingOfOneAd:
    async def ending(self, player: Actor, view: RunningAd, *, now=NOON + MINUTE) -> Outcome | None:
        return await stories.ending_of(player.user_id, view.view_id, now=now)

    async def test_is_none_while_it_can_be_finished(self, maja: Actor, view: RunningAd):
        last = NOON + 5 * SECOND + rules.FINISH_WITHIN
        assert await self.ending(maja, view, now=last) is None

    async def test_is_told_from_then_on(self, maja: Actor, view: RunningAd):
        ending = await self.ending(maja, view, now=TOO_LATE)
        assert ending
        assert ending.reason == "ads.view_expired"

    async def test_is_its_own_whatever_was_watched_since(self, maja, ad, view):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        await watches(maja, ad, now=NOON + 2 * SECOND)
        ending = await self.ending(maja, view)
        assert ending
        assert (ending.is_rewarded, ending.reason) == (False, stories.LEFT)

    async def test_is_nobody_elses_business(self, maja: Actor, view: RunningAd):
        await service.give_up(maja, view.view_id, now=NOON + SECOND)
        assert await self.ending(await the_player("Emil"), view) is None


async def reports(player: Actor, ad_id, reason: str = "misleading", text: str = "") -> bool:
    async with transaction() as session:
        return await stories.report_ad(session, player, ad_id, reason, text, now=NOON)


def kept(database: str) -> list[tuple[str, str]]:
    with psycopg.connect(database) as connection:
        return connection.execute("select reason, text from ad_reports").fetchall()


HOSTILE = [
    "<script>alert(1)</script>",
    "'; drop table ad_reports; --",
    "{{7*7}} ${7*7} %s %(x)s :x",
    "\u202eesrever \u200b\u200d",
    "🪑" * 100,
]


class TestReports:
    async def test_are_kept(self, maja: Actor, ad: Ad, database: str):
        assert await reports(maja, ad.id, "broken", "No sound")
        assert kept(database) == [("broken", "No sound")]

    async def test_of_one_player_on_one_ad_are_kept_once(self, maja, ad, database):
        assert await reports(maja, ad.id, "broken")
        assert not await reports(maja, ad.id, "offensive")
        assert kept(database) == [("broken", "")]

    async def test_of_two_players_are_two(self, maja: Actor, ad: Ad, database: str):
        await reports(maja, ad.id)
        assert await reports(await the_player("Emil"), ad.id)
        assert len(kept(database)) == 2

    async def test_on_two_ads_are_two(self, maja: Actor, ad: Ad):
        await reports(maja, ad.id)
        assert await reports(maja, (await an_ad()).id)

    async def test_are_taken_on_an_ad_that_is_served_no_more(self, maja: Actor, ad: Ad):
        await change(ad, status="paused")
        assert await reports(maja, ad.id)

    async def test_on_no_ad_are_refused(self, maja: Actor):
        with pytest.raises(rules.UnknownAd):
            await reports(maja, new_id())

    async def test_without_a_reason_of_ours_are_refused(self, maja, ad, database):
        with pytest.raises(rules.BadReport):
            await reports(maja, ad.id, "boring")
        assert kept(database) == []

    @pytest.mark.parametrize("text", HOSTILE)
    async def test_keep_hostile_text_as_text(self, maja, ad, database, text: str):
        await reports(maja, ad.id, "other", text)
        assert kept(database) == [("other", " ".join(text.split()))]

    async def test_are_limited_for_each_player(self, maja: Actor, ad: Ad):
        for _ in range(stories.REPORTS_PER_PLAYER.amount):
            await reports(maja, ad.id)
        with pytest.raises(TooManyAttempts):
            await reports(maja, ad.id)
        assert await reports(await the_player("Emil"), ad.id)

    async def test_that_are_refused_for_their_words_use_nothing_up(self, maja: Actor, ad: Ad):
        for _ in range(stories.REPORTS_PER_PLAYER.amount + 1):
            with pytest.raises(rules.BadReport):
                await reports(maja, ad.id, "boring")
        assert await reports(maja, ad.id)
