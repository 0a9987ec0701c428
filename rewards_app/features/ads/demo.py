"""Ads to try the app out with, and a player's past with them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_at
from rewards_app.features.ads import catalogue, days, past, serving
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.models import Ad, AdCampaign, Advertiser, AdView

FOLDER = "/ads"
ADS_RUN_FOR = timedelta(days=3650)
MADE_AGO = timedelta(days=48)
WELCOME_GIFT = 25
WATCHED_ADS_AGO = (
    *(timedelta(days=2, minutes=minute) for minute in (9, 5, 2, 0)),
    *(timedelta(days=1, minutes=minute) for minute in (4, 3, 0)),
)
"""The demo player's past: enough for a statement, nothing of today."""


@dataclass(frozen=True, slots=True)
class DemoAd:
    company: str
    title: str
    description: str
    kind: str
    file: str
    seconds: int
    reward: int


DEMO_ADS = (
    DemoAd(
        "Sidewind Studio",
        "Drift One",
        "Lights out, hold the slide, beat your ghost: neon street racing, free on PC.",
        "video",
        "drift-one",
        10,
        10,
    ),
    DemoAd(
        "Tallmo Games",
        "Skogens Väktare",
        "Four players, one fire: co-op survival until dawn. Join the open beta.",
        "video",
        "skogens-vaktare",
        20,
        20,
    ),
    DemoAd(
        "Keystead Works",
        "Lumen 75",
        "A keyboard you build yourself: a light in every key, switches without solder.",
        "video",
        "lumen",
        30,
        30,
    ),
    DemoAd(
        "Northlight Chairs",
        "Sit through the night",
        "Aurora S, the chair that breathes, tilts and lasts as long as your raid.",
        "image",
        "northlight-chairs",
        15,
        15,
    ),
    DemoAd(
        "Six Sides Games",
        "Hexhaven",
        "Build a haven on an island of hexagons, and hold it: turn-based strategy.",
        "image",
        "hexhaven",
        15,
        15,
    ),
    DemoAd(
        "Nordlag League",
        "Winter Cup",
        "48 teams, one cup: sign your team up now.",
        "banner",
        "winter-cup",
        10,
        10,
    ),
    DemoAd(
        "Packet Hare",
        "Ping: 8 ms",
        "Fibre made for players, with a ping you stop thinking about.",
        "banner",
        "packet-hare",
        5,
        5,
    ),
)


async def add_ads(session: AsyncSession, *, now: datetime) -> None:
    """A campaign of the house for each of some companies, which pay nothing."""
    campaigns: dict[str, AdCampaign] = {}
    for number, ad in enumerate(DEMO_ADS):
        if ad.company not in campaigns:
            campaigns[ad.company] = await _add_campaign(session, ad.company, now=now)
        made_at = now - MADE_AGO - timedelta(minutes=number)
        session.add(ad_of(ad, campaigns[ad.company].id, now=made_at))
    await session.flush()
    await serving.sync(session, now=now)


async def _add_campaign(session: AsyncSession, company: str, *, now: datetime) -> AdCampaign:
    begins = now - MADE_AGO
    advertiser = Advertiser(company_name=company, status="approved", created_at=begins)
    campaign = AdCampaign(
        advertiser_id=advertiser.id,
        name=f"{company} (demo)",
        status="active",
        starts_at=begins,
        ends_at=now + ADS_RUN_FOR,
        created_at=begins,
    )
    session.add(advertiser)
    await session.flush()
    session.add(campaign)
    await session.flush()
    return campaign


def ad_of(ad: DemoAd, campaign_id: UUID, *, now: datetime) -> Ad:
    return Ad(
        campaign_id=campaign_id,
        title=ad.title,
        description=ad.description,
        ad_type=ad.kind,
        video_url=f"{FOLDER}/{ad.file}.webm" if ad.kind == "video" else "",
        image_url=f"{FOLDER}/{ad.file}.webp",
        click_url=f"https://example.com/{ad.file}",
        duration=ad.seconds,
        reward_coins=ad.reward,
        status="active",
        created_at=now,
    )


async def add_past(session: AsyncSession, player: UUID, *, now: datetime) -> None:
    """A welcome gift and some watched ads, each with its entry in the ledger."""
    first = now - WATCHED_ADS_AGO[0] - timedelta(minutes=5)
    await coins.credit(session, player, WELCOME_GIFT, Kind.WELCOME, f"welcome:{player}", now=first)
    ads = await catalogue.listed(session)
    finished = [(ads[number % len(ads)], now - ago) for number, ago in enumerate(WATCHED_ADS_AGO)]
    await past.keep(session, [_watched(player, ad, at) for ad, at in finished])


def _watched(player: UUID, ad: ShownAd, finished_at: datetime) -> AdView:
    return AdView(
        id=id_at(finished_at),
        account_id=player,
        ad_id=ad.id,
        status="rewarded",
        started_at=finished_at - timedelta(seconds=ad.seconds),
        required_seconds=ad.seconds,
        reward_coins=ad.reward,
        expires_at=finished_at,
        rewarded_at=finished_at,
        ended_at=finished_at,
        tab_hash="",
        day=days.platform_day(finished_at - timedelta(seconds=ad.seconds)),
    )
