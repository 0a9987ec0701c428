"""What a worker's tabs are asked when it has heard nothing of others, and who is online."""

from collections.abc import AsyncIterator, ItemsView, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import psycopg
import pytest
import time_machine
from reflex.utils.token_manager import SocketRecord
from sqlalchemy.exc import ProgrammingError

from rewards_app.core import database as databases
from rewards_app.core import live, tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller, digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import details, sessions
from rewards_app.features.accounts import service as accounts
from rewards_app.features.accounts.details_state import DetailsState
from rewards_app.features.ads import service as ads
from rewards_app.features.ads.state import WatchState
from rewards_app.features.dashboard.state import OwnDayState, PlatformState
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.features.shell.live import TabCalls
from rewards_app.features.shell.state import BarState, CompanyBarState
from rewards_app.features.shop.state import ShopState
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.rewards_app import PAGES, actors, app
from tests import listeners
from tests.ads import NOON, an_ad, starts, the_actor, the_player, the_players
from tests.companies import a_company
from tests.people import a_browser, an_account, signed_in


class Calls(TabCalls):
    """Notes what is asked instead of asking it over sockets."""

    def __init__(self) -> None:
        super().__init__(app, actors, PAGES)
        self.asked: dict[str, list[Any]] = {}

    async def ask(self, tokens: Iterable[str], handlers: Sequence[Any]) -> None:
        for token in tokens:
            self.asked.setdefault(token, []).extend(handlers)


@pytest.fixture
def calls(database: str) -> Iterator[Calls]:
    with listeners.put_back():
        yield Calls()
    tabs.keep_only(())


def a_tab_at(path: str, actor: Actor) -> None:
    tabs.remember(Caller(tab=path, socket=f"socket {path}", session_hash=path), actor)
    tabs.show(path, path)


@pytest.mark.usefixtures("calls")
class TestWhatItsOwnWorkerWrites:
    """True for the very next event, before PostgreSQL brings the news back."""

    async def test_a_session_that_ends_is_over(self):
        own = digest(
            await signed_in((await the_player("Maja")).user_id, a_browser(), now=utc_now())
        )
        assert await actors.actor_of(own)
        async with transaction() as session:
            await sessions.end(session, own, now=utc_now())
        assert await actors.actor_of(own) is None

    async def test_so_is_one_that_is_ended_from_elsewhere(self):
        maja = await the_player("Maja")
        own = digest(await signed_in(maja.user_id, a_browser(), now=utc_now()))
        assert await actors.actor_of(own)
        async with transaction() as session:
            await sessions.end_all(session, maja.user_id, now=utc_now())
        assert await actors.actor_of(own) is None

    async def test_another_role_is_theirs(self):
        account = await an_account("linnea@example.com", name="Linnea")
        own = digest(await signed_in(account.id, a_browser(), now=utc_now()))
        assert await actors.actor_of(own)
        async with transaction() as session:
            await accounts.promote(session, account.email, Role.MODERATOR, now=utc_now())
        actor = await actors.actor_of(own)
        assert actor
        assert actor.role is Role.MODERATOR


class TestASessionThatEnded:
    async def test_by_its_own_browser_is_over_without_a_word(self, calls: Calls):
        a_tab_at("/", await the_player("Maja"))
        await calls._on_session_ended("/")
        assert calls.asked == {"/": [AppState.check_in]}

    async def test_from_elsewhere_is_told(self, calls: Calls):
        a_tab_at("/", await the_player("Maja"))
        await calls._on_session_taken("/")
        assert calls.asked == {"/": [AppState.hear_of_end]}


