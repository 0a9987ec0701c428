"""What waits for admins: counted by kind, everything once, and again whenever it may be another."""

from typing import Any

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.admin import what_waits
from rewards_app.features.admin.tabs import TABS
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind
from rewards_app.features.factors import resets
from rewards_app.features.forum import reports
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.shell import pages as shell
from rewards_app.features.shell.navigation import ADMIN_PLACES
from rewards_app.features.support import service as support
from rewards_app.i18n import catalogues
from tests.ads import the_player
from tests.features.forum.test_desk import appeals_it
from tests.forum import a_topic
from tests.measures import appeals_against, pauses_by_itself
from tests.review import a_company, a_draft, a_waiting_ad, an_applicant
from tests.states import calls

pytestmark = pytest.mark.usefixtures("admin")


@pytest.fixture
async def counts(page: Any) -> WaitingState:
    return await page.get_state(WaitingState)


class TestWhatWaits:
    async def test_is_nothing_at_first(self, counts: WaitingState):
        assert not counts.is_counted
        await calls(WaitingState.count, counts)
        assert counts.is_counted
        assert counts.everything == 0

    async def test_is_counted_by_kind(self, counts: WaitingState):
        maja = await the_player()
        await an_applicant()
        await a_waiting_ad(await a_draft(await a_company(email="b@example.com")))
        await a_topic(maja, state="waiting")
        async with transaction() as session:
            await alerts.raise_alert(session, Kind.AUDIT_BROKEN, now=utc_now(), entry=7)
            await support.open_ticket(
                session, maja.user_id, "Ads", "Two were not counted.", now=utc_now()
            )
            await resets.ask(session, maja.user_id, now=utc_now())
        await calls(WaitingState.count, counts)
        # A wish to sign in without the second factor raises one, too.
        assert (counts.applications, counts.ads, counts.open_alerts) == (1, 1, 2)
        assert (counts.reports, counts.tickets, counts.appeals) == (1, 2, 0)
        assert counts.everything == 7

    async def test_is_one_thing_where_its_appeal_has_a_ticket(self, counts: WaitingState):
        maja = await the_player()
        topic = await a_topic(maja, "what a stupid map")
        await appeals_it(maja, topic, target=Target.POST)
        paused = await pauses_by_itself(maja.user_id)
        assert paused
        await appeals_against(maja, paused)
        await calls(WaitingState.count, counts)
        assert (counts.reports, counts.appeals, counts.tickets) == (1, 1, 2)
        assert counts.everything == counts.tickets + counts.open_alerts


class TestOnEachPage:
    def test_it_is_loaded_and_followed_for_admins_alone(self):
        loads = shell.frame_for([]).loads
        those = {role for role in loads if WaitingState.count in loads[role]}
        assert those == set(shell.FOLLOWS) == {Role.ADMIN}

    def test_every_kind_has_its_words_and_its_tab(self):
        waiting = {tab.key for tab in TABS if tab.waiting is not None}
        assert len(waiting) == 6
        assert {f"admin.waits.{key}" for key in waiting} <= set(catalogues.interface("en"))

    def test_the_way_to_the_panel_says_how_much(self):
        [place] = [place for place in ADMIN_PLACES if place.waiting is not None]
        assert place.href == "/admin"

    def test_it_is_counted_again_whenever_something_of_it_is_told(self):
        assert all(WaitingState.count in heard for heard in what_waits.FOLLOWS.values())
        told = {alerts.RAISED, alerts.CHANGED, support.CHANGED, resets.CHANGED, reports.DESK}
        assert told <= set(what_waits.FOLLOWS)
