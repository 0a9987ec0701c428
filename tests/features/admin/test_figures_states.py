"""What the panel's page keeps of the economy, of the system's health and of the waitlist."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway, StorageFull, Unexpected
from rewards_app.core.ids import new_id
from rewards_app.features.admin import arrivals_state, economy_state, health_state
from rewards_app.features.admin.arrivals_state import ArrivalsState
from rewards_app.features.admin.economy_state import EconomyState
from rewards_app.features.admin.health_state import HealthState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.waitlist_state import WaitlistState
from rewards_app.features.arrivals import service as arrivals
from rewards_app.features.economy.figures import SharedEconomy
from rewards_app.features.economy.service import Books
from rewards_app.features.health import service as health
from rewards_app.features.health.figures import SharedHealth
from rewards_app.features.waitlist import service as waitlist
from rewards_app.models import WaitlistEntry
from tests.ads import a_campaign, an_ad, were_watched
from tests.people import NOON, a_browser
from tests.states import at, calls, failing
from tests.waitlist import people_wait, somebody_waits

pytestmark = pytest.mark.usefixtures("admin")


DAY = timedelta(days=1)
BUDGET = 71_250
"""Half of what fifteen coins are worth."""


@pytest.fixture
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody counts anew, and it is noon of the tests."""
    monkeypatch.setattr("rewards_app.features.economy.figures.utc_now", lambda: NOON)
    monkeypatch.setattr(economy_state, "economy", SharedEconomy(Books()))


@pytest.fixture
async def economy(page: Any, at_noon: None) -> EconomyState:
    (await page.get_state(AdminState)).tab = "economy"
    return await page.get_state(EconomyState)


