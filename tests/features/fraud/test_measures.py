"""Pausing what somebody earns, suspending them, and lifting that again."""

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import AccountSuspended, DomainError, NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, Kind
from rewards_app.features.ads import rules as ads
from rewards_app.features.ads import service, stories
from rewards_app.features.audit import service as audit
from rewards_app.features.fraud import measure_rules as rules
from rewards_app.features.shop import service as shop
from rewards_app.features.signals.rules import Rule
from rewards_app.i18n.mail_text import words
from tests.ads import SECOND, an_ad, change, finishes, starts, the_actor, the_player
from tests.campaigns import runs
from tests.companies import a_company
from tests.measures import (
    REASON,
    pauses,
    pauses_by_itself,
    restores,
    resumes,
    suspends,
    suspends_by_itself,
)
from tests.paying import an_order, ask, hears, is_paid_at, letters_queued
from tests.people import NOON, an_account
from tests.review import an_admin
from tests.shop import balance_of, orders_of
from tests.stripe_server import StripeServer

MAKE_COMPANY = "update accounts set role = 'company' where id = %s returning id"

pytestmark = pytest.mark.usefixtures("database")


def letters(database: str) -> list[tuple[str, str]]:
    """The letters that wait, and the reason that each gives."""
    query = (
        "select args->>'name', args->'params'->>'why' from procrastinate_jobs"
        " where task_name = 'send_mail' order by id"
    )
    return ask(database, query)


def written_down(database: str) -> list[tuple[str, str, str]]:
    query = "select action, origin, reason from audit_entries order by number"
    return ask(database, query)


async def holding(actor: Actor) -> dict[Kind, str]:
    async with transaction() as session:
        return await restrictions.in_force(session, actor.user_id)


async def reasons_of(player: Actor) -> list[str]:
    found = await stories.latest_outcomes(player.user_id, now=NOON)
    return [outcome.reason for outcome in found]


