"""Sign-in with Google, Discord or any OpenID Connect provider."""

import secrets
from functools import cached_property, lru_cache
from typing import Any

import structlog
from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from httpx2 import HTTPError
from joserfc.errors import JoseError
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rewards_app.api.callers import caller_of
from rewards_app.api.session import AWAY, leading, opened
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway, TooManyAttempts
from rewards_app.core.routes import SIGN_IN
from rewards_app.core.settings import settings
from rewards_app.features.accounts import provider_service, rules, steps
from rewards_app.features.accounts.providers import PROVIDERS, Provider, configured, in_the_open

_log = structlog.get_logger(__name__)
SIGNED_BY = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""By a key of the provider's own, whatever else its metadata would take: some name "none"."""
WISHES = "wishes"
"""Where the cookie of a sign-in that has begun keeps what our page knew."""
LONGEST_WISH = 122
"""A campaign is three words of 40 letters, with slashes between."""
REFUSED = f"{SIGN_IN}&notice=provider_refused"
PROVIDER_AWAY = f"{SIGN_IN}&notice={rules.ProviderAway.code}"
TOO_MANY = f"{SIGN_IN}&notice={TooManyAttempts.code}"
SAME_ORIGIN = "same-origin"
OURS = (SAME_ORIGIN, "none")
"""A page of ours, and nobody's: an address that was typed."""


@lru_cache(maxsize=1)
def _clients() -> OAuth:
    oauth: Any = OAuth()
    for provider in configured(settings()):
        oauth.register(
            provider.name,
            server_metadata_url=provider.metadata_url(settings()),
            client_id=provider.client_id(settings()),
            client_secret=provider.client_secret(settings()),
            client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
        )
    return oauth


async def _client_of(provider: Provider) -> Any:
    """Raise OAuthError where the metadata are another issuer's, or lead where others listen."""
    client: Any = _clients().create_client(provider.name)
    try:
        known = await client.load_server_metadata()
    except (HTTPError, ValueError) as failure:
        raise rules.ProviderAway from failure
    if known.get("issuer") not in provider.issuers(settings()):
        raise OAuthError("other_issuer")
    if in_the_open(known, settings()):
        raise OAuthError("in_the_open")
    known["id_token_signing_alg_values_supported"] = SIGNED_BY
    return client


async def leave(request: Request) -> Response:
    """Send the person to the provider, with a state and a nonce that only this browser holds.

    Another site that leads here gets no further than our own button: many providers answer at once,
    and whoever is signed in here would be somebody else without having pressed anything.
    """
    provider = _asked_for(request)
    if provider is None:
        return RedirectResponse(REFUSED, status_code=303)
    if _led_by(request) not in OURS:
        return leading(SIGN_IN)
    callback = f"{settings().origin}/oauth/{provider.name}/callback"
    request.session[WISHES] = _wished(request)
    try:
        client = await _client_of(provider)
        return await client.authorize_redirect(request, callback, nonce=secrets.token_urlsafe(16))
    except (HTTPError, OAuthError, DomainError, ValueError) as failure:
        _log.warning("provider.away", provider=provider.name, error=type(failure).__name__)
        return RedirectResponse(_why(failure), status_code=303)


async def come_back(request: Request) -> Response:
    """The provider's answer: checked, it opens a session, as the ticket of any sign-in does."""
    provider = _asked_for(request)
    if provider is None:
        return RedirectResponse(REFUSED, status_code=303)
    try:
        client = await _client_of(provider)
        meant = meant_for_us(provider)
        token = await client.authorize_access_token(request, claims_options=meant)
        wishes = provider_service.wishes_from(request.session.pop(WISHES, {}))
        vouched = provider_service.vouched_from(provider.name, token.get("userinfo") or {})
        async with transaction() as session:
            outcome = await provider_service.sign_in(
                session, vouched, wishes, caller_of(request), now=utc_now()
            )
    except StorageAway:
        return leading(AWAY)
    except (OAuthError, HTTPError, JoseError, DomainError, ValueError) as refusal:
        _log.warning("provider.refused", provider=provider.name, error=type(refusal).__name__)
        return RedirectResponse(_why(refusal), status_code=303)
    if isinstance(outcome, steps.Ticket):
        return await opened(request, outcome.secret)
    # A step's token opens nothing by itself, and is known to this browser alone.
    return RedirectResponse(f"/auth?mode=second&step={outcome.token}", status_code=303)


def _why(refusal: Exception) -> str:
    """Where it is told: a provider that is away has said nothing of the person."""
    match refusal:
        case HTTPError() | rules.ProviderAway():
            return PROVIDER_AWAY
        case TooManyAttempts():
            return TOO_MANY
        case _:
            return REFUSED


def meant_for_us(provider: Provider) -> dict[str, Any]:
    """What a token must say: by whom the settings name, whatever its metadata says, and for us."""
    return {
        "iss": {"essential": True, "values": provider.issuers(settings())},
        "aud": {"essential": True, "value": provider.client_id(settings())},
    }


def _wished(request: Request) -> dict[str, str]:
    """Of a page of ours alone."""
    if _led_by(request) != SAME_ORIGIN:
        return {}
    said = request.query_params
    return {name: said[name][:LONGEST_WISH] for name in provider_service.SAID if name in said}


def _led_by(request: Request) -> str:
    """Whose page the browser comes from; old ones do not say."""
    return request.headers.get("sec-fetch-site", SAME_ORIGIN)


def _asked_for(request: Request) -> Provider | None:
    provider = PROVIDERS.get(request.path_params["provider"])
    return provider if provider in configured(settings()) else None


class Memory:
    """Of a sign-in that has begun. Its key is asked for by the first one, not by an import."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    @cached_property
    def _kept(self) -> SessionMiddleware:
        return SessionMiddleware(
            self.app,
            secret_key=settings().secret,
            session_cookie="__Host-oauth" if settings().is_https else "oauth",
            max_age=600,
            same_site="lax",
            https_only=settings().is_https,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._kept(scope, receive, send)


def routes() -> list[Mount]:
    return [
        Mount(
            "/oauth",
            routes=[
                Route("/{provider}", leave, methods=["GET"]),
                Route("/{provider}/callback", come_back, methods=["GET"]),
            ],
            middleware=[Middleware(Memory)],
        )
    ]
