"""What the app talks to: Redis, Stripe, who signs people in. Asked, and told nothing."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from rewards_app.core.errors import DomainError
from rewards_app.core.postgres import replica
from rewards_app.core.settings import STRIPE, Settings
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong
from rewards_app.doctor.mail_server import mail
from rewards_app.features.accounts.providers import Provider, configured, in_the_open
from rewards_app.features.health import probes
from rewards_app.features.payments import stripe_gateway

SECONDS = 10


async def findings(chosen: Settings) -> list[Finding]:
    providers = asyncio.gather(*(provider(one, chosen) for one in configured(chosen)))
    second = await second_database() if chosen.analytics_database_url else []
    own = [*await redis(chosen), await mail(chosen), *await cards(chosen)]
    return [*second, *own, *await providers]


async def second_database() -> list[Finding]:
    """Whether what is written now comes to the database for figures, and how soon."""
    try:
        behind = await replica.seconds_behind()
    except DomainError:
        return [worth_knowing("How far the database for figures is behind, the first one knows.")]
    finally:
        await replica.dispose()
    if behind is None:
        return [
            wrong(
                "The database of ANALYTICS_DATABASE_URL does not answer, follows nobody, or is more"
                " than half a minute behind: figures come from the first one. See its log."
            )
        ]
    return [fine(f"The database for figures is {behind:.1f} seconds behind.")]


async def redis(chosen: Settings) -> list[Finding]:
    if not chosen.redis_url:
        return []
    host = urlsplit(chosen.redis_url).hostname or "this machine"
    try:
        async with Redis.from_url(
            chosen.redis_url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS
        ) as server:
            told: dict[str, Any] = await server.execute_command("INFO")  # pyright: ignore
            notices = await _notices(server)
    except (RedisError, OSError) as failure:
        why = type(failure).__name__
        return [wrong(f"Redis on {host} does not answer ({why}): is it running, REDIS_URL right?")]
    most, used = int(told["maxmemory"]), int(told["used_memory"])
    return [
        rules.redis_version(str(told["redis_version"])),
        rules.redis_memory(str(told["maxmemory_policy"]), most, used),
        *rules.redis_saving(cannot_save=probes.cannot_save(told)),
        *rules.redis_notices(notices),
    ]


async def _notices(server: Redis) -> str | None:
    try:
        told: dict[str, str] = await server.config_get("notify-keyspace-events")  # pyright: ignore
    except ResponseError:
        return None
    return told.get("notify-keyspace-events")


async def cards(chosen: Settings) -> list[Finding]:
    """A key that was replaced at Stripe has the shape of one still, and buys nothing."""
    if not chosen.uses_stripe:
        return []
    host = urlsplit(chosen.stripe_api_base).hostname or STRIPE
    try:
        closed = await stripe_gateway.closed_to(chosen)
    except stripe_gateway.KeyUnknown:
        return [
            wrong(
                "Stripe does not know STRIPE_SECRET_KEY, or no more: nobody pays by card. Set one"
                " of its dashboard, and restart the workers."
            )
        ]
    except DomainError as failure:
        why = type(failure.__cause__).__name__
        return [wrong(f"Stripe at {host} does not answer ({why}): nobody pays by card.")]
    if closed:
        return [
            wrong(
                f"STRIPE_SECRET_KEY may not read {', '.join(closed)}: in Stripe's dashboard let it"
                " write checkout sessions and refunds, and read payment intents."
            )
        ]
    return [fine("Stripe knows STRIPE_SECRET_KEY, and shows it payments and refunds.")]


async def provider(one: Provider, chosen: Settings) -> Finding:
    name, address = one.shown_as(chosen), one.metadata_url(chosen)
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = await client.get(address)
        told = answer.json()
        is_whole = answer.status_code == 200 and {"issuer", "authorization_endpoint"} <= told.keys()
        open_ones = in_the_open(told, chosen)
    except (httpx.HTTPError, ValueError, AttributeError, OSError) as failure:
        return wrong(f"{name} cannot sign people in: {address} fails ({type(failure).__name__}).")
    if not is_whole:
        return wrong(f"{name} cannot sign people in: {address} tells no sign-in address.")
    if open_ones:
        return wrong(
            f"{name} signs nobody in: of {address}, {', '.join(open_ones)} must begin with https."
        )
    return fine(f"{name} can sign people in.")
