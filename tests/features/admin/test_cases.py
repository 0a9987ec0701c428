"""What the admin's page keeps of a case, and the decisions that are made there."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing, roles
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.admin.appeals_panel import appeals_panel
from rewards_app.features.admin.appeals_state import AppealsState
from rewards_app.features.admin.case_address import address_of
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.advertiser import review
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.fraud import cases
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from rewards_app.features.support import appeals
from tests.ads import SECOND, an_ad, finishes, starts, the_player
from tests.campaigns import makes_ad, plans, the_admin
from tests.companies import Company, a_company
from tests.measures import REASON, appeals_against, pauses, restores, suspends
from tests.paying import ask
from tests.review import an_admin, approves
from tests.states import a_page, at, calls, failing
from tests.tickets import mailed

pytestmark = pytest.mark.usefixtures("admin")


MENDED = "The player's machine did it."


@pytest.fixture
async def case() -> CaseState:
    page: Any = a_page()
    (await page.get_state(AdminState)).tab = "fraud"
    return await page.get_state(CaseState)


async def opens(case: CaseState, account_id: UUID) -> None:
    at(case, address_of(account_id))
    await calls(CaseState.load, case)


async def decides(case: CaseState, what: str, reason: str = REASON) -> None:
    await calls(CaseState.ask, case, what=what)
    await calls(CaseState.decide, case, form={"reason": reason})


def good_for(times: int, do: Any, failure: type[Exception]) -> Any:
    """Does it so many times, and then fails."""
    left = iter(range(times))

    async def done(*args: Any, **named: Any) -> None:
        if next(left, None) is None:
            raise failure
        await do(*args, **named)

    return done


async def a_sold_ad(company: Company) -> UUID:
    """One that a company pays for, half a dollar a view, around the present moment."""
    now = utc_now()
    campaign = await plans(
        company.owner,
        {"start_date": f"{now:%Y-%m-%d}", "end_date": f"{now.year + 1}-12-31"},
        now=now,
    )
    ad_id = await makes_ad(company.owner, campaign, now=now)
    await approves(await the_admin(), ad_id, now=now)
    return ad_id


async def watches(player: Actor, ad_id: UUID, times: int) -> None:
    """All within one hour: a case shows them hour by hour."""
    now = utc_now()
    last = now - 60 * SECOND if now.minute == 0 else now
    for number in range(times):
        began = last - (times - number) * 20 * SECOND
        view = await starts(player, ad_id, now=began)
        await finishes(player, view, now=began + 5 * SECOND)


class TestACase:
    async def test_shows_who_it_is_and_what_happened(self, case: CaseState):
        maja = await the_player()
        async with transaction() as session:
            await signals.note(
                session, maja.user_id, Rule.EARLY_COMPLETION, now=utc_now(), watched_seconds=2
            )
        await opens(case, maja.user_id)
        assert case.person["name"] == "Maja"
        assert case.figures["risk"] == 10
        assert [event["what"] for event in case.events] == ["signal", "joined"]
        assert case.events[0]["evidence"]["watched_seconds"] == 2
        assert case.events[0]["evidence"]["required_seconds"] == "–"

    async def test_of_nobody_says_so(self, case: CaseState):
        await opens(case, new_id())
        assert case.is_unknown
        assert case.person == {}

    async def test_leads_to_the_company_that_a_player_acts_for(self, case: CaseState):
        company, maja = await a_company(), await the_player()
        await opens(case, company.owner.user_id)
        assert (case.person["role"], case.person["company"]) == ("player", "Fjord Audio")
        assert case.person["company_card"] == f"{CARD}{company.id}"
        await opens(case, maja.user_id)
        assert (case.person["company"], case.person["company_card"]) == ("", "")

    async def test_names_no_company_that_was_not_approved(self, case: CaseState):
        company = await a_company(status="pending")
        await opens(case, company.owner.user_id)
        assert (case.person["company"], case.person["company_card"]) == ("", "")

    async def test_tells_what_was_decided_in_the_words_of_the_audit_log(self, case: CaseState):
        maja = await the_player()
        async with transaction() as session:
            await roles.change(
                session, await an_admin("Bo"), maja.user_id, Role.MODERATOR, REASON, now=utc_now()
            )
        await opens(case, maja.user_id)
        [role] = next(event for event in case.events if event["what"] == "audit")["changes"]
        assert (role["name_key"], role["before_key"], role["after_key"]) == (
            "audit.fields.role",
            "audit.values.player",
            "audit.values.moderator",
        )

    async def test_is_forgotten_when_another_one_is_opened(self, case: CaseState):
        maja, bo = await the_player(), await the_player("Bo")
        await opens(case, maja.user_id)
        await calls(CaseState.choose_source, case, source="signals")
        await opens(case, bo.user_id)
        assert (case.person["name"], case.source) == ("Bo", "")

    async def test_says_that_nothing_is_mailed_to_who_deletes_their_account(self, case: CaseState):
        maja = await the_player()
        async with transaction() as session:
            await closing.close(session, maja.user_id, is_silent=True, now=utc_now())
        await opens(case, maja.user_id)
        assert (case.person["is_closed"], case.person["is_erased"]) == (True, False)
        await decides(case, "pause")
        assert case.notice["text"] == "admin.case.done_unmailed_text"
        assert await mailed("earning_paused") == []

    async def test_is_read_again_only_while_it_is_shown(self, case: CaseState):
        maja = await the_player()
        await opens(case, maja.user_id)
        await pauses(await an_admin("Bo"), maja.user_id)
        (await case.get_state(AdminState)).tab = "orders"
        await calls(CaseState.refresh, case)
        assert case.held_kinds == []
        (await case.get_state(AdminState)).tab = "fraud"
        await calls(CaseState.refresh, case)
        assert case.held_kinds == [Kind.EARNING_PAUSED]

    async def test_shows_older_events_once(self, case: CaseState, monkeypatch):
        monkeypatch.setattr(cases, "A_PAGE", 2)
        maja = await the_player()
        for _ in range(4):
            async with transaction() as session:
                await signals.note(session, maja.user_id, Rule.PARALLEL_SESSIONS, now=utc_now())
        await opens(case, maja.user_id)
        before = case.next_before
        for _ in range(2):
            await calls(CaseState.load_more, case, before=before)
        assert len(case.events) == 4
        await calls(CaseState.load_more, case, before=case.next_before)
        assert [event["what"] for event in case.events] == ["signal"] * 4 + ["joined"]
        assert case.next_before == ""

    async def test_is_found_by_its_address(self):
        assert address_of("x") == "/admin?tab=fraud&case=x"


class TestMeasures:
    async def test_are_taken_and_lifted(self, case: CaseState):
        maja = await the_player()
        await opens(case, maja.user_id)
        for what, held in (
            ("pause", [Kind.EARNING_PAUSED]),
            ("suspend", [Kind.SUSPENDED, Kind.EARNING_PAUSED]),
            ("resume", [Kind.SUSPENDED]),
            ("restore", []),
        ):
            await decides(case, what)
            assert (case.held_kinds, case.asked) == (held, "")

    @pytest.mark.parametrize(
        ("what", "undoes"), [("pause", "resume"), ("suspend", "restore")], ids=str
    )
    async def test_say_where_the_reason_is_read(self, case: CaseState, what: str, undoes: str):
        """No page shows why something was lifted."""
        maja = await the_player()
        await opens(case, maja.user_id)
        await decides(case, what)
        assert case.notice["text"] == "admin.case.done_text"
        await decides(case, undoes)
        assert case.notice["text"] == "admin.case.done_lifted_text"

    async def test_without_a_reason_stay_asked(self, case: CaseState):
        maja = await the_player()
        await opens(case, maja.user_id)
        await decides(case, "suspend", "no")
        assert (case.asked, case.held_kinds) == ("suspend", [])
        assert case.refusal["params"]["field"] == "reason"

    async def test_that_somebody_else_took_show_what_is_true(self, case: CaseState):
        maja = await the_player()
        await opens(case, maja.user_id)
        await calls(CaseState.ask, case, what="suspend")
        await suspends(await an_admin("Bo"), maja.user_id, "I was quicker.")
        await calls(CaseState.decide, case, form={"reason": REASON})
        assert case.refusal["code"] == "fraud.decided_meanwhile"
        assert case.asked == ""
        assert [held["reason"] for held in case.holding] == ["I was quicker."]

    async def test_lift_only_what_was_shown(self, case: CaseState):
        maja, bo = await the_player(), await an_admin("Bo")
        seen = await suspends(bo, maja.user_id)
        assert seen
        await opens(case, maja.user_id)
        await restores(bo, seen)
        await suspends(bo, maja.user_id, "There is more.")
        await decides(case, "restore")
        assert case.refusal["code"] == "fraud.decided_meanwhile"
        assert [held["reason"] for held in case.holding] == ["There is more."]

    async def test_are_told_as_taken_where_the_page_cannot_show_it(
        self, case: CaseState, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        maja = await the_player()
        await opens(case, maja.user_id)
        monkeypatch.setattr(cases, "case", failing(StorageAway))
        await decides(case, "suspend")
        assert ask(database, "select kind from account_restrictions") == [("suspended",)]
        assert case.notice["text"] == "errors.done_not_shown"
        assert (case.asked, case.is_busy) == ("", False)

    async def test_of_ones_own_case_are_refused(self, case: CaseState, admin: Actor):
        await opens(case, admin.user_id)
        await decides(case, "suspend")
        assert case.refusal["code"] == "fraud.not_yourself"


class TestCreditingBack:
    async def test_all_views_of_a_span_pays_companies_back_and_takes_no_coin(
        self, case: CaseState, database: str
    ):
        company, maja = await a_company(dollars=500), await the_player()
        await watches(maja, await a_sold_ad(company), 3)
        await opens(case, maja.user_id)
        await calls(CaseState.ask, case, what="credit_all")
        assert (case.creditable["views"], case.creditable["parts"]) == (3, 150_000)
        await calls(CaseState.decide, case, form={"reason": MENDED})
        spent = "select sum(spend)::int, sum(completions)::int from ad_days"
        assert ask(database, spent) == [(0, 0)]
        assert ask(database, "select balance from coin_balances") == [(45,)]
        trail = "select count(*) from audit_entries where action = 'view_credited_back'"
        assert ask(database, trail) == [(3,)]
        assert case.notice["params"] == {"count": 3}

    @pytest.mark.parametrize("failure", [StorageAway, RuntimeError])
    async def test_that_breaks_off_says_how_many_are_credited(
        self,
        case: CaseState,
        database: str,
        failure: type[Exception],
        monkeypatch: pytest.MonkeyPatch,
    ):
        company, maja = await a_company(dollars=500), await the_player()
        await watches(maja, await a_sold_ad(company), 3)
        await opens(case, maja.user_id)
        twice = good_for(2, review.credit_back, failure)
        monkeypatch.setattr(review, "credit_back", twice)
        await decides(case, "credit_all", MENDED)
        assert ask(database, "select count(*) from ad_views where invalid_at is not null") == [(2,)]
        assert case.notice["text"] == "errors.fraud.credited_in_part"
        assert case.notice["params"] == {"done": 2, "wanted": 3}
        assert (case.asked, case.creditable["views"], case.is_busy) == ("credit_all", 1, False)

    async def test_that_fails_before_the_first_view_is_told_as_that(
        self, case: CaseState, monkeypatch: pytest.MonkeyPatch
    ):
        company, maja = await a_company(dollars=500), await the_player()
        await watches(maja, await a_sold_ad(company), 1)
        await opens(case, maja.user_id)
        monkeypatch.setattr(review, "credit_back", failing(StorageAway))
        await decides(case, "credit_all", MENDED)
        assert case.notice["text"] == "errors.storage_away"

    async def test_that_another_admin_did_meanwhile_is_told_as_nothing_to_credit(
        self, case: CaseState, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        company, maja, bo = await a_company(dollars=500), await the_player(), await an_admin("Bo")
        await watches(maja, await a_sold_ad(company), 2)
        await opens(case, maja.user_id)
        find = cases.creditable_views

        async def found_by_two(*args: Any, **named: Any) -> Sequence[UUID]:
            found = await find(*args, **named)
            for view_id in found:
                async with transaction() as session:
                    await review.credit_back(session, bo, view_id, MENDED, now=utc_now())
            return found

        monkeypatch.setattr(cases, "creditable_views", found_by_two)
        await decides(case, "credit_all", MENDED)
        assert case.refusal["code"] == "review.nothing_to_credit"
        assert case.creditable["views"] == 0
        assert ask(database, "select count(*) from ad_views where invalid_at is not null") == [(2,)]

    async def test_a_second_time_finds_nothing(self, case: CaseState):
        company, maja = await a_company(dollars=500), await the_player()
        await watches(maja, await a_sold_ad(company), 1)
        await opens(case, maja.user_id)
        await decides(case, "credit_all", MENDED)
        await decides(case, "credit_all", MENDED)
        assert case.refusal["code"] == "review.nothing_to_credit"

    async def test_one_view_leaves_the_others(self, case: CaseState, database: str):
        company, maja = await a_company(dollars=500), await the_player()
        await watches(maja, await a_sold_ad(company), 2)
        await opens(case, maja.user_id)
        hours = [event["hour"] for event in case.events if event["what"] == "views"]
        await calls(CaseState.look_at_hour, case, hour=hours[0])
        await calls(CaseState.ask_view, case, view_id=UUID(case.views[0]["id"]))
        await calls(CaseState.decide, case, form={"reason": MENDED})
        assert ask(database, "select count(*) from ad_views where invalid_at is not null") == [(1,)]
        assert case.views[0]["is_credited"]
        assert not case.views[0]["can_be_credited"]
        said = [(view["credited_why"], view["credited_by"]) for view in case.views]
        assert said == [(MENDED, "Linnea"), ("", "")]

    async def test_a_view_that_is_not_shown_is_refused(self, case: CaseState):
        maja = await the_player()
        await opens(case, maja.user_id)
        await calls(CaseState.ask_view, case, view_id=new_id())
        assert case.refusal["code"] == "bad_arguments"
        assert case.asked == ""

    async def test_the_house_pays_for_nothing_that_could_come_back(self, case: CaseState):
        maja, ad = await the_player(), await an_ad()
        await watches(maja, ad.id, 1)
        await opens(case, maja.user_id)
        await calls(CaseState.ask, case, what="credit_all")
        assert case.creditable["views"] == 0


class TestBadInput:
    @pytest.mark.parametrize("source", ["all", "x", "signals; drop table", "\u202e"])
    async def test_sources_that_there_are_none_of(self, case: CaseState, source: str):
        await calls(CaseState.choose_source, case, source=source)
        assert case.refusal["code"] == "bad_arguments"

    @pytest.mark.parametrize("what", ["", "delete", "credit_view", "SUSPEND"])
    async def test_decisions_that_there_are_none_of(self, case: CaseState, what: str):
        await opens(case, (await the_player()).user_id)
        await calls(CaseState.ask, case, what=what)
        assert (case.refusal["code"], case.asked) == ("bad_arguments", "")

    @pytest.mark.parametrize("hour", ["x", "2026-03-14", "2026-03-14T12:00:00", "9" * 40])
    async def test_hours_that_there_are_none_of(self, case: CaseState, hour: str):
        await opens(case, (await the_player()).user_id)
        await calls(CaseState.look_at_hour, case, hour=hour)
        assert (case.refusal["code"], case.hour) == ("bad_arguments", "")

    async def test_spans_that_there_are_none_of(self, case: CaseState):
        await opens(case, (await the_player()).user_id)
        await calls(CaseState.choose_span, case, span="ever")
        assert (case.refusal["code"], case.span) == ("bad_arguments", "day")

    async def test_without_a_case_nothing_is_decided(self, case: CaseState, database: str):
        await calls(CaseState.decide, case, form={"reason": REASON})
        await calls(CaseState.ask, case, what="suspend")
        assert case.asked == ""
        assert ask(database, "select 1 from account_restrictions") == []


class TestAppealsThatWait:
    async def test_are_counted_where_not_all_of_them_are_listed(
        self, admin: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(appeals, "MOST_WAITING", 1)
        for name in ("Maja", "Emil"):
            player = await the_player(name)
            restriction = await suspends(admin, player.user_id)
            assert restriction
            await appeals_against(player, restriction)
        listed = await a_page().get_state(AppealsState)
        await calls(AppealsState.load, listed)
        assert ([one["name"] for one in listed.appeals], listed.in_all) == (["Maja"], 2)
        assert "lists.shown_of" in str(appeals_panel().render())