class TestSuspending:
    async def test_is_mailed_with_its_reason_and_written_down(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        assert await holding(maja) == {Kind.SUSPENDED: REASON}
        assert letters(database) == [("account_suspended", REASON)]
        assert written_down(database) == [("suspended", "person", REASON)]

    async def test_mails_in_the_language_of_the_player(self, database: str):
        anna = await an_account("anna@example.com")
        await change(anna, language="de")
        await suspends_by_itself(anna.id)
        assert letters(database) == [("account_suspended", words(AUTOMATIC_REASON, "de"))]

    @pytest.mark.parametrize(
        ("language", "what"),
        [
            ("en", "an ad of another player reported as over and two ads at the same time."),
            ("sv", "en annan spelares annons som meddelades som klar och två annonser samtidigt."),
        ],
    )
    async def test_by_itself_is_mailed_with_what_the_rules_saw(
        self, database: str, language: str, what: str
    ):
        anna = await an_account("anna@example.com")
        await change(anna, language=language)
        await suspends_by_itself(anna.id, Rule.FOREIGN_SESSION, Rule.PARALLEL_SESSIONS)
        said = words(AUTOMATIC_REASON, language), words("restrictions.saw", language), what
        assert letters(database) == [("account_suspended", " ".join(said))]
        [(_, _, written)] = written_down(database)
        assert "an ad of another player reported as over" in written

    @pytest.mark.parametrize("changes", [{"closed_at": NOON}, {"email_verified_at": None}])
    async def test_is_mailed_to_nobody_who_has_left_or_never_proved_the_address(
        self, database: str, changes: dict[str, datetime | None]
    ):
        linnea, anna = await an_admin(), await an_account("anna@example.com")
        await change(anna, **changes)
        await suspends(linnea, anna.id)
        assert letters(database) == []
        assert written_down(database) == [("suspended", "person", REASON)]

    async def test_a_second_time_tells_that_it_was_decided(self, database: str):
        linnea, bo, maja = await an_admin(), await an_admin("Bo"), await the_player()
        await suspends(linnea, maja.user_id)
        with pytest.raises(rules.DecidedMeanwhile):
            await suspends(bo, maja.user_id, "Me too")
        assert len(letters(database)) == len(written_down(database)) == 1

    async def test_ten_at_once_suspend_once(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        outcomes = await asyncio.gather(
            *(suspends(linnea, maja.user_id) for _ in range(10)), return_exceptions=True
        )
        refused = [one for one in outcomes if isinstance(one, rules.DecidedMeanwhile)]
        assert len(refused) == 9
        assert len(letters(database)) == len(written_down(database)) == 1

    async def test_gives_up_the_ad_that_runs_and_says_why(self):
        linnea, maja = await an_admin(), await the_player()
        view = await starts(maja, await an_ad())
        await suspends(linnea, maja.user_id, now=NOON + SECOND)
        assert await reasons_of(maja) == ["ads.suspended"]
        with pytest.raises(ads.ViewEnded):
            await finishes(maja, view, now=NOON + 5 * SECOND)
        assert await balance_of(maja) == (0, 0)

    async def test_the_place_of_that_ad_is_free_after_the_next_sweep(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        _, ad_id = await runs(await a_company(dollars=500))
        await starts(maja, ad_id)
        taken = "select sum(taken) from ad_campaigns"
        assert ask(database, taken) == [(1,)]
        await suspends(linnea, maja.user_id, now=NOON + SECOND)
        await service.sweep(now=NOON + 2 * SECOND)
        assert ask(database, taken) == [(0,)]

    async def test_starts_no_other_ad(self):
        linnea, maja = await an_admin(), await the_player()
        ad = await an_ad()
        await suspends(linnea, maja.user_id)
        with pytest.raises(AccountSuspended):
            await starts(maja, ad)

    async def test_leaves_nothing_running_whichever_of_both_is_first(self, database: str):
        linnea, ad = await an_admin(), await an_ad()
        players = [await the_player() for _ in range(8)]
        await asyncio.gather(
            *(starts(player, ad) for player in players),
            *(suspends(linnea, player.user_id) for player in players),
            return_exceptions=True,
        )
        assert ask(database, "select 1 from ad_views where status = 'running'") == []

    async def test_an_order_paid_by_card_is_delivered_all_the_same(
        self, database: str, stripe: StripeServer
    ):
        maja, bought = await an_order(26)
        paid = await is_paid_at(stripe, bought)
        await suspends(await an_admin(), maja.user_id)
        await hears(stripe, paid)
        [order] = await orders_of(maja)
        assert order.status == "completed"
        assert letters_queued(database) == [str(bought.purchase_id)]

    async def test_held_coins_come_back_when_the_checkout_ends(self, stripe: StripeServer):
        maja, bought = await an_order(26)
        assert await balance_of(maja) == (0, 26)
        await suspends(await an_admin(), maja.user_id)
        await shop.cancel(maja, bought.purchase_id)
        assert await balance_of(maja) == (26, 0)

    async def test_tells_who_acts_for_a_company_that_its_campaigns_go_on(self, database: str):
        company, linnea = await a_company(dollars=500), await an_admin("Ylva")
        _, ad_id = await runs(company)
        ask(database, MAKE_COMPANY, company.owner.user_id)
        await suspends(linnea, company.owner.user_id)
        assert letters(database)[-1] == ("company_suspended", REASON)
        assert await starts(await the_player(), ad_id)

    async def test_tells_a_player_who_acts_for_a_company_both(self, database: str):
        company = await a_company()
        await suspends(await an_admin("Ylva"), company.owner.user_id)
        assert letters(database)[-1] == ("account_suspended_company", REASON)

    async def test_tells_an_applicant_what_a_player_is_told(self, database: str):
        company = await a_company(status="pending")
        await suspends(await an_admin("Ylva"), company.owner.user_id)
        assert letters(database)[-1] == ("account_suspended", REASON)


class TestPausing:
    async def test_refuses_the_next_start_with_the_reason(self):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad()
        await pauses(linnea, maja.user_id)
        with pytest.raises(ads.EarningPaused) as refusal:
            await starts(maja, ad)
        assert refusal.value.params == {"why": REASON}

    async def test_names_the_key_of_a_reason_that_nobody_wrote(self):
        maja, ad = await the_player(), await an_ad()
        await pauses_by_itself(maja.user_id)
        with pytest.raises(ads.EarningPaused) as refusal:
            await starts(maja, ad)
        assert refusal.value.params == {"why": [AUTOMATIC_REASON]}

    async def test_by_itself_refuses_the_next_start_with_what_the_rules_saw(self):
        maja, ad = await the_player(), await an_ad()
        await pauses_by_itself(maja.user_id, Rule.CLOCKWORK, Rule.CLOCK_MISMATCH)
        with pytest.raises(ads.EarningPaused) as refusal:
            await starts(maja, ad)
        saw = ["restrictions.grounds.clockwork", "restrictions.grounds.clock_mismatch"]
        assert refusal.value.params == {"why": saw}

    async def test_still_pays_for_the_ad_that_has_begun(self):
        linnea, maja = await an_admin(), await the_player()
        view = await starts(maja, await an_ad())
        await pauses(linnea, maja.user_id, now=NOON + SECOND)
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15
        assert await balance_of(maja) == (15, 0)

    async def test_resumed_ads_pay_again(self, database: str):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad()
        seen = await pauses(linnea, maja.user_id)
        assert seen
        await resumes(linnea, seen, "Our mistake, sorry!")
        assert await starts(maja, ad)
        assert [name for name, _ in letters(database)] == ["earning_paused", "earning_resumed"]
        assert [action for action, *_ in written_down(database)] == [
            "earning_paused",
            "earning_resumed",
        ]


class TestTheAppByItself:
    async def test_alerts_admins_and_says_that_nobody_decided(self, database: str):
        maja = await the_player()
        await suspends_by_itself(maja.user_id, risk=95)
        await pauses_by_itself(maja.user_id, risk=95)
        query = "select alert_type, params->>'risk' from security_alerts order by alert_type"
        assert ask(database, query) == [("account_suspended", "95"), ("earning_paused", "95")]
        assert written_down(database)[0] == (
            "suspended",
            "automation",
            words(AUTOMATIC_REASON, "en"),
        )

    async def test_a_second_time_does_nothing(self, database: str):
        maja = await the_player()
        assert await suspends_by_itself(maja.user_id)
        assert await suspends_by_itself(maja.user_id) is None
        assert len(letters(database)) == 1

    async def test_never_touches_an_admin(self, database: str):
        linnea = await an_admin()
        assert await suspends_by_itself(linnea.user_id) is None
        assert await pauses_by_itself(new_id()) is None
        assert letters(database) == written_down(database) == []

    async def test_raises_no_alert_for_what_an_admin_decided(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        assert ask(database, "select 1 from security_alerts") == []


class TestLifting:
    async def test_resolves_the_alert_so_that_the_next_one_is_news(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        for begins, lifts in ((pauses_by_itself, resumes), (suspends_by_itself, restores)):
            begun = await begins(maja.user_id)
            assert begun
            await lifts(linnea, begun)
        query = "select resolved, resolved_by, times from security_alerts order by created_at, id"
        assert ask(database, query) == [(True, linnea.user_id, 1)] * 2
        await pauses_by_itself(maja.user_id)
        assert ask(database, query)[2:] == [(False, None, 1)]

    async def test_restored_everything_is_where_it_was(self, database: str):
        linnea, maja, ad = await an_admin(), await the_player(), await an_ad()
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        seen = await suspends(linnea, maja.user_id)
        assert seen
        await restores(linnea, seen)
        assert await balance_of(maja) == (15, 0)
        assert await holding(maja) == {}
        assert await starts(maja, ad, now=NOON + 20 * SECOND)
        assert letters(database)[-1] == ("account_restored", "It was a mistake.")

    async def test_leaves_what_else_holds_the_account(self):
        linnea, maja = await an_admin(), await the_player()
        await pauses(linnea, maja.user_id)
        seen = await suspends(linnea, maja.user_id)
        assert seen
        await restores(linnea, seen)
        assert set(await holding(maja)) == {Kind.EARNING_PAUSED}

    async def test_of_a_pause_promises_no_coins_while_the_account_is_suspended(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        paused = await pauses(linnea, maja.user_id)
        assert paused
        await suspends(linnea, maja.user_id)
        await resumes(linnea, paused)
        assert letters(database)[-1] == ("earning_resumed_suspended", "It was a mistake.")

    async def test_twice_is_refused_and_changes_nothing(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        seen = await suspends(linnea, maja.user_id)
        assert seen
        await restores(linnea, seen)
        with pytest.raises(rules.DecidedMeanwhile):
            await restores(linnea, seen)
        assert len(written_down(database)) == 2

    async def test_what_somebody_else_began_anew_is_not_lifted_unseen(self):
        linnea, bo, maja = await an_admin(), await an_admin("Bo"), await the_player()
        seen = await suspends(linnea, maja.user_id)
        assert seen
        await restores(bo, seen)
        await suspends(bo, maja.user_id, "There is more of it.")
        with pytest.raises(rules.DecidedMeanwhile):
            await restores(linnea, seen)
        assert await holding(maja) == {Kind.SUSPENDED: "There is more of it."}

    async def test_a_pause_is_not_lifted_as_a_suspension(self):
        linnea, maja = await an_admin(), await the_player()
        seen = await pauses(linnea, maja.user_id)
        assert seen
        with pytest.raises(rules.DecidedMeanwhile):
            await restores(linnea, seen)
        assert set(await holding(maja)) == {Kind.EARNING_PAUSED}


class TestWhoMayNot:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_others_decide_nothing(self, role: Role, database: str):
        maja = await the_player()
        account = await an_account("eve@example.com", role, name="Eve")
        eve = the_actor(account)
        for measure in (pauses, suspends):
            with pytest.raises(NotAllowed):
                await measure(eve, maja.user_id)
        seen = await suspends(await an_admin(), maja.user_id)
        assert seen
        with pytest.raises(NotAllowed):
            await restores(eve, seen)
        assert len(written_down(database)) == 1

    async def test_an_admin_is_not_suspended_by_another(self):
        linnea, bo = await an_admin(), await an_admin("Bo")
        with pytest.raises(rules.AdminFirst):
            await suspends(linnea, bo.user_id)

    async def test_nobody_lifts_what_holds_themselves(self, database: str):
        """Somebody who became an admin while their account is suspended."""
        linnea, maja = await an_admin(), await the_player()
        seen = await suspends(linnea, maja.user_id)
        assert seen
        with pytest.raises(rules.NotYourself):
            await restores(replace(maja, role=Role.ADMIN), seen)

    @pytest.mark.parametrize("reason", ["", "no", "x" * 501])
    async def test_without_a_reason_nothing_is_decided(self, reason: str, database: str):
        linnea, maja = await an_admin(), await the_player()
        for measure in (pauses, suspends):
            with pytest.raises(DomainError):
                await measure(linnea, maja.user_id, reason)
        assert await holding(maja) == {}
        assert letters(database) == written_down(database) == []

    async def test_an_account_that_does_not_exist_is_refused(self):
        linnea = await an_admin()
        with pytest.raises(rules.UnknownAccount):
            await suspends(linnea, new_id())
        with pytest.raises(rules.DecidedMeanwhile):
            await restores(linnea, new_id())


async def test_the_log_of_all_that_is_whole():
    linnea, maja = await an_admin(), await the_player()
    seen = await suspends(linnea, maja.user_id)
    assert seen
    await restores(linnea, seen)
    async with transaction() as session:
        checked = await audit.check(session)
    assert checked.is_clean
    assert checked.entries == 2
