"""Made ads with their campaigns and companies, and players who watch them."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_at, new_id
from rewards_app.features.ads import finishing, past, service, serving
from rewards_app.models import Account, Ad, AdCampaign, Advertiser, AdView
from tests.people import NOON, a_browser

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2100, 1, 1, tzinfo=UTC)
GROWN_UP = "1998-05-17"
SECOND = timedelta(seconds=1)


async def an_advertiser(name: str = "Northlight Chairs", **changes: object) -> Advertiser:
    made = Advertiser(**{"company_name": name, "status": "approved"} | changes)
    await _keep(made)
    return made


async def a_campaign(advertiser: Advertiser | None = None, **changes: object) -> AdCampaign:
    """A campaign that runs on every day of any test."""
    owner = advertiser or await an_advertiser()
    made = AdCampaign(
        **{
            "advertiser_id": owner.id,
            "name": "Winter",
            "status": "active",
            "starts_at": LONG_AGO,
            "ends_at": FAR_AHEAD,
        }
        | changes
    )
    await _keep(made)
    return made


async def an_ad(
    campaign: AdCampaign | None = None,
    *,
    title: str = "Sit like a champion",
    seconds: int = 5,
    reward: int = 15,
    **changes: object,
) -> Ad:
    """An ad that can be served; without `campaign` it comes with one of its own."""
    owner = campaign or await a_campaign()
    made = Ad(
        **{
            "campaign_id": owner.id,
            "title": title,
            "description": "A chair for long evenings.",
            "video_url": "/ads/clip.webm",
            "click_url": "https://northlight.example/chairs",
            "duration": seconds,
            "reward_coins": reward,
            "status": "active",
        }
        | changes
    )
    await _keep(made)
    await serve_what_can_be()
    return made


async def serve_what_can_be(*, now: datetime = NOON) -> None:
    """What each change of a campaign does in the app, and a job each minute."""
    async with transaction() as session:
        await serving.sync(session, now=now)


async def change(row: object, *, now: datetime = NOON, **values: object) -> None:
    """The ad, campaign or company becomes different, as an admin or advertiser would make it."""
    for name, value in values.items():
        setattr(row, name, value)
    async with transaction() as session:
        await session.merge(row)
        await session.flush()
        await serving.sync(session, now=now)


async def the_player(
    name: str = "Maja", *, born: str | None = GROWN_UP, now: datetime = NOON
) -> Actor:
    """A verified player who never signs in with a password, so that many are made quickly."""
    account = Account(
        email=f"{name.lower()}-{uuid4().hex[:12]}@example.com",
        email_verified_at=now,
        birth_date=born,
        age_verified_at=now if born else None,
        username=name,
        display_name=name,
        created_at=now,
    )
    await _keep(account)
    return the_actor(account)


async def the_players(count: int, *, now: datetime = NOON) -> list[Actor]:
    """So many at once that nobody knows their names."""
    accounts = [
        Account(
            email=f"player-{new_id()}@example.com",
            email_verified_at=now,
            birth_date=GROWN_UP,
            age_verified_at=now,
            username="Player",
            display_name="Player",
            created_at=now,
        )
        for _ in range(count)
    ]
    async with transaction() as session:
        session.add_all(accounts)
    return [the_actor(account) for account in accounts]


async def were_watched(ad: Ad, times: int, *, price: int, day: date) -> None:
    """Somebody has watched the ad so often, and was paid, at noon of the day."""
    [player] = await the_players(1)
    noon = datetime.combine(day, NOON.timetz())
    views = [
        AdView(
            id=id_at(noon),
            account_id=player.user_id,
            ad_id=ad.id,
            status="rewarded",
            started_at=noon,
            required_seconds=ad.duration,
            reward_coins=ad.reward_coins,
            expires_at=noon,
            rewarded_at=noon,
            ended_at=noon,
            tab_hash="",
            day=day,
            price=price,
        )
        for _ in range(times)
    ]
    async with transaction() as session:
        await past.keep(session, views)
        await serving.sync(session, now=NOON)


def the_actor(account: Account) -> Actor:
    """Who acts when the owner of `account` is signed in."""
    return Actor(
        user_id=account.id,
        session_id=new_id(),
        role=Role(account.role),
        name=account.display_name,
        email=account.email,
        signed_in_at=account.created_at,
        is_age_verified=account.age_verified_at is not None,
    )


async def starts(
    player: Actor,
    ad: Ad | UUID | None = None,
    *,
    tab: str = "a",
    fingerprint: str = "",
    now: datetime = NOON,
) -> service.RunningAd:
    """The player starts an ad in a tab."""
    wanted = ad.id if isinstance(ad, Ad) else ad
    async with transaction() as session:
        return await service.start_ad(
            session, player, wanted, in_tab(tab), fingerprint=fingerprint, now=now
        )


async def finishes(
    player: Actor,
    view: service.RunningAd | UUID,
    *,
    now: datetime,
    client_seconds: int | None = None,
    is_repeated: bool = False,
    heard_at: datetime | None = None,
) -> finishing.Finished:
    """The page says that the ad is over; an honest one names the time that the ad is long.

    Given the start's own answer, the finish knows what that told, as the page's state does; given
    an identifier it looks everything up.
    """
    view_id = view if isinstance(view, UUID) else view.view_id
    honest = 5 if isinstance(view, UUID) else view.seconds
    async with transaction() as session:
        finished = await finishing.finish_ad(
            session,
            player,
            view_id,
            client_seconds=honest if client_seconds is None else client_seconds,
            is_repeated=is_repeated,
            known=None if isinstance(view, UUID) else view.known,
            heard=finishing.EndHeard(view_id, heard_at) if heard_at else None,
            now=now,
        )
    assert finished, "no other tab is asked about"
    return finished


async def watches(
    player: Actor, ad: Ad | None = None, *, now: datetime = NOON
) -> finishing.Finished:
    """The player watches one ad from `now` on, honestly and to its end."""
    view = await starts(player, ad, now=now)
    return await finishes(player, view, now=now + view.seconds * SECOND)


def in_tab(name: str) -> Caller:
    return a_browser(name)


async def _keep(row: object) -> None:
    async with transaction() as session:
        session.add(row)


__all__ = [
    "FAR_AHEAD",
    "GROWN_UP",
    "LONG_AGO",
    "NOON",
    "SECOND",
    "a_campaign",
    "an_ad",
    "an_advertiser",
    "change",
    "finishes",
    "in_tab",
    "serve_what_can_be",
    "starts",
    "the_actor",
    "the_player",
    "the_players",
    "watches",
    "were_watched",
]