class TestAfterHearingNothing:
    @pytest.mark.parametrize(
        ("path", "wanted"),
        [
            ("/", {RestrictionState.load, PlatformState.refresh, MomentState.look}),
            ("/watch", {RestrictionState.load, MomentState.look}),
            ("/security", {SessionsState.refresh, AccountSecurityState.refresh, MomentState.look}),
            ("/profile", {SessionsState.refresh, GuardianState.load, MomentState.look}),
            ("/gdpr", {GuardianState.load, MomentState.look}),
        ],
    )
    async def test_a_page_looks_again_at_what_others_decide(
        self, calls: Calls, path: str, wanted: set[Any]
    ):
        a_tab_at(path, await the_player("Maja"))
        await calls._on_taken_up("")
        assert wanted <= set(calls.asked[path])

    async def test_nobody_is_asked_for_what_is_on_anothers_page(self, calls: Calls):
        linnea = the_actor(await an_account("linnea@example.com", Role.ADMIN, name="Linnea"))
        a_tab_at("/", linnea)
        await calls._on_taken_up("")
        assert not {PlatformState.refresh, MomentState.look} & set(calls.asked["/"])

    @pytest.mark.parametrize(
        ("path", "wanted"),
        [
            ("/", {RestrictionState.load, PlatformState.refresh}),
            ("/watch", {RestrictionState.load}),
            ("/security", {SessionsState.refresh, AccountSecurityState.refresh}),
            ("/profile", {SessionsState.refresh, GuardianState.load}),
            ("/gdpr", {GuardianState.load}),
        ],
    )
    def test_a_browser_whose_connection_is_back_asks_for_it(self, path: str, wanted: set[Any]):
        [page] = [one for one in PAGES if one.path == path and Role.PLAYER in one.roles]
        assert wanted <= set(page.renewals)


class Sockets(dict[str, SocketRecord]):
    """Those of all tabs, and how often somebody went through them."""

    gone_through = 0

    def items(self) -> ItemsView[str, SocketRecord]:
        self.gone_through += 1
        return super().items()


class TestATabThatIsAsked:
    @pytest.fixture
    def sockets(self, monkeypatch: pytest.MonkeyPatch) -> Sockets:
        assert app.event_namespace
        known = Sockets()
        monkeypatch.setattr(app.event_namespace._token_manager, "token_to_socket", known)
        return known

    async def test_is_looked_up_among_all_and_not_looked_for(self, calls: Calls, sockets: Sockets):
        maja = await the_player("Maja")
        for path, socket in (("/", "socket /"), ("/watch", "another one"), ("/shop", "")):
            a_tab_at(path, maja)
            if socket:
                sockets[path] = SocketRecord(instance_id="this worker", sid=socket)
        assert calls._connected(["/", "/watch", "/shop", "/nobodys"]) == ["/"]
        assert sockets.gone_through == 0


class TestAChangeOfACompany:
    async def test_keeps_no_other_news_waiting_while_no_transaction_can_begin(
        self, calls: Calls, monkeypatch: pytest.MonkeyPatch
    ):
        company = await a_company()
        a_tab_at("/advertiser", company.owner)
        monkeypatch.setattr(databases, "POOLED", 1)
        monkeypatch.setattr(databases, "MOST_POOLED", 1)
        await databases.dispose_engine()
        async with transaction() as session:
            await session.connection()
            # One more transaction would wait for this one's connection, and give up.
            await calls._on_company_change(str(company.id))
        await databases.dispose_engine()
        assert CompanyBarState.load in calls.asked["/advertiser"]


class TestAChangeOfCoinsOrOrders:
    async def test_is_told_on_every_page_of_the_player(self, calls: Calls):
        maja = await the_player("Maja")
        for path in ("/", "/terms"):
            a_tab_at(path, maja)
        await calls._on_own_change(str(maja.user_id))
        assert calls.asked["/terms"] == [BarState.load]
        assert OwnDayState.refresh in calls.asked["/"]

    @pytest.mark.parametrize("role", [Role.ADMIN, Role.COMPANY])
    async def test_is_not_told_to_who_plays_no_more(self, calls: Calls, role: Role):
        """An old order of theirs was paid back."""
        linnea = the_actor(await an_account("linnea@example.com", role, name="Linnea"))
        a_tab_at("/", linnea)
        await calls._on_own_change(str(linnea.user_id))
        assert calls.asked == {}


class TestCorrectedDetails:
    async def test_are_shown_where_prices_and_settings_are(self, calls: Calls):
        maja = await the_player("Maja")
        for path in ("/shop", "/settings", "/terms"):
            a_tab_at(path, maja)
        await live._hand_over(details.CHANGED, str(maja.user_id))
        assert calls.asked["/shop"] == [ShopState.refresh]
        assert calls.asked["/settings"] == [DetailsState.refresh]
        assert not calls.asked["/terms"]

    async def test_are_shown_to_a_company_in_its_settings_alone(self, calls: Calls):
        nova = the_actor(await an_account("nova@example.com", Role.COMPANY, name="Nova"))
        for path in ("/settings", "/"):
            a_tab_at(path, nova)
        await live._hand_over(details.CHANGED, str(nova.user_id))
        assert calls.asked == {"/settings": [DetailsState.refresh]}


