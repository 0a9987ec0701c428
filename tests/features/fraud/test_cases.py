"""The case of one account: where it stands, and all that happened on one time line."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.ads import service as ads
from rewards_app.features.fraud import cases
from rewards_app.features.fraud.case_rules import Level, Source, UnknownView, level_of
from rewards_app.features.fraud.cases import Case, Event
from rewards_app.features.fraud.measure_rules import UnknownAccount
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from tests.ads import SECOND, an_ad, finishes, starts, the_player, watches
from tests.campaigns import runs, the_admin
from tests.companies import a_company
from tests.measures import APPEAL, REASON, appeals_against, restores, suspends
from tests.people import NOON, a_browser, signed_in
from tests.review import an_admin
from tests.shop import buys, earns, stock
from tests.tickets import answers, replies

pytestmark = pytest.mark.usefixtures("database")

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LATER = NOON + timedelta(days=1)


async def the_case(admin: Actor, player: Actor, *, now: datetime = NOON) -> Case:
    async with transaction() as session:
        return await cases.case(session, admin, player.user_id, now=now)


async def all_events(admin: Actor, player: Actor, source: Source | None = None) -> list[Event]:
    """Stretch by stretch, as a page loads them."""
    before, found = None, []
    while True:
        async with transaction() as session:
            line = await cases.time_line(
                session, admin, player.user_id, source=source, before=before
            )
        found += line.shown
        before = line.next_before
        if before is None:
            return found


async def is_noticed(
    player: Actor, rule: Rule, *, now: datetime = NOON, **evidence: object
) -> None:
    async with transaction() as session:
        await signals.note(session, player.user_id, rule, now=now, **evidence)


def kinds(events: list[Event]) -> list[str]:
    return [event.what for event in events]


class TestLevels:
    @pytest.mark.parametrize(
        ("risk", "level"),
        [
            (100, Level.CRITICAL),
            (80, Level.CRITICAL),
            (79, Level.HIGH),
            (60, Level.HIGH),
            (59, Level.MEDIUM),
            (40, Level.MEDIUM),
            (39, Level.LOW),
            (0, Level.LOW),
        ],
    )
    def test_are_called_as_the_specification_says(self, risk: int, level: Level):
        assert level_of(risk) is level


class TestWhereAnAccountStands:
    async def test_names_its_owner_its_coins_and_what_holds_it(self):
        linnea, maja = await an_admin(), await the_player()
        await watches(maja, await an_ad())
        await is_noticed(maja, Rule.IMPOSSIBLE_PACE)
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        number = await appeals_against(maja, restriction)
        found = await the_case(linnea, maja)
        assert (found.person.name, found.person.role, found.person.is_verified) == (
            "Maja",
            "player",
            True,
        )
        assert (found.balance.balance, found.ads_today) == (15, 1)
        assert (found.risk, found.signals) == (30, 1)
        [held] = found.holding
        assert (held.kind, held.reason, held.by) == ("suspended", REASON, "Linnea")
        assert (held.ticket, held.status, held.said) == (number, "open", [APPEAL])

    async def test_quotes_what_was_added_to_an_appeal_that_was_answered(self):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        number = await appeals_against(maja, restriction)
        await answers(linnea, number, "We looked again: it stays.", now=NOON + MINUTE)
        [held] = (await the_case(linnea, maja)).holding
        assert (held.ticket, held.status, held.said) == (number, "answered", [APPEAL])
        await replies(maja, number, "My brother says that it was him.", now=NOON + 2 * MINUTE)
        [held] = (await the_case(linnea, maja)).holding
        said = [APPEAL, "My brother says that it was him."]
        assert (held.status, held.said) == ("open", said)
        told = {e.what: e.told for e in await all_events(linnea, maja, Source.DECISIONS)}
        assert told["appeal"]["said"] == said

    async def test_quotes_nothing_where_nobody_appealed(self):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        [held] = (await the_case(linnea, maja)).holding
        assert (held.ticket, held.status, held.said) == (None, "", [])

    async def test_old_signals_count_no_more(self):
        linnea, maja = await an_admin(), await the_player()
        await is_noticed(maja, Rule.IMPOSSIBLE_PACE)
        assert (await the_case(linnea, maja, now=NOON + 25 * HOUR)).risk == 0

    async def test_of_nobody_is_refused(self):
        with pytest.raises(UnknownAccount):
            await the_case(await an_admin(), replace(await the_player(), user_id=new_id()))

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_is_for_admins_only(self, role: Role):
        maja = await the_player()
        eve = replace(maja, role=role)
        with pytest.raises(NotAllowed):
            await the_case(eve, maja)
        with pytest.raises(NotAllowed):
            await all_events(eve, maja)
        async with transaction() as session:
            with pytest.raises(NotAllowed):
                await cases.views_of_hour(session, eve, maja.user_id, NOON)
            with pytest.raises(NotAllowed):
                await cases.creditable_views(session, eve, maja.user_id, "day", now=NOON)


class TestTheTimeLine:
    async def test_tells_everything_the_newest_first(self):
        linnea, maja, bo = await an_admin(), await the_player(), await the_player("Bo")
        ad = await an_ad()
        await signed_in(maja.user_id, a_browser("a", user_agent=FIREFOX), now=NOON + MINUTE)
        view = await starts(maja, ad, fingerprint="screen 1", now=NOON + 2 * MINUTE)
        await starts(bo, ad, fingerprint="screen 1", now=NOON + 2 * MINUTE)
        await finishes(maja, view, now=NOON + 2 * MINUTE + 5 * SECOND)
        await is_noticed(
            maja,
            Rule.EARLY_COMPLETION,
            now=NOON + 3 * MINUTE,
            watched_seconds=2,
            required_seconds=5,
        )
        await stock()
        await earns(maja, 100)
        await buys(maja, 89, now=NOON + 4 * MINUTE)
        restriction = await suspends(linnea, maja.user_id, now=NOON + 5 * MINUTE)
        assert restriction
        await appeals_against(maja, restriction, now=NOON + 6 * MINUTE)
        await restores(linnea, restriction, now=NOON + 7 * MINUTE)
        found = await all_events(linnea, maja)
        assert kinds(found) == [
            "lifted",
            "appeal",
            "restricted",
            "purchase",
            "signal",
            "views",
            "device",
            "session_begun",
            "joined",
        ]
        assert [event.at for event in found] == sorted((e.at for e in found), reverse=True)
        told = {event.what: event.told for event in found}
        assert told["signal"]["evidence"] == {"watched_seconds": 2, "required_seconds": 5}
        assert (told["signal"]["first"], told["signal"]["risk"]) == (10, 10)
        assert (told["views"]["views"], told["views"]["rewarded"], told["views"]["coins"]) == (
            1,
            1,
            15,
        )
        [other] = told["device"]["others"]
        assert (other["name"], other["id"]) == ("Bo", str(bo.user_id))
        assert (told["session_begun"]["browser"], told["session_begun"]["system"]) == (
            "Firefox",
            "Windows",
        )
        assert told["appeal"]["said"] == [APPEAL]
        assert told["lifted"]["by"] == "Linnea"

    async def test_of_one_source_leaves_the_others_out(self):
        linnea, maja = await an_admin(), await the_player()
        await watches(maja, await an_ad())
        await is_noticed(maja, Rule.EARLY_COMPLETION)
        assert kinds(await all_events(linnea, maja, Source.SIGNALS)) == ["signal"]
        assert kinds(await all_events(linnea, maja, Source.VIEWS)) == ["views"]
        assert kinds(await all_events(linnea, maja, Source.PURCHASES)) == []

    async def test_folds_the_views_of_an_hour_and_counts_what_came_of_them(self):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad()
        for minute in (0, 10, 20, 70):
            await watches(maja, ad, now=NOON + minute * MINUTE)
        left = await starts(maja, ad, now=NOON + 80 * MINUTE)
        await ads.give_up(maja, left.view_id, now=NOON + 81 * MINUTE)
        newest, oldest = await all_events(linnea, maja, Source.VIEWS)
        assert (newest.told["views"], newest.told["rewarded"], newest.told["given_up"]) == (2, 1, 1)
        assert (oldest.told["views"], oldest.told["coins"]) == (3, 45)
        assert oldest.at == NOON + 20 * MINUTE

    async def test_loads_stretch_by_stretch_and_loses_or_repeats_nothing(self):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad()
        for hour in range(40):
            await watches(maja, ad, now=NOON + hour * HOUR)
            # Two of the same moment, on either side of some page's edge.
            await is_noticed(maja, Rule.PARALLEL_SESSIONS, now=NOON + hour * HOUR)
            await is_noticed(maja, Rule.PARALLEL_SESSIONS, now=NOON + hour * HOUR)
        found = await all_events(linnea, maja)
        keys = [event.key for event in found]
        assert len(keys) == len(set(keys)) == 40 + 80 + 1
        assert [e.at for e in found] == sorted((e.at for e in found), reverse=True)

    async def test_says_nothing_of_anybody_else(self):
        linnea, maja, bo = await an_admin(), await the_player(), await the_player("Bo")
        await watches(bo, await an_ad())
        await is_noticed(bo, Rule.FOREIGN_SESSION)
        await suspends(linnea, bo.user_id)
        assert kinds(await all_events(linnea, maja)) == ["joined"]

    async def test_keeps_what_people_wrote_as_words(self):
        linnea, maja = await an_admin(), await the_player()
        wrote = "<script>alert(1)</script> =1+1 and more"
        restriction = await suspends(linnea, maja.user_id, wrote)
        assert restriction
        await appeals_against(maja, restriction, wrote)
        told = {e.what: e.told for e in await all_events(linnea, maja, Source.DECISIONS)}
        assert (told["restricted"]["reason"], told["appeal"]["said"]) == (wrote, [wrote])


class TestTheViewsOfAnHour:
    async def test_are_told_one_by_one(self):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad(title="Sit well")
        await watches(maja, ad)
        await watches(maja, ad, now=NOON + 10 * MINUTE)
        await watches(maja, ad, now=NOON + HOUR)
        async with transaction() as session:
            found = await cases.views_of_hour(session, linnea, maja.user_id, NOON)
        assert [view.started_at for view in found] == [NOON + 10 * MINUTE, NOON]
        assert (found[0].title, found[0].status, found[0].seconds) == ("Sit well", "rewarded", 5)


class TestWhatCanBeCredited:
    async def test_is_what_companies_paid_for_and_nothing_of_the_house(self):
        maja, house = await the_player(), await an_ad()
        _, sold = await runs(await a_company(dollars=500))
        linnea = await the_admin()
        await watches(maja, house)
        for minute in (1, 2, 3):
            view = await starts(maja, sold, now=NOON + minute * MINUTE)
            await finishes(maja, view, now=NOON + minute * MINUTE + 5 * SECOND)
        async with transaction() as session:
            found = await cases.creditable(session, linnea, maja.user_id, "day", now=NOON + HOUR)
            late = await cases.creditable(session, linnea, maja.user_id, "hour", now=LATER)
            ids = await cases.creditable_views(
                session, linnea, maja.user_id, "day", now=NOON + HOUR
            )
        assert (found.views, found.parts) == (3, 150_000)
        assert late.views == 0
        assert len(ids) == 3

    async def test_is_never_another_accounts_view(self):
        linnea, maja, bo = await an_admin(), await the_player(), await the_player("Bo")
        view = await starts(bo, await an_ad())
        async with transaction() as session:
            with pytest.raises(UnknownView):
                await cases.own_view(session, linnea, maja.user_id, view.view_id)


FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0"
