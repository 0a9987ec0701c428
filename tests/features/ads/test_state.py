"""What the player shows when something of ours breaks: nobody is left in it."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
import time_machine

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway, StorageFull
from rewards_app.features.accounts import age
from rewards_app.features.ads import finishing, listing, rules, service
from rewards_app.features.ads.report_state import ReportState
from rewards_app.features.ads.state import REWARDED, SAVING, WATCHING, WatchState
from rewards_app.features.ads.stopping import stop_watching
from rewards_app.features.coins import service as coins
from rewards_app.models import Ad
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    in_tab,
    the_player,
)
from tests.ads import finishes as pays
from tests.ads import starts as starts_in_a_tab
from tests.companies import a_company
from tests.guardians import is_born
from tests.ledger import what_is_wrong
from tests.states import acting, calls, failing

TOO_LATE = NOON + 5 * SECOND + rules.FINISH_WITHIN + SECOND


@pytest.fixture
async def ad(database: str) -> Ad:
    return await an_ad()


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    with time_machine.travel(NOON, tick=False), acting(await the_player()) as actor:
        yield actor


@pytest.fixture
async def watch(page: Any) -> WatchState:
    return await page.get_state(WatchState)


async def a_paid_ad() -> Ad:
    """Of a campaign of its own, whose budget has places."""
    return await an_ad(await a_campaign(budget_cents=100_000, set_aside_at=NOON))


def taken(database: str, ad: Ad) -> int:
    query = "select taken from ad_campaigns where id = %s"
    with psycopg.connect(database) as connection:
        return connection.execute(query, (ad.campaign_id,)).fetchall()[0][0]


def said(watch: WatchState) -> tuple[str, str]:
    return watch.notice["title"], watch.notice["text"]


async def starts(watch: WatchState, ad: Ad) -> None:
    await calls(WatchState.start, watch, ad_id=ad.id, fingerprint="")


async def starts_elsewhere(player: Actor, ad: Ad) -> service.RunningAd:
    return await starts_in_a_tab(player, ad, tab="b")


async def finishes(watch: WatchState, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    """The page says that the ad is over, and the server fails."""

    async def breaks(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(finishing, "finish_ad", breaks)
    view_id = UUID(watch.running["session_id"])
    await calls(WatchState.finish, watch, session_id=view_id, watch_time=5)


class TestStarting:
    async def test_that_breaks_is_told_in_the_specifications_words(
        self, watch: WatchState, ad: Ad, monkeypatch
    ):
        async def breaks(*_: object, **__: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(service, "start_ad", breaks)
        await starts(watch, ad)
        assert said(watch) == ("errors.ads.no_ad_title", "errors.ads.not_started")
        assert watch.stage == ""

    async def test_another_gives_the_place_of_the_one_before_back_at_once(
        self, watch: WatchState, database: str
    ):
        """A script that starts one after the other has one place, and not all of them."""
        one, other = await a_paid_ad(), await a_paid_ad()
        for _ in range(3):
            await starts(watch, one)
            await starts(watch, other)
        assert taken(database, one) == 0
        assert taken(database, other) == 1

    async def test_another_shows_it_though_the_place_of_the_one_before_is_left_to_the_sweep(
        self, watch: WatchState, database: str, monkeypatch
    ):
        one, other = await a_paid_ad(), await a_paid_ad()
        await starts(watch, one)
        with monkeypatch.context() as away:
            away.setattr(service, "give_back_place", failing(StorageAway))
            await starts(watch, other)
        assert (watch.stage, watch.running["ad_id"], watch.notice) == (WATCHING, str(other.id), {})
        await service.sweep(now=NOON)
        assert taken(database, one) == 0

    async def test_too_often_is_told_as_other_limits_are(self, watch: WatchState, ad: Ad):
        for _ in range(rules.STARTS_A_MINUTE):
            await starts(watch, ad)
        shown = watch.running
        await starts(watch, ad)
        assert said(watch) == ("errors.ads.no_ad_title", "errors.too_many_attempts")
        assert (watch.stage, watch.running) == (WATCHING, shown)


class TestAdsThatComeAndGo:
    """While the page is open."""

    @pytest.fixture(autouse=True)
    def _reads_anew(self) -> None:
        listing.listings.forget()

    async def test_are_shown_and_counted(self, watch: WatchState, ad: Ad):
        await calls(WatchState.load, watch)
        other = await an_ad()
        await calls(WatchState.renew, watch)
        assert [one["id"] for one in watch.ads] == [str(ad.id), str(other.id)]
        assert watch.available == 2

    async def test_leave_nothing_behind(self, watch: WatchState, ad: Ad):
        await calls(WatchState.load, watch)
        await change(ad, status="paused")
        await calls(WatchState.renew, watch)
        assert (watch.ads, watch.available) == ([], 0)

    async def test_are_gone_once_one_could_not_be_shown(self, watch: WatchState, database: str):
        """Its campaign has ended by its dates, and nobody has looked since."""
        brief = await an_ad(await a_campaign(ends_at=NOON + SECOND))
        await calls(WatchState.load, watch)
        assert watch.available == 1
        with time_machine.travel(NOON + SECOND, tick=False):
            await starts(watch, brief)
            assert said(watch) == ("errors.ads.no_ad_title", "errors.ads.no_ad")
            await calls(WatchState.load, watch)
        assert (watch.ads, watch.available) == ([], 0)

    async def test_move_none_of_those_that_stay(self, watch: WatchState, ad: Ad):
        others = [await an_ad(created_at=NOON - count * SECOND) for count in (1, 2)]
        await calls(WatchState.load, watch)
        before = [one["id"] for one in watch.ads]
        gone, new = others[0], await an_ad(created_at=NOON + timedelta(hours=1))
        await change(gone, status="paused")
        await calls(WatchState.renew, watch)
        after = [one["id"] for one in watch.ads]
        assert after == [str(new.id) if one == str(gone.id) else one for one in before]

    async def test_of_ones_own_company_are_not_listed(self, watch: WatchState, ad: Ad, maja: Actor):
        company = await a_company(owner=maja)
        await an_ad(await a_campaign(advertiser_id=company.id))
        await calls(WatchState.load, watch)
        await listing.listings.note_change()
        await calls(WatchState.renew, watch)
        assert [one["id"] for one in watch.ads] == [str(ad.id)]
        assert watch.available == 1

    async def test_are_left_to_the_page_that_still_opens(self, watch: WatchState, ad: Ad):
        await calls(WatchState.renew, watch)
        assert (watch.ads, watch.available) == ([], 0)

    async def test_are_those_for_minors_where_one_looks(self, database: str, page: Any):
        careful = await an_ad(await a_campaign(await an_advertiser(reaches_minors=False)))
        with acting(await the_player("Emil", born="2011-05-17")):
            watch = await page.get_state(WatchState)
            await calls(WatchState.load, watch)
            await change(careful, title="Anew")
            await calls(WatchState.renew, watch)
        assert (watch.ads, watch.available) == ([], 0)

    async def test_are_those_for_minors_once_who_has_no_zone_yet_is_one(
        self, database: str, page: Any
    ):
        await an_ad(await a_campaign(await an_advertiser(reaches_minors=False)))
        emil = await the_player("Emil", born="1990-05-17")
        with acting(emil):
            watch = await page.get_state(WatchState)
            await calls(WatchState.load, watch)
            assert watch.available == 1
            await is_born(emil, "2011-05-17")
            await calls(WatchState.renew, watch)
        assert (watch.ads, watch.available) == ([], 0)


class TestAnotherAge:
    """Whose birth date is asked anew, or told, has their page opened anew."""

    async def test_leaves_only_what_is_for_minors_and_their_breaks(self, watch, maja):
        await an_ad(await a_campaign(await an_advertiser(reaches_minors=False)))
        await calls(WatchState.load, watch)
        assert (watch.available, watch.has_sittings) == (1, False)
        async with transaction() as session:
            await age.ask_again(session, None, maja.user_id, "A typo", now=NOON)
        await calls(WatchState.load, watch)
        assert (watch.ads, watch.available, watch.has_sittings) == ([], 0, False)
        await is_born(maja, "2011-05-17")
        await calls(WatchState.load, watch)
        assert (watch.ads, watch.available, watch.has_sittings) == ([], 0, True)


class TestAnAdThatIsOverMeanwhile:
    """The page has promised to wait, and that nothing is lost: it says why the ad is gone."""

    @pytest.fixture(autouse=True)
    async def _started(self, watch: WatchState, ad: Ad) -> None:
        await starts(watch, ad)

    async def looks_again(self, watch: WatchState, *, now: datetime = NOON) -> None:
        """Its connection is back."""
        with time_machine.travel(now, tick=False):
            await calls(WatchState.load, watch)

    async def test_because_it_waited_too_long_for_the_connection(self, watch: WatchState):
        await self.looks_again(watch, now=TOO_LATE)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.view_expired")
        assert (watch.stage, watch.running) == ("", {})

    async def test_because_it_waited_too_long_to_be_seen(self, watch: WatchState):
        view_id = watch.running["session_id"]
        with time_machine.travel(TOO_LATE, tick=False):
            await calls(WatchState.resume, watch, session_id=view_id)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.view_expired")
        assert (watch.stage, watch.running) == ("", {})

    async def test_because_it_waited_too_long_for_the_database(self, watch, monkeypatch):
        with monkeypatch.context() as away:
            await finishes(watch, away, StorageAway())
        await self.looks_again(watch, now=TOO_LATE)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.view_expired")
        assert watch.stage == ""

    async def test_because_it_was_given_up_elsewhere(self, watch: WatchState, maja: Actor):
        await service.give_up(maja, UUID(watch.running["session_id"]), now=NOON)
        await calls(WatchState.refresh, watch)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.left")
        assert watch.stage == ""

    async def test_because_its_player_was_suspended(self, watch: WatchState, maja: Actor):
        async with transaction() as session:
            await stop_watching(session, maja.user_id, now=NOON)
        await self.looks_again(watch)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.suspended")

    async def test_and_was_finished_too_early_says_what_was_missing(self, watch, maja):
        view_id = UUID(watch.running["session_id"])
        with pytest.raises(rules.WatchedTooShort):
            await pays(maja, view_id, now=NOON + 2 * SECOND)
        await self.looks_again(watch, now=TOO_LATE)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.watched_too_short")
        assert watch.notice["params"]["count"] == 3

    async def test_because_it_was_paid_for_elsewhere(self, watch: WatchState, maja: Actor):
        end = NOON + 5 * SECOND
        await pays(maja, UUID(watch.running["session_id"]), now=end)
        await self.looks_again(watch, now=end)
        assert said(watch) == ("watch.completed", "errors.ads.already_rewarded")
        assert watch.stage == ""

    async def test_is_told_of_although_another_one_runs(self, watch, maja, ad):
        await service.give_up(maja, UUID(watch.running["session_id"]), now=NOON)
        other = await starts_elsewhere(maja, ad)
        await self.looks_again(watch)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.left")
        assert watch.elsewhere["session_id"] == str(other.view_id)

    async def test_here_alone_and_goes_on_elsewhere_is_offered(self, watch, maja):
        view_id = watch.running["session_id"]
        async with transaction() as session:
            await service.take_over(session, maja, UUID(view_id), in_tab("b"), now=NOON)
        await self.looks_again(watch)
        assert (watch.stage, watch.elsewhere["session_id"], watch.notice) == ("", view_id, {})


class TestAnAdThatGoesOnElsewhere:
    """And its page has not heard of that: it says that the ad is over."""

    async def says_it_is_over(self, watch: WatchState, maja: Actor, ad: Ad, *, after: int) -> str:
        """So many seconds after the start, of five."""
        await starts(watch, ad)
        view_id = watch.running["session_id"]
        async with transaction() as session:
            await service.take_over(session, maja, UUID(view_id), in_tab("b"), now=NOON)
        now = NOON + after * SECOND
        if after > ad.duration:
            await pays(maja, UUID(view_id), now=now)
        with time_machine.travel(now, tick=False):
            await calls(WatchState.finish, watch, session_id=view_id, watch_time=ad.duration)
        return view_id

    async def test_is_offered_there_without_a_word(self, watch: WatchState, maja: Actor, ad: Ad):
        view_id = await self.says_it_is_over(watch, maja, ad, after=4)
        assert (watch.stage, watch.elsewhere["session_id"], watch.notice) == ("", view_id, {})

    async def test_and_was_paid_is_told_as_that(self, watch: WatchState, maja: Actor, ad: Ad):
        await self.says_it_is_over(watch, maja, ad, after=6)
        assert said(watch) == ("watch.completed", "errors.ads.already_rewarded")
        assert (watch.stage, watch.notice["style"]) == ("", "default")


class TestGoingOnHere:
    """With the ad that another tab shows, as the banner offers."""

    async def offered(self, watch: WatchState, maja: Actor, ad: Ad) -> UUID:
        view = await starts_elsewhere(maja, ad)
        await calls(WatchState.load, watch)
        assert watch.elsewhere["session_id"] == str(view.view_id)
        return view.view_id

    async def goes_on(self, watch: WatchState, view_id: UUID, *, now: datetime = NOON) -> None:
        with time_machine.travel(now, tick=False):
            await calls(WatchState.take_over, watch, session_id=view_id)

    async def test_shows_it_here(self, watch: WatchState, maja: Actor, ad: Ad):
        view_id = await self.offered(watch, maja, ad)
        await self.goes_on(watch, view_id)
        assert (watch.stage, watch.running["session_id"]) == (WATCHING, str(view_id))
        assert watch.elsewhere == {}

    async def test_is_offered_no_more_once_it_was_left(self, watch, maja, ad):
        view_id = await self.offered(watch, maja, ad)
        await service.leave(maja, view_id, in_tab("b"), now=NOON)
        await self.goes_on(watch, view_id)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.left")
        assert (watch.stage, watch.elsewhere) == ("", {})
        assert watch.outcomes[0]["is_running"] is False

    async def test_is_offered_no_more_once_it_is_too_late(self, watch, maja, ad):
        view_id = await self.offered(watch, maja, ad)
        await self.goes_on(watch, view_id, now=TOO_LATE)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.view_expired")
        assert (watch.stage, watch.elsewhere) == ("", {})

    async def test_offers_the_one_that_runs_instead(self, watch, maja, ad):
        view_id = await self.offered(watch, maja, ad)
        other = await starts_elsewhere(maja, ad)
        await self.goes_on(watch, view_id)
        assert said(watch) == ("watch.not_credited", "watch.reasons.ads.left")
        assert (watch.stage, watch.elsewhere["session_id"]) == ("", str(other.view_id))

    async def test_with_anothers_ad_is_refused(self, watch: WatchState, ad: Ad):
        theirs = await starts_elsewhere(await the_player("Emil"), ad)
        await self.goes_on(watch, theirs.view_id)
        assert said(watch) == ("errors.ads.security_check", "errors.ads.view_ended")
        assert watch.stage == ""


class TestBeingSeenAgain:
    async def test_is_answered_anew_though_nothing_was_counted_since(self, watch, ad):
        """While it was paused its page had heard already how far it was."""
        await starts(watch, ad)
        view_id = watch.running["session_id"]
        await calls(WatchState.pause, watch, session_id=view_id)
        await calls(WatchState.refresh, watch)
        before = watch.running
        await calls(WatchState.resume, watch, session_id=view_id)
        assert watch.running["watched_ms"] == before["watched_ms"]
        assert watch.running["answer"] != before["answer"]

    async def test_is_no_news_while_the_database_is_away(self, watch, ad, monkeypatch):
        """Its page says so again."""
        await starts(watch, ad)
        shown = watch.running
        monkeypatch.setattr(service, "running_ad", failing(StorageAway))
        await calls(WatchState.resume, watch, session_id=shown["session_id"])
        assert (watch.stage, watch.running, watch.notice) == (WATCHING, shown, {})

    async def test_says_that_it_is_counted_from_now_on(self, watch: WatchState, ad: Ad):
        """A page that comes back before it was heard knows that it has to say so again."""
        await starts(watch, ad)
        view_id = watch.running["session_id"]
        await calls(WatchState.pause, watch, session_id=view_id)
        assert watch.running["is_paused"]
        await calls(WatchState.refresh, watch)
        assert watch.running["is_paused"]
        await calls(WatchState.resume, watch, session_id=view_id)
        assert not watch.running["is_paused"]

    async def test_closes_a_player_of_which_nothing_is_known_any_more(self, watch, maja, ad):
        """Its page asks until it hears what has become of its ad."""
        view = await starts_elsewhere(maja, ad)
        watch._get_root_state()._clean()
        await calls(WatchState.resume, watch, session_id=view.view_id)
        assert {"stage", "running"} <= watch.dirty_vars
        assert (watch.stage, watch.elsewhere["session_id"]) == ("", str(view.view_id))


class TestLeaving:
    async def test_ends_the_ad(self, watch: WatchState, ad: Ad):
        await starts(watch, ad)
        view_id = watch.running["session_id"]
        await calls(WatchState.leave, watch, session_id=view_id)
        assert (watch.stage, watch.running, watch.elsewhere) == ("", {}, {})
        assert watch.outcomes[0]["is_running"] is False


class TestClosing:
    async def test_is_for_a_reward_alone(self, watch: WatchState, ad: Ad):
        """What was meant for the ad before may come when the next one runs."""
        await starts(watch, ad)
        shown = watch.running
        await calls(WatchState.close, watch)
        assert (watch.stage, watch.running) == (WATCHING, shown)

        with time_machine.travel(NOON + timedelta(seconds=ad.duration), tick=False):
            view_id = shown["session_id"]
            await calls(WatchState.finish, watch, session_id=view_id, watch_time=ad.duration)
        assert watch.stage == REWARDED
        await calls(WatchState.close, watch)
        assert (watch.stage, watch.running) == ("", {})


class TestFinishing:
    async def test_that_breaks_closes_the_player(self, watch: WatchState, ad: Ad, monkeypatch):
        await starts(watch, ad)
        await finishes(watch, monkeypatch, RuntimeError())
        assert said(watch) == ("errors.ads.security_check", "errors.ads.unknown_view")
        assert (watch.stage, watch.running) == ("", {})

    async def test_is_told_where_nobody_can_say_whether_it_was_the_first(
        self, watch: WatchState, ad: Ad, monkeypatch
    ):
        await starts(watch, ad)
        monkeypatch.setattr(coins, "balance_of", failing(StorageAway))
        with time_machine.travel(NOON + timedelta(seconds=ad.duration), tick=False):
            view_id = watch.running["session_id"]
            await calls(WatchState.finish, watch, session_id=view_id, watch_time=ad.duration)
        assert said(watch) == ("watch.completed", "watch.earned")
        assert (watch.stage, watch.is_first) == (REWARDED, False)

    @pytest.mark.parametrize("failure", [StorageAway, StorageFull])
    async def test_that_the_database_does_not_take_waits_for_it(
        self, watch: WatchState, ad: Ad, monkeypatch, failure: type[DomainError]
    ):
        await starts(watch, ad)
        shown = watch.running
        await finishes(watch, monkeypatch, failure())
        assert (watch.stage, watch.running, watch.notice) == (SAVING, shown, {})


class TestAnEndThatNobodyCouldTake:
    """The page has said in time that the ad is over, and that nothing is lost."""

    LONG_AFTER = TOO_LATE + timedelta(minutes=10)

    @pytest.fixture(autouse=True)
    async def _started(self, watch: WatchState) -> None:
        await starts(watch, await a_paid_ad())

    async def is_over(self, watch: WatchState, monkeypatch: pytest.MonkeyPatch) -> None:
        """The database is away from then on, for longer than an ad waits."""
        with time_machine.travel(NOON + 5 * SECOND, tick=False), monkeypatch.context() as away:
            await finishes(watch, away, StorageAway())

    async def asks_again(self, watch: WatchState, view_id: str) -> None:
        with time_machine.travel(self.LONG_AFTER, tick=False):
            await calls(WatchState.ask_again, watch, session_id=UUID(view_id), watch_time=5)

    async def test_is_paid_once_when_we_are_back(self, watch, database, monkeypatch):
        view_id = watch.running["session_id"]
        await self.is_over(watch, monkeypatch)
        await service.sweep(seen_at=NOON, now=self.LONG_AFTER)
        for _ in range(2):
            await self.asks_again(watch, view_id)
        assert said(watch) == ("watch.completed", "watch.earned")
        assert (watch.stage, watch.earned) == (REWARDED, 15)
        assert not what_is_wrong(database)

    async def test_is_paid_after_a_reload(self, watch: WatchState, monkeypatch):
        view_id = watch.running["session_id"]
        await self.is_over(watch, monkeypatch)
        with time_machine.travel(self.LONG_AFTER, tick=False):
            await calls(WatchState.load, watch)
        assert (watch.stage, watch.running["session_id"]) == (WATCHING, view_id)
        await self.asks_again(watch, view_id)
        assert (watch.stage, watch.earned) == (REWARDED, 15)

    async def test_was_none_while_the_ad_was_paused(self, watch: WatchState, monkeypatch):
        view_id = watch.running["session_id"]
        await calls(WatchState.pause, watch, session_id=UUID(view_id))
        await self.is_over(watch, monkeypatch)
        await self.asks_again(watch, view_id)
        assert said(watch) == ("errors.ads.security_check", "errors.ads.view_expired")

    async def test_is_of_that_ad_alone(self, watch: WatchState, monkeypatch):
        await self.is_over(watch, monkeypatch)
        await starts(watch, await an_ad())
        await self.asks_again(watch, watch.running["session_id"])
        assert said(watch) == ("errors.ads.security_check", "errors.ads.view_expired")


class TestReporting:
    async def test_in_too_many_words_is_refused_beside_them(self, page: Any, ad: Ad):
        dialog = await page.get_state(ReportState)
        declared = access_of(ReportState.send.fn)
        assert declared
        pasted = {"form": {"reason": "other", "text": "x" * 19_000}}
        await calls(ReportState.ask, dialog, ad_id=ad.id, title=ad.title)
        await calls(ReportState.send, dialog, **declared.checked(pasted))
        assert dialog.refusal["params"] == {"field": "text", "most": rules.LONGEST_REPORT}
        assert (dialog.ad_id, dialog.is_busy) == (str(ad.id), False)