class TestAnAdThatIsGivenUp:
    async def test_is_told_where_it_can_be_seen(self, calls: Calls):
        maja = await the_player("Maja")
        for path in ("/watch", "/"):
            a_tab_at(path, maja)
        view = await starts(maja, await an_ad())
        live._waiting.clear()
        await ads.give_up(maja, view.view_id, now=NOON)
        [told] = [(topic, key) for topic, key in live._waiting if topic == ads.GIVEN_UP]
        await live._hand_over(*told)
        assert calls.asked == {"/watch": [WatchState.refresh]}

    async def test_is_told_where_another_one_takes_its_place(self, calls: Calls):
        """Other tabs of the player offer to go on with it."""
        maja = await the_player("Maja")
        await starts(maja, await an_ad())
        live._waiting.clear()
        await starts(maja, now=NOON + timedelta(seconds=5))
        assert (ads.GIVEN_UP, str(maja.user_id)) in live._waiting

    async def test_is_told_once(self, calls: Calls):
        maja = await the_player("Maja")
        view = await starts(maja, await an_ad())
        await ads.give_up(maja, view.view_id, now=NOON)
        live._waiting.clear()
        await ads.give_up(maja, view.view_id, now=NOON)
        assert not live._waiting


class TestAnAdThatGoesOnElsewhere:
    async def goes_on(self, maja: Actor, *, tab: str) -> set[tuple[str, str]]:
        """What was announced, in that tab, of an ad that was started in tab a."""
        view = await starts(maja, await an_ad())
        live._waiting.clear()
        async with transaction() as session:
            await ads.take_over(session, maja, view.view_id, a_browser(tab), now=NOON)
        return set(live._waiting)

    async def test_is_told_where_it_was_seen(self, calls: Calls):
        maja = await the_player("Maja")
        for path in ("/watch", "/"):
            a_tab_at(path, maja)
        [told] = await self.goes_on(maja, tab="b")
        await live._hand_over(*told)
        assert calls.asked == {"/watch": [WatchState.refresh]}

    async def test_is_told_to_nobody_where_it_stays_in_its_tab(self, calls: Calls):
        assert not await self.goes_on(await the_player("Maja"), tab="a")


class TestPlayersOnline:
    """Twenty players are known; none of them has a tab open here."""

    @pytest.fixture(autouse=True)
    async def counted(self, calls: Calls) -> AsyncIterator[None]:
        await the_players(20)
        with time_machine.travel(NOON, tick=False) as self.clock:
            await calls._count_once()
            yield
        tabs.note_online(0)

    async def cannot_be_counted(self, calls: Calls, database: str, *, after: timedelta) -> None:
        self.clock.shift(after)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter table presence rename to presence_away")
            with pytest.raises(ProgrammingError):
                await calls._count_once()
            connection.execute("alter table presence_away rename to presence")

    async def test_are_fifteen_percent_where_they_cannot_be_counted(
        self, calls: Calls, database: str
    ):
        await self.cannot_be_counted(calls, database, after=timedelta(seconds=31))
        assert tabs.online() == 3

    async def test_are_the_last_count_while_that_is_fresh(self, calls: Calls, database: str):
        await self.cannot_be_counted(calls, database, after=timedelta(seconds=30))
        assert tabs.online() == 0

    async def test_are_counted_again_once_they_can_be(self, calls: Calls, database: str):
        await self.cannot_be_counted(calls, database, after=timedelta(seconds=31))
        await calls._count_once()
        assert tabs.online() == 0

    async def test_are_a_share_of_those_who_are_known_by_then(self, calls: Calls, database: str):
        await the_players(7)
        self.clock.shift(timedelta(minutes=10))
        await calls._count_once()
        await self.cannot_be_counted(calls, database, after=timedelta(seconds=31))
        assert tabs.online() == 4
