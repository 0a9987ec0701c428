"""Whatever admins and moderators may do leaves a line in the audit log, or only reads."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from reflex_base.registry import RegistrationContext

import rewards_app.rewards_app  # noqa: F401  (registers every state)
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.case_address import address_of
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.change_rows import changed
from rewards_app.features.admin.company_state import CompanyState
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.resets_state import ResetsState
from rewards_app.features.admin.security_state import SecurityState
from rewards_app.features.admin.stock_state import StockState
from rewards_app.features.admin.support_state import SupportDeskState
from rewards_app.features.admin.waitlist_state import WaitlistState
from rewards_app.features.admin.weights_state import ANSWER, WeightsState
from rewards_app.features.advertiser import invoices
from rewards_app.features.advertiser.ads_state import AdsState
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import log
from rewards_app.features.audit.rules import Action, Line, Search
from rewards_app.features.factors import resets
from rewards_app.features.forum import appeals, reports
from rewards_app.features.forum.desk_rules import REASONS, Deed, Target
from rewards_app.features.forum.desk_state import DeskState
from rewards_app.features.forum.verdicts import RECORDED, RECORDED_ON_PROFILE
from rewards_app.features.fraud import simulations
from rewards_app.features.signals.rules import DEFAULT, Rule, Weight
from rewards_app.models import Ad, AdCampaign, Profile
from tests import companies
from tests.ads import (
    FAR_AHEAD,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    finishes,
    starts,
    the_player,
)
from tests.campaigns import a_plan
from tests.forum import a_topic
from tests.paying import hears
from tests.people import a_browser, an_account, signed_in
from tests.review import NOON, REASON, a_company, a_draft, a_waiting_ad, an_admin, an_applicant
from tests.shop import THE_PACKAGE, a_buyer, buys
from tests.shop import stock as in_stock
from tests.states import a_page, acting, at, calls
from tests.stripe_server import StripeServer
from tests.tickets import asks
from tests.waitlist import somebody_waits

OPENS = "opens, closes or fills in what is shown"
READS = "only reads: lists, searches, leafs, narrows down"
ASKS = "shows what is about to be decided, with its consequence"
READ_ONLY: dict[str, str] = {
    "admin_state.open": OPENS,
    **dict.fromkeys(("ad_review_state.load", "ad_review_state.load_more"), READS),
    **dict.fromkeys(("ad_review_state.look_at", "ad_review_state.close"), OPENS),
    "advertisers_state.load": READS,
    "advertisers_state.load_more_pending": READS,
    "advertisers_state.load_more_processed": READS,
    **{f"advertisers_state.{name}": READS for name in ("find", "show_all", "load_more_found")},
    **{
        f"company_state.{name}": READS
        for name in ("load", "load_more_campaigns", "load_more_top_ups", "load_more_entries")
    },
    **dict.fromkeys(("company_state.ask_to_end_all", "company_state.close"), ASKS),
    **dict.fromkeys(("advertisers_state.ask", "advertisers_state.close"), ASKS),
    **{
        f"audit_log_state.{name}": READS
        for name in ("load", "load_more", "find", "choose_action", "choose_doer", "show_all")
    },
    **{
        f"case_state.{name}": READS
        for name in ("load", "choose_source", "load_more", "look_at_hour")
    },
    **{f"case_state.{name}": ASKS for name in ("ask", "ask_view", "choose_span", "cancel")},
    **dict.fromkeys(("appeals_state.load", "arrivals_state.load"), READS),
    "census_state.load": READS,
    "economy_state.load": READS,
    "economy_summary_state.load": READS,
    **dict.fromkeys(("fraud_state.load", "fraud_state.load_more"), READS),
    **{f"desk_state.{name}": READS for name in ("load", "load_more", "choose", "look_at", "close")},
    **dict.fromkeys(("desk_state.ask", "desk_state.back"), ASKS),
    **{f"moderation_log_state.{name}": READS for name in ("load", "load_more", "find", "choose")},
    "health_state.load": READS,
    **{
        f"order_desk_state.{name}": READS
        for name in ("load", "load_more", "find", "choose_status", "show_all", "look_into", "close")
    },
    **{
        f"people_desk_state.{name}": READS
        for name in ("load", "load_more", "find", "choose", "show_all", "look_into", "close")
    },
    **dict.fromkeys(("people_desk_state.choose_role", "people_desk_state.ask_to_end"), ASKS),
    **{
        f"security_state.{name}": READS
        for name in ("load", "load_more", "choose_severity", "choose_standing")
    },
    "stock_state.load": READS,
    **{
        f"support_desk_state.{name}": READS
        for name in ("load", "load_more", "find", "choose", "show_all", "read_again")
    },
    "resets_state.load": READS,
    **dict.fromkeys(("resets_state.ask", "resets_state.close"), ASKS),
    **{f"waitlist_state.{name}": READS for name in ("load", "load_more", "find", "show_all")},
    **dict.fromkeys(("waitlist_state.ask", "waitlist_state.stop_asking"), ASKS),
    **{
        f"weights_state.{name}": OPENS
        for name in ("load", "edit", "fill_in_originals", "back", "close")
    },
    **{
        f"campaigns_state.{name}": READS
        for name in ("open", "find", "submit", "choose_status", "show_all", "load_more")
    },
    **{f"campaign_state.{name}": OPENS for name in ("open", "plan", "edit", "show_stats", "close")},
    **dict.fromkeys(("campaign_state.find_company", "ads_state.find_campaign"), READS),
    "campaign_state.ask_to_end": ASKS,
    **{
        f"ads_state.{name}": READS
        for name in ("open", "find", "submit", "choose_status", "show_all", "load_more")
    },
    "campaign_state.load_more_ads": READS,
    **{f"ads_state.{name}": OPENS for name in ("plan", "edit", "close")},
    **dict.fromkeys(("overview_state.load", "analytics_state.load"), READS),
    "advertiser_state.open": OPENS,
    "weights_state.simulate": "tries weights on what has happened: nothing that holds is changed",
}


Scenario = Callable[[Any, Actor], Awaitable[object]]
DOES: dict[str, tuple[Scenario, Action]] = {}


def does(handler: str, action: Action) -> Callable[[Scenario], Scenario]:
    def keep(scenario: Scenario) -> Scenario:
        DOES.setdefault(handler, (scenario, action))
        EVERY_WAY.append((handler, scenario, action))
        return scenario

    return keep


EVERY_WAY: list[tuple[str, Scenario, Action]] = []


async def decided(page: Any, decision: str) -> None:
    desk = await page.get_state(AdvertisersState)
    company = await an_applicant()
    await calls(AdvertisersState.load, desk)
    await calls(AdvertisersState.ask, desk, advertiser_id=company.id, decision=decision)
    await calls(AdvertisersState.decide, desk, form={"reason": REASON})


@does("advertisers_state.decide", Action.APPLICATION_APPROVED)
async def approves_a_company(page: Any, _: Actor) -> None:
    await decided(page, "approved")


@does("advertisers_state.decide", Action.APPLICATION_REJECTED)
async def rejects_a_company(page: Any, _: Actor) -> None:
    await decided(page, "rejected")


async def looked_at(page: Any, **changes: object) -> AdReviewState:
    queue = await page.get_state(AdReviewState)
    ad = await a_waiting_ad(await a_draft(await a_company()), **changes)
    await calls(AdReviewState.look_at, queue, ad_id=ad.id)
    return queue


@does("ad_review_state.approve", Action.AD_APPROVED)
async def approves_an_ad(page: Any, _: Actor) -> None:
    await calls(AdReviewState.approve, await looked_at(page))


@does("ad_review_state.reject", Action.AD_REJECTED)
async def rejects_an_ad(page: Any, _: Actor) -> None:
    await calls(AdReviewState.reject, await looked_at(page), form={"reason": REASON})


@does("ad_review_state.keep", Action.AD_KEPT)
async def keeps_an_ad(page: Any, _: Actor) -> None:
    await calls(AdReviewState.keep, await looked_at(page, status="active"))


async def a_campaign_of_a_company(**changes: object) -> AdCampaign:
    return await a_draft(await a_company(), ends_at=FAR_AHEAD, **changes)


async def planned(page: Any, handler: Any) -> None:
    dates = {"start_date": "2026-12-01", "end_date": "2099-12-31"}
    form = a_plan(**dates, company=str((await a_company()).id))
    await calls(handler, await page.get_state(CampaignState), form=form)


@does("campaign_state.create", Action.CAMPAIGN_PLANNED)
async def plans_a_campaign(page: Any, _: Actor) -> None:
    await planned(page, CampaignState.create)


@does("campaign_state.create_at_dashboard", Action.CAMPAIGN_PLANNED)
async def plans_a_campaign_at_the_dashboard(page: Any, _: Actor) -> None:
    await planned(page, CampaignState.create_at_dashboard)


async def opened_campaign(page: Any) -> CampaignState:
    dialog = await page.get_state(CampaignState)
    await calls(CampaignState.edit, dialog, campaign_id=(await a_campaign_of_a_company()).id)
    return dialog


@does("campaign_state.save", Action.CAMPAIGN_CHANGED)
async def changes_a_campaign(page: Any, _: Actor) -> None:
    await calls(CampaignState.save, await opened_campaign(page), form={"name": "Spring"})


@does("campaign_state.end", Action.CAMPAIGN_ENDED)
async def ends_a_campaign(page: Any, _: Actor) -> None:
    await calls(CampaignState.end, await opened_campaign(page), form={"reason": REASON})


@does("company_state.end_all", Action.CAMPAIGN_ENDED)
async def ends_all_campaigns_of_a_company(page: Any, _: Actor) -> None:
    card, campaign = await page.get_state(CompanyState), await a_campaign_of_a_company()
    at(page, f"{CARD}{campaign.advertiser_id}")
    await calls(CompanyState.load, card)
    await calls(CompanyState.ask_to_end_all, card)
    await calls(CompanyState.end_all, card, form={"reason": REASON})


@does("campaigns_state.pause", Action.CAMPAIGN_PAUSED)
async def pauses_a_campaign(page: Any, _: Actor) -> None:
    shown, campaign = await page.get_state(CampaignsState), await a_campaign_of_a_company()
    await change(campaign, status="active")
    await calls(CampaignsState.pause, shown, campaign_id=campaign.id)


@does("campaigns_state.resume", Action.CAMPAIGN_RESUMED)
async def resumes_a_campaign(page: Any, _: Actor) -> None:
    shown, campaign = await page.get_state(CampaignsState), await a_campaign_of_a_company()
    await change(campaign, status="paused")
    await calls(CampaignsState.resume, shown, campaign_id=campaign.id)


async def an_ad_of_a_company(status: str) -> Ad:
    return await a_waiting_ad(await a_campaign_of_a_company(), status=status)


AN_AD = {
    "title": "Hear the fjord",
    "ad_type": "video",
    "video_url": "https://cdn.example.com/fjord.webm",
    "duration": "5",
    "reward_coins": "15",
}


@does("ads_state.create", Action.AD_MADE)
async def makes_an_ad(page: Any, _: Actor) -> None:
    form = AN_AD | {"campaign_id": str((await a_campaign_of_a_company()).id)}
    await calls(AdsState.create, await page.get_state(AdsState), form=form)


@does("ads_state.save", Action.AD_CHANGED)
async def changes_an_ad(page: Any, _: Actor) -> None:
    desk, ad = await page.get_state(AdsState), await an_ad_of_a_company("active")
    await calls(AdsState.edit, desk, ad_id=ad.id)
    await calls(AdsState.save, desk, form=AN_AD)


@does("ads_state.pause", Action.AD_PAUSED)
async def pauses_an_ad(page: Any, _: Actor) -> None:
    desk, ad = await page.get_state(AdsState), await an_ad_of_a_company("active")
    await calls(AdsState.pause, desk, ad_id=ad.id)


@does("ads_state.resume", Action.AD_RESUMED)
async def resumes_an_ad(page: Any, _: Actor) -> None:
    desk, ad = await page.get_state(AdsState), await an_ad_of_a_company("paused")
    await calls(AdsState.resume, desk, ad_id=ad.id)


async def opened_case(page: Any, account_id: UUID) -> CaseState:
    case = await page.get_state(CaseState)
    at(page, address_of(account_id))
    await calls(CaseState.load, case)
    return case


async def case_of_a_player(page: Any) -> CaseState:
    return await opened_case(page, (await the_player()).user_id)


async def measured(case: CaseState, *what: str) -> None:
    for one in what:
        await calls(CaseState.ask, case, what=one)
        await calls(CaseState.decide, case, form={"reason": REASON})


@does("case_state.decide", Action.EARNING_PAUSED)
async def pauses(page: Any, _: Actor) -> None:
    await measured(await case_of_a_player(page), "pause")


@does("case_state.decide", Action.EARNING_RESUMED)
async def resumes(page: Any, _: Actor) -> None:
    await measured(await case_of_a_player(page), "pause", "resume")


@does("case_state.decide", Action.SUSPENDED)
async def suspends(page: Any, _: Actor) -> None:
    await measured(await case_of_a_player(page), "suspend")


@does("case_state.decide", Action.RESTORED)
async def restores(page: Any, _: Actor) -> None:
    await measured(await case_of_a_player(page), "suspend", "restore")


@does("case_state.decide", Action.VIEW_CREDITED_BACK)
async def credits_views_back(page: Any, _: Actor) -> None:
    now = utc_now()
    await an_ad(await a_campaign(await an_advertiser(), budget_cents=50_000))
    maja = await the_player(now=now)
    await finishes(maja, await starts(maja, now=now), now=now + 5 * SECOND)
    await measured(await opened_case(page, maja.user_id), "credit_all")


async def an_open_order(page: Any) -> OrderDeskState:
    desk = await page.get_state(OrderDeskState)
    await in_stock()
    buyer = await a_buyer(coins_owned=89)
    bought = await buys(buyer, 89)
    await calls(OrderDeskState.look_into, desk, order_id=bought.purchase_id)
    return desk


@does("order_desk_state.refund", Action.ORDER_REFUNDED)
async def refunds(page: Any, _: Actor) -> None:
    await calls(OrderDeskState.refund, await an_open_order(page), form={"reason": REASON})


@does("order_desk_state.send_again", Action.ORDER_SENT_AGAIN)
async def sends_an_order_again(page: Any, _: Actor) -> None:
    await calls(OrderDeskState.send_again, await an_open_order(page))


async def an_open_person(page: Any, **known: Any) -> PeopleDeskState:
    desk = await page.get_state(PeopleDeskState)
    maja = await an_account(**known)
    await signed_in(maja.id, a_browser(), now=utc_now())
    await calls(PeopleDeskState.look_into, desk, account_id=maja.id)
    return desk


@does("people_desk_state.change_role", Action.ROLE_CHANGED)
async def changes_a_role(page: Any, _: Actor) -> None:
    desk = await an_open_person(page)
    await calls(PeopleDeskState.choose_role, desk, role="moderator")
    await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})


@does("people_desk_state.end_sessions", Action.SESSIONS_ENDED)
async def ends_sessions(page: Any, _: Actor) -> None:
    desk = await an_open_person(page)
    await calls(PeopleDeskState.ask_to_end, desk, session_id="all")
    await calls(PeopleDeskState.end_sessions, desk, form={"reason": REASON})


@does("people_desk_state.ask_birth_date", Action.BIRTH_DATE_FORGOTTEN)
async def asks_for_a_birth_date(page: Any, _: Actor) -> None:
    desk = await an_open_person(page)
    await calls(PeopleDeskState.ask_birth_date, desk, form={"reason": REASON})


@does("people_desk_state.send_verification", Action.VERIFICATION_SENT)
async def sends_a_verification(page: Any, _: Actor) -> None:
    desk = await an_open_person(page, is_verified=False)
    await calls(PeopleDeskState.send_verification, desk)


@does("security_state.resolve", Action.ALERT_RESOLVED)
async def resolves_an_alert(page: Any, _: Actor) -> None:
    tab = await page.get_state(SecurityState)
    async with transaction() as session:
        await alerts.raise_alert(session, alerts.Kind.AUDIT_BROKEN, now=utc_now(), entry=3)
    await calls(SecurityState.load, tab)
    await calls(SecurityState.resolve, tab, alert_id=UUID(tab.alerts[0]["id"]))


@does("stock_state.bring_in", Action.CODES_IMPORTED)
async def brings_codes_in(page: Any, _: Actor) -> None:
    shelf = await page.get_state(StockState)
    await calls(StockState.bring_in, shelf, sheet=f"package,code\n{THE_PACKAGE},AAAA-1111")


@does("waitlist_state.turn", Action.WAITLIST_NOTIFIED)
async def turns_a_row(page: Any, _: Actor) -> None:
    entry = await somebody_waits()
    state = await page.get_state(WaitlistState)
    await calls(WaitlistState.turn, state, entry_id=entry.id, notified=True)


@does("waitlist_state.send_opening", Action.WAITLIST_OPENED)
async def opens_the_doors(page: Any, _: Actor) -> None:
    await somebody_waits()
    state = await page.get_state(WaitlistState)
    await calls(WaitlistState.send_opening, state)


@does("weights_state.save", Action.WEIGHTS_CHANGED)
async def saves_weights(page: Any, admin: Actor) -> None:
    state = await page.get_state(WeightsState)
    wanted = DEFAULT.with_weights({Rule.EARLY_COMPLETION: Weight(80, 0)})
    async with transaction() as session:
        asked = await simulations.ask(session, admin, wanted, now=utc_now())
    await simulations.run(asked)
    state._simulation, state.step = str(asked), ANSWER
    await calls(WeightsState.save, state, form={"reason": REASON})


async def a_ticket_that_is_read(page: Any, admin: Actor) -> SupportDeskState:
    desk = await page.get_state(SupportDeskState)
    number = await asks(await the_player(), now=utc_now())
    await desk._open(number)
    return desk


@does("support_desk_state.answer", Action.SUPPORT_ANSWERED)
async def answers_a_ticket(page: Any, admin: Actor) -> None:
    desk = await a_ticket_that_is_read(page, admin)
    await calls(SupportDeskState.answer, desk, form={"answer": REASON})


@does("support_desk_state.close_ticket", Action.SUPPORT_CLOSED)
async def closes_a_ticket(page: Any, admin: Actor) -> None:
    await calls(SupportDeskState.close_ticket, await a_ticket_that_is_read(page, admin))


async def a_lost_factor(page: Any, deed: str) -> ResetsState:
    player = await the_player()
    async with transaction() as session:
        await resets.ask(session, player.user_id, now=utc_now())
    state = await page.get_state(ResetsState)
    await calls(ResetsState.load, state)
    await calls(ResetsState.ask, state, reset_id=UUID(state.waiting[0]["id"]), deed=deed)
    return state


@does("resets_state.grant", Action.FACTOR_RESET_GRANTED)
async def grants_a_reset(page: Any, _: Actor) -> None:
    await calls(ResetsState.grant, await a_lost_factor(page, "grant"), form={"reason": REASON})


@does("resets_state.refuse", Action.FACTOR_RESET_REFUSED)
async def refuses_a_reset(page: Any, _: Actor) -> None:
    await calls(ResetsState.refuse, await a_lost_factor(page, "refuse"), form={"reason": REASON})


def _decides_on_the_forum(deed: Deed) -> Scenario:
    async def decides(page: Any, _: Actor) -> None:
        desk = await page.get_state(DeskState)
        topic = await a_waiting_topic(deed)
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed=deed.value)
        await calls(DeskState.decide, desk, form={"reason": REASONS[deed][0].value})

    return decides


for _deed, _action in RECORDED.items():
    does("desk_state.decide", _action)(_decides_on_the_forum(_deed))


async def a_waiting_topic(deed: Deed) -> UUID:
    """As it must be for that decision."""
    author = await the_player()
    topic = await a_topic(author, "what a stupid map")
    if deed is Deed.DISMISS:
        async with transaction() as session:
            sven = await the_player("Sven")
            await reports.report(session, sven, Target.POST, topic, "spam", "", now=utc_now())
    before = {
        Deed.RESTORE: "state = 'hidden'",
        Deed.TURN_DOWN: "state = 'hidden'",
        Deed.UNLOCK: "locked_at = now()",
        Deed.UNMARK_HOT: "is_hot = true",
    }
    if deed in before:
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql(f"update forum_posts set {before[deed]}")
    if deed is Deed.TURN_DOWN:
        async with transaction() as session:
            words = "It was a quotation of somebody else."
            await appeals.appeal(session, author, Target.POST, topic, words, now=utc_now())
    return topic


def _decides_on_a_profile(deed: Deed) -> Scenario:
    async def decides(page: Any, _: Actor) -> None:
        desk = await page.get_state(DeskState)
        player = await a_reported_player(deed)
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="profile", thing_id=player)
        await calls(DeskState.ask, desk, deed=deed.value)
        await calls(DeskState.decide, desk, form={"reason": REASONS[deed][0].value})

    return decides


for _deed, _action in RECORDED_ON_PROFILE.items():
    does("desk_state.decide", _action)(_decides_on_a_profile(_deed))


async def a_reported_player(deed: Deed) -> UUID:
    """As it must be for that decision."""
    player, sven = await the_player("Nova"), await the_player("Sven")
    hidden_at = utc_now() if deed in (Deed.RESTORE, Deed.TURN_DOWN) else None
    async with transaction() as session:
        session.add(Profile(account_id=player.user_id, bio="Free boosts!", hidden_at=hidden_at))
    async with transaction() as session:
        await reports.report(
            session, sven, Target.PROFILE, player.user_id, "spam", "", now=utc_now()
        )
    if deed is Deed.TURN_DOWN:
        async with transaction() as session:
            words = "It was a quotation of somebody else."
            await appeals.appeal(
                session, player, Target.PROFILE, player.user_id, words, now=utc_now()
            )
    return player.user_id


OWN_COMPANYS = ("settings_state", "people_state", "billing_state", "invitation_state")
"""What these show and change is one's own company's, and nobody has one as an admin."""


def admins_handlers() -> dict[str, bool]:
    """Every handler by which admins act on what is not theirs, and whether it comes by itself.

    Those that only admins and moderators may call, and those by which companies run what is
    theirs: admins may call them for any company.
    """
    found: dict[str, bool] = {}
    for name, registered in RegistrationContext.get().event_handlers.items():
        access = access_of(registered.handler.fn)
        if not access or Role.ADMIN not in access.roles:
            continue
        path, _, handler = name.rpartition(".")
        state = path.rpartition("___")[2].lstrip("_")
        is_of_companies = "features___advertiser" in path and state not in OWN_COMPANYS
        if is_of_companies or access.roles <= {Role.ADMIN, Role.MODERATOR}:
            found[f"{state}.{handler}"] = access.is_passive
    return found


def test_every_handler_of_admins_is_known_here_as_acting_or_as_reading():
    acting = {name for name, is_passive in admins_handlers().items() if not is_passive}
    assert sorted(acting - READ_ONLY.keys() - DOES.keys()) == []
    assert sorted((READ_ONLY.keys() | DOES.keys()) - acting) == []
    assert sorted(READ_ONLY.keys() & DOES.keys()) == []


@pytest.fixture
async def admin(database: str) -> AsyncIterator[Actor]:
    with acting(await an_admin(now=NOON)) as actor:
        yield actor


async def lines() -> list[Line]:
    async with transaction() as session:
        return list((await log.find(session, Search())).shown)


CHOSEN = ("ad_type", "role", "severity", "status")
"""What these become is one of a few, each of which has its words."""


@pytest.mark.parametrize(
    ("scenario", "action"),
    [
        pytest.param(scenario, action, id=f"{name}: {action}")
        for name, scenario, action in EVERY_WAY
    ],
)
async def test_what_is_done_leaves_a_line_that_names_the_admin(
    admin: Actor, scenario: Scenario, action: Action
):
    page: Any = a_page()
    await scenario(page, admin)
    last = (await lines())[0]
    assert last.action == action
    assert (last.actor_id, last.actor_name, last.origin) == (admin.user_id, "Linnea", "person")
    assert last.about
    assert_has_words(last)


async def test_invoice_numbers_that_the_command_line_skips_have_words_too(database: str):
    async with transaction() as session:
        await invoices.go_on_at(session, 40, now=utc_now())
    [skipped] = await lines()
    assert skipped.action == Action.INVOICES_SKIPPED
    assert_has_words(skipped)


async def test_an_invoice_that_an_admin_fetches_has_words_too(admin: Actor, stripe: StripeServer):
    begun = await companies.asks(await companies.a_company(), "100")
    await hears(stripe, await companies.is_paid_at(stripe, begun))
    await invoices.any_invoice(admin, begun.top_up_id, "en", now=utc_now())
    last = (await lines())[0]
    assert (last.action, last.actor_id) == (Action.INVOICE_FETCHED, admin.user_id)
    assert_has_words(last)


def assert_has_words(line: Line) -> None:
    for row in changed(line.before, line.after):
        assert row["name_key"], row
        if row["name"] in CHOSEN:
            assert all(row[f"{part}_key"] for part in ("before", "after") if row[part]), row
