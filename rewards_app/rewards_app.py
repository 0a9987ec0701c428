"""The composition root: pages and HTTP routes. No logic."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial

import reflex as rx
from reflex.state import FrontendEventExceptionState
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from rewards_app import build
from rewards_app.api import (
    audit,
    clicks,
    crawlers,
    exports,
    health,
    invoices,
    manifest,
    orders,
    outbox,
    privacy,
    providers,
    session,
    unsubscribe,
    waitlist,
    webhooks,
)
from rewards_app.api.documents import Documents
from rewards_app.api.figures import figures as figures_of_all
from rewards_app.api.headers import SafeHeaders, inline_script_hashes
from rewards_app.api.refusals import answering
from rewards_app.api.watched import Watched
from rewards_app.core import jobs, live
from rewards_app.core.actor import EVERY_ROLE, Actor
from rewards_app.core.broken import on_broken_handler
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.gate import WAS_SILENT, Gate, KnownActors
from rewards_app.core.memory import spare_what_stays
from rewards_app.core.page import Page, add_pages
from rewards_app.core.page_states.held import keep_tidy
from rewards_app.core.page_states.open_pages import keep_open_pages
from rewards_app.core.queue import turns
from rewards_app.core.settings import settings
from rewards_app.core.sockets.frames import (
    answer_directly,
    hear_pages_only,
    keep_no_cookies,
    open_sockets,
)
from rewards_app.core.sockets.meeting import keep_to_its_owner, meet, note_opening, refuse
from rewards_app.core.sockets.new_pages import limit_new_pages
from rewards_app.core.sockets.taking_over import take_over_tabs
from rewards_app.core.state import (
    BEFORE_ALL,
    ON_LANGUAGE,
    AppState,
)
from rewards_app.core.watching import logs, storms, traces
from rewards_app.documents import NOT_FOUND_DOCUMENT
from rewards_app.features.accounts import addresses, closing, sessions, speaking, whereabouts
from rewards_app.features.accounts import pages as accounts
from rewards_app.features.accounts import rules as accounts_rules
from rewards_app.features.admin import pages as admin
from rewards_app.features.admin.what_waits import under_what_waits
from rewards_app.features.ads import listing
from rewards_app.features.ads import pages as ads
from rewards_app.features.ads import rules as ads_rules
from rewards_app.features.advertiser import ad_rules, leaving, top_up_outcomes
from rewards_app.features.advertiser import pages as advertiser
from rewards_app.features.alerts import soon as alerts_soon
from rewards_app.features.alerts import storms as alerts_storms
from rewards_app.features.coins import pages as coins
from rewards_app.features.consent.banner import consent_settings
from rewards_app.features.consent.state import ON_ADDRESS_REFUSED
from rewards_app.features.dashboard import pages as dashboard
from rewards_app.features.dashboard.figures import counting, figures
from rewards_app.features.forum import pages as forum
from rewards_app.features.forum import told
from rewards_app.features.guardians import pages as guardians
from rewards_app.features.landing import pages as landing
from rewards_app.features.leaderboard import folding
from rewards_app.features.leaderboard import pages as leaderboard
from rewards_app.features.legal import pages as legal
from rewards_app.features.legal.state import look_for_news
from rewards_app.features.moderation import early
from rewards_app.features.notifications import pages as notifications
from rewards_app.features.notifications import places as places_told
from rewards_app.features.payments import pages as payments
from rewards_app.features.payments import purposes
from rewards_app.features.privacy import pages as privacy_pages
from rewards_app.features.profile import pages as profile
from rewards_app.features.profile import unlocking
from rewards_app.features.security import pages as security
from rewards_app.features.shell import pages as shell
from rewards_app.features.shell.figure_calls import FigureCalls
from rewards_app.features.shell.follow_calls import FollowCalls
from rewards_app.features.shell.left_pages import LeftPages
from rewards_app.features.shell.live import TabCalls
from rewards_app.features.shop import outcomes
from rewards_app.features.shop import pages as shop
from rewards_app.features.shop.catalogue import CATALOGUE
from rewards_app.features.support import pages as support
from rewards_app.features.support.faq import Figures
from rewards_app.features.waitlist import pages as waitlist_pages
from rewards_app.features.waitlist import service as waitlist_service
from rewards_app.schedule import offer_all
from rewards_app.ui import phone
from rewards_app.ui.gallery import gallery
from rewards_app.ui.wraps import app_wraps

logs.configure(as_json=settings().is_production)
traces.begin(settings())
# A script sent by the server would need eval, which our content policy forbids.
FrontendEventExceptionState.auto_reload_on_errors = []

ASKED_MOST = Figures(
    least=ad_rules.FEWEST_COINS,
    most=ad_rules.MOST_COINS,
    usual=ad_rules.USUAL_COINS,
    daily=ads_rules.DAILY_LIMIT,
    sitting=ads_rules.ADS_A_SITTING,
    adult=ads_rules.ADULT_AT,
    youngest=accounts_rules.YOUNGEST,
    currencies=tuple(currency.name for currency in CATALOGUE),
)
PLACES = [
    *landing.PAGES,
    *accounts.PAGES,
    *coins.PAGES,
    *ads.PAGES,
    *shop.PAGES,
    *payments.PAGES,
    *leaderboard.PAGES,
    *advertiser.PAGES,
    *notifications.PAGES,
    *security.PAGES,
    *forum.PAGES,
    *admin.PAGES,
]
PLACES.extend(support.pages(ASKED_MOST))
PLACES.extend(privacy_pages.pages(PLACES))
PLACES.extend(legal.pages(PLACES, partial(consent_settings, "privacy")))
PLACES.extend(guardians.PAGES)
PLACES.extend(waitlist_pages.PAGES)
PLACES.extend(profile.pages(PLACES))
# A home leads to the places that there are.
PAGES = [*PLACES, *dashboard.pages(PLACES, under_what_waits)]
if not settings().is_production:
    PAGES.append(
        Page("/dev/components", gallery, "dev.components", roles=EVERY_ROLE, visitors=True)
    )

offer_all()
for purpose in (outcomes.PAYING, top_up_outcomes.PAYING):
    purposes.offer(purpose)
closing.hide_too(leaving.LEAVING)
addresses.take_along(waitlist_service.move)
places_told.look_by(told.gone)
places_told.name_by(told.named_now)


async def find_actors(session_hashes: Collection[str]) -> Mapping[str, Actor]:
    return await sessions.find_actors(session_hashes, now=utc_now())


async def was_silent(session_hash: str) -> bool:
    return await sessions.was_silent(session_hash, now=utc_now())


async def note_activity(actor: Actor) -> None:
    if sessions.should_write_activity(actor.session_id):
        async with transaction() as connection:
            await sessions.note_activity(connection, actor, now=utc_now())


@asynccontextmanager
async def close_at_the_end() -> AsyncGenerator[None]:
    yield
    await dispose_engine()
    await asyncio.to_thread(traces.end)


def http_routes() -> list[Route | Mount]:
    ours = (
        session,
        health,
        crawlers,
        clicks,
        exports,
        audit,
        orders,
        invoices,
        manifest,
        privacy,
        unsubscribe,
        waitlist,
        webhooks,
    )
    routes = [*(route for module in ours for route in module.ROUTES), *providers.routes()]
    return routes if settings().is_production else [*routes, *outbox.ROUTES]


ROUTES = http_routes()


class App(rx.App):
    """With what goes around every answer: the framework gives some by itself, around ours."""

    def __call__(self) -> ASGIApp:
        return Watched(with_safe_headers(super().__call__()), ROUTES)


def with_safe_headers(asgi: ASGIApp) -> SafeHeaders:
    pages = build.pages_folder()
    if not pages.exists():
        return SafeHeaders(asgi, [])
    found = Documents(asgi, pages)
    return SafeHeaders(found, inline_script_hashes(pages / NOT_FOUND_DOCUMENT))


app = App(
    toaster=None,
    backend_exception_handler=on_broken_handler,
    html_lang="en",
    head_components=[*phone.head(), shell.in_the_chosen_language(PAGES)],
    extra_app_wraps={
        **app_wraps(AppState.notice),
        (90, "Languages"): lambda _: shell.languages(),
        (7, "Companions"): lambda _: rx.fragment(shell.companions(PAGES)),
    },
    api_transformer=answering(ROUTES),
)
assert app.sio
hear_pages_only(app)
keep_no_cookies(app)
answer_directly(app)
take_over_tabs(app)
limit_new_pages(app)
figures_of_all.sockets = partial(open_sockets, app.sio)
add_pages(app, PAGES, shell.frame_for(PAGES))

actors = KnownActors(find_actors)
app.add_middleware(
    Gate(
        actors,
        meet=meet,
        keep_to_its_owner=keep_to_its_owner,
        refuse=refuse,
        note_activity=note_activity,
        note_place=whereabouts.note,
        note_opening=note_opening,
    ),
    index=0,
)
storms.on(alerts_storms.tell)
WAS_SILENT.append(was_silent)
BEFORE_ALL.append(look_for_news)
ON_LANGUAGE.append(speaking.keep_language)
ON_ADDRESS_REFUSED.append(sessions.forget_address)
whereabouts.listen()
unlocking.listen()
listing.listen()
calls = TabCalls(app, actors, PAGES)
app.register_lifespan_task(spare_what_stays)
app.register_lifespan_task(keep_tidy)
app.register_lifespan_task(keep_open_pages)
app.register_lifespan_task(live.listen, name=live.WORKER)
app.register_lifespan_task(live.tell)
app.register_lifespan_task(turns.keep_counting)
app.register_lifespan_task(jobs.work)
app.register_lifespan_task(alerts_soon.keep_raising)
app.register_lifespan_task(whereabouts.keep_looking)
app.register_lifespan_task(folding.keep_folding)
app.register_lifespan_task(unlocking.keep_looking)
app.register_lifespan_task(early.read_lists)
app.register_lifespan_task(calls.count_players)
app.register_lifespan_task(FigureCalls(calls, figures, counting).tell)
app.register_lifespan_task(FollowCalls(calls, PAGES, shell.FOLLOWS).tell)
app.register_lifespan_task(listing.tell)
app.register_lifespan_task(LeftPages(app).keep_dropping)
app.register_lifespan_task(close_at_the_end)