class TestArrivals:
    async def by_campaign(self, page: Any, address: str) -> ArrivalsState:
        at(page, address)
        shown = await page.get_state(ArrivalsState)
        await calls(ArrivalsState.load, shown)
        return shown

    async def test_are_shown_by_campaign_for_the_chosen_time(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(arrivals_state, "utc_now", lambda: NOON)
        async with transaction() as session:
            for told, days in (("news/email/spring", 0), ("news//old", 8)):
                now = NOON - timedelta(days=days)
                await arrivals.note_visit(session, told, a_browser(), now=now)
                await arrivals.note_sign_up(session, told, a_browser(), now=now)
        week = await self.by_campaign(page, "/admin?tab=economy&period=7d")
        assert week.arrivals == [
            {
                "source": "news",
                "medium": "email",
                "name": "spring",
                "are_others": False,
                "visits": 1,
                "sign_ups": 1,
            }
        ]
        month = await self.by_campaign(page, "/admin?tab=economy")
        assert [one["name"] for one in month.arrivals] == ["old", "spring"]

    async def test_are_none_where_nobody_came(self, page: Any):
        shown = await self.by_campaign(page, "/admin?tab=economy")
        assert (shown.arrivals, shown.are_counted) == ([], True)


class TestTheEconomy:
    async def test_shows_the_period_and_the_ads_that_cost_most(self, economy: EconomyState):
        ad = await an_ad(await a_campaign(budget_cents=BUDGET), title="=Half")
        await were_watched(ad, 2, price=BUDGET, day=NOON.date())
        await calls(EconomyState.load, economy)
        assert (economy.is_loaded, economy.period) == (True, "30d")
        assert economy.outstanding["coins"] == 30
        assert economy.metrics["margin_ore"]["now"] == -1500
        assert economy.metrics["spend"]["now"] == 2 * BUDGET
        [gap] = economy.gaps
        assert (gap["title"], gap["gap_ore"]) == ("=Half", 1500)
        assert (economy.uncovered, economy.shown, economy.funding) == (1, 1, "warn")
        assert len(economy.days) == 30
        assert economy.days[-1] == {"at": "2026-03-14", "spend": 1500, "rewards": 3000}

    async def test_shows_the_period_of_the_address(self, economy: EconomyState, page: Any):
        at(page, "/admin?tab=economy&period=90d")
        await calls(EconomyState.load, economy)
        assert (economy.period, len(economy.days)) == ("90d", 90)

    async def test_is_left_alone_while_another_tab_is_open(self, economy: EconomyState, page: Any):
        await calls(EconomyState.load, economy)
        (await page.get_state(AdminState)).tab = "orders"
        await an_ad(await a_campaign(budget_cents=BUDGET))
        economy_state.economy._known.clear()
        await calls(EconomyState.refresh, economy)
        assert economy.shown == 0

    @pytest.mark.parametrize(
        ("failure", "told"), [(StorageAway(), StorageAway), (RuntimeError("x"), Unexpected)]
    )
    async def test_that_cannot_be_counted_says_so_in_its_place(
        self, economy: EconomyState, monkeypatch, failure: Exception, told: type
    ):
        async def breaks(*_: object) -> None:
            raise failure

        monkeypatch.setattr(economy_state.economy, "of", breaks)
        await calls(EconomyState.load, economy)
        assert (economy.is_loaded, economy.has_failed) == (False, True)
        assert economy.refusal["code"] == told.code


class TestTheChangeOfAMargin:
    @pytest.mark.parametrize(
        ("now", "before", "by"), [(50, 100, -0.5), (-50, -100, 0.5), (-150, -100, -0.5)]
    )
    def test_rises_when_it_gets_better(self, now: int, before: int, by: float):
        assert economy_state._change(now, before).by == by


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Measured anew each time; `away` says whether the database answers."""
    known: dict[str, Any] = {"away": False}

    async def measure(_: object) -> health.Health:
        if known["away"]:
            monkeypatch.setattr(health.probes, "database", _nothing)
        found = await health.measured(now=NOON)
        monkeypatch.undo()
        return found

    before = health_state.health
    clock = iter(range(0, 10_000, 100))
    health_state.health = SharedHealth(measure, clock=lambda: float(next(clock)))
    yield known
    health_state.health = before


async def _nothing() -> None:
    return None


@pytest.fixture
async def system(page: Any, measuring: dict[str, Any]) -> HealthState:
    (await page.get_state(AdminState)).tab = "health"
    return await page.get_state(HealthState)


class TestHealth:
    async def test_shows_what_is_measured(self, system: HealthState):
        await calls(HealthState.load, system)
        assert (system.is_loaded, system.has_failed) == (True, False)
        assert system.database["level"] == "healthy"
        assert system.redis["level"] == "not_used"
        assert system.queue["waiting"] == 0

    async def test_has_no_uptime_before_anything_was_measured(self, system: HealthState):
        await calls(HealthState.load, system)
        assert (system.uptime, system.has_uptime) == (0, False)
        await health.sample(now=NOON)
        await calls(HealthState.refresh, system)
        assert (system.uptime, system.has_uptime) == (1, True)

    async def test_shows_an_error_within_one_poll_and_recovers_by_itself(
        self, system: HealthState, measuring: dict[str, Any]
    ):
        await calls(HealthState.load, system)
        measuring["away"] = True
        await calls(HealthState.refresh, system)
        assert (system.has_failed, system.database["level"]) == (True, "error")
        assert system.uptime == 0
        measuring["away"] = False
        await calls(HealthState.refresh, system)
        assert (system.has_failed, system.database["level"]) == (False, "healthy")

    async def test_says_what_a_failing_job_met_while_it_runs_again(
        self, system: HealthState, database: str
    ):
        with psycopg.connect(database) as connection:
            connection.execute(
                "insert into job_runs (id, job, started_at, ended_at, error, did) values"
                " (%s, 'shop.check_orders', %s, %s, 'KeyError', '{}'),"
                " (%s, 'shop.check_orders', %s, null, '', '{}')",
                (new_id(), NOON - DAY, NOON - DAY, new_id(), NOON - timedelta(minutes=1)),
            )
        await calls(HealthState.load, system)
        job = next(job for job in system.schedule if job["name"] == "shop.check_orders")
        assert (job["error"], job["failing_since"]) == ("KeyError", (NOON - DAY).isoformat())

    async def test_forgets_that_the_gate_could_not_ask_who_calls(self, system: HealthState):
        system.refusal = {"code": StorageAway.code}
        await calls(HealthState.refresh, system)
        assert system.refusal == {}

    async def test_is_not_measured_for_another_tab(self, system: HealthState, page: Any):
        (await page.get_state(AdminState)).tab = "orders"
        await calls(HealthState.refresh, system)
        assert not system.is_loaded


@pytest.fixture
async def desk(page: Any) -> WaitlistState:
    return await page.get_state(WaitlistState)


async def leaves(entry: WaitlistEntry) -> None:
    async with transaction() as session:
        assert await waitlist.repository.leave(session, entry.id) == entry.email


class TestTheWaitlist:
    async def test_comes_in_pages_each_once(self, desk: WaitlistState, monkeypatch):
        monkeypatch.setattr(waitlist, "A_PAGE", 2)
        people = await people_wait(5)
        await calls(WaitlistState.load, desk)
        before = desk.next_before
        await calls(WaitlistState.load_more, desk, before=before)
        await calls(WaitlistState.load_more, desk, before=before)
        assert [row["id"] for row in desk.people] == [str(one.id) for one in people[:4]]
        assert desk.people[0]["date"] == "2026-03-14"

    @pytest.mark.parametrize("leaving", [0, 12, 24])
    async def test_goes_on_where_somebody_has_left(self, desk: WaitlistState, leaving: int):
        people = await people_wait(60)
        await calls(WaitlistState.load, desk)
        await leaves(people.pop(leaving))
        await calls(WaitlistState.refresh, desk)
        while desk.next_before:
            await calls(WaitlistState.load_more, desk, before=UUID(desk.next_before))
        assert [row["id"] for row in desk.people] == [str(one.id) for one in people]

    async def test_leads_on_from_where_somebody_has_just_left(self, desk: WaitlistState):
        people = await people_wait(30)
        await calls(WaitlistState.load, desk)
        await leaves(people[24])
        await calls(WaitlistState.load_more, desk, before=UUID(desk.next_before))
        assert [row["id"] for row in desk.people] == [str(one.id) for one in people]

    async def test_shows_nobody_any_more_who_left_further_down(self, desk: WaitlistState):
        people = await people_wait(60)
        await calls(WaitlistState.load, desk)
        await calls(WaitlistState.load_more, desk, before=UUID(desk.next_before))
        shown = [row["id"] for row in desk.people]
        await leaves(people[40])
        await calls(WaitlistState.refresh, desk)
        shown.remove(str(people[40].id))
        assert ([row["id"] for row in desk.people], len(shown)) == (shown, 49)

    async def test_finds_one_address_among_many(self, desk: WaitlistState):
        wanted = await somebody_waits("maja.lind@example.com")
        await people_wait(30)
        await calls(WaitlistState.load, desk)
        await calls(WaitlistState.find, desk, form={"search": " Maja.L "})
        assert [row["id"] for row in desk.people] == [str(wanted.id)]
        assert desk.next_before == ""
        await calls(WaitlistState.refresh, desk)
        assert [row["id"] for row in desk.people] == [str(wanted.id)]
        await calls(WaitlistState.show_all, desk)
        assert (desk.search, desk.round, len(desk.people)) == ("", 1, 25)

    async def test_is_searched_for_what_was_typed_and_no_pattern(self, desk: WaitlistState):
        await somebody_waits("maja@example.com")
        for pattern in ("%", "m_ja", "\\"):
            await calls(WaitlistState.find, desk, form={"search": pattern})
            assert desk.people == [], pattern

    async def test_leads_on_among_what_was_found(self, desk: WaitlistState, monkeypatch):
        monkeypatch.setattr(waitlist, "A_PAGE", 2)
        people = await people_wait(5)
        await somebody_waits("maja@example.com", at=NOON + timedelta(minutes=5))
        await calls(WaitlistState.find, desk, form={"search": "waiting-"})
        while desk.next_before:
            await calls(WaitlistState.load_more, desk, before=UUID(desk.next_before))
        assert [row["id"] for row in desk.people] == [str(one.id) for one in people]

    async def test_that_cannot_be_searched_says_so(self, desk: WaitlistState, monkeypatch):
        monkeypatch.setattr(waitlist, "newest", failing(RuntimeError))
        await calls(WaitlistState.find, desk, form={"search": "maja"})
        assert desk.notice["title"] == "admin.waitlist.not_loaded"

    async def test_turns_a_row_and_says_so(self, desk: WaitlistState):
        entry = await somebody_waits()
        await calls(WaitlistState.load, desk)
        await calls(WaitlistState.turn, desk, entry_id=entry.id, notified=True)
        assert desk.people[0]["notified"] is True
        assert desk.notice["title"] == "admin.waitlist.updated"
        await calls(WaitlistState.turn, desk, entry_id=entry.id, notified=False)
        assert desk.people[0]["notified"] is False

    @pytest.mark.parametrize("failure", [RuntimeError, StorageAway, StorageFull])
    async def test_that_cannot_be_updated_is_told_in_the_specifications_words(
        self, desk: WaitlistState, monkeypatch, failure: type[Exception]
    ):
        entry = await somebody_waits()
        await calls(WaitlistState.load, desk)

        async def breaks(*_: object, **__: object) -> None:
            raise failure

        monkeypatch.setattr(waitlist, "mark", breaks)
        await calls(WaitlistState.turn, desk, entry_id=entry.id, notified=True)
        assert (desk.notice["title"], desk.notice["text"]) == (
            "admin.waitlist.error",
            "errors.waitlist.not_updated",
        )
        assert desk.people[0]["notified"] is False

    async def test_of_nobody_is_told_in_the_same_words(self, desk: WaitlistState):
        await calls(WaitlistState.turn, desk, entry_id=UUID(int=7), notified=True)
        assert desk.notice["title"] == "admin.waitlist.error"

    @pytest.mark.parametrize("failure", [RuntimeError, StorageAway, StorageFull])
    async def test_that_cannot_be_loaded_says_so_in_its_place(
        self, desk: WaitlistState, monkeypatch, failure: type[Exception]
    ):
        async def breaks(*_: object, **__: object) -> None:
            raise failure

        monkeypatch.setattr(waitlist, "newest", breaks)
        await calls(WaitlistState.load, desk)
        assert (desk.is_loaded, desk.has_failed) == (False, True)
        assert (desk.notice["title"], desk.notice["text"]) == (
            "admin.waitlist.not_loaded",
            "errors.waitlist.not_loaded_text",
        )

    async def test_shows_who_has_just_come_on_top(self, desk: WaitlistState):
        await people_wait(2)
        await calls(WaitlistState.load, desk)
        newest = await somebody_waits(at=NOON.replace(hour=13))
        await calls(WaitlistState.refresh, desk)
        assert desk.people[0]["id"] == str(newest.id)
        assert len(desk.people) == 3

    async def test_counts_who_confirmed_apart_from_who_did_not(self, desk: WaitlistState):
        await people_wait(2)
        await somebody_waits(notified=True)
        silent = await somebody_waits(is_confirmed=False, at=NOON.replace(hour=13))
        await calls(WaitlistState.load, desk)
        assert desk.counts == {"unconfirmed": 1, "to_tell": 2, "told": 1}
        assert (desk.people[0]["id"], desk.people[0]["is_confirmed"]) == (str(silent.id), False)
        assert not desk.is_telling

    async def test_asks_before_it_sends_the_letter_and_shows_that_it_is_sent(
        self, desk: WaitlistState
    ):
        await calls(WaitlistState.load, desk)
        await people_wait(2)
        await calls(WaitlistState.ask, desk)
        assert (desk.is_asking, desk.counts["to_tell"]) == (True, 2)
        await calls(WaitlistState.send_opening, desk)
        assert (desk.is_asking, desk.is_telling) == (False, True)
        assert desk.notice["title"] == "admin.waitlist.sending_title"
        assert desk.notice["params"] == {"shown": "2"}
        await calls(WaitlistState.refresh, desk)
        assert desk.is_telling

    async def test_sends_nothing_where_nobody_is_left_and_says_why(self, desk: WaitlistState):
        await calls(WaitlistState.send_opening, desk)
        assert (desk.notice["title"], desk.notice["text"]) == (
            "admin.waitlist.error",
            "errors.waitlist.not_needed",
        )
        assert not desk.is_telling

    async def test_marks_nobody_who_did_not_confirm(self, desk: WaitlistState):
        entry = await somebody_waits(is_confirmed=False)
        await calls(WaitlistState.load, desk)
        await calls(WaitlistState.turn, desk, entry_id=entry.id, notified=True)
        assert desk.notice["text"] == "errors.waitlist.not_confirmed"
        assert desk.people[0]["notified"] is False
