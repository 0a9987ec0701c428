"""Whom the app talks to: real servers that answer, and places where nobody does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from rewards_app.core.settings import Settings
from rewards_app.doctor import neighbours, rules
from rewards_app.doctor.findings import Finding, Kind
from rewards_app.features.accounts.providers import configured
from tests.core.test_settings import IN_PRODUCTION
from tests.openid import openid_provider
from tests.serving import Redis, redis_that_cannot_save
from tests.stripe.nonsense import Nonsense
from tests.stripe_server import StripeServer, stripe_server
from tools.ports import free_port

PASSWORD = "the right one"  # pragma: allowlist secret
DEAD_KEY = "rk_test_of_yesterday_and_no_more"  # pragma: allowlist secret


def with_settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, **chosen)  # pyright: ignore


class TestRedis:
    @pytest.fixture(autouse=True)
    def set_up_as_installed(self, redis: Redis) -> Iterator[None]:
        configure(redis, "notify-keyspace-events", rules.TELLS_OF_KEYS)
        configure(redis, "maxmemory", "1gb")
        yield
        configure(redis, "maxmemory", "0")

    async def test_that_answers_is_fine(self, redis: Redis):
        found = await neighbours.redis(with_settings(redis_url=redis.url))
        assert [one.kind for one in found] == [Kind.FINE, Kind.FINE]

    async def test_that_tells_of_no_keys_is_worth_knowing(self, redis: Redis):
        await asyncio.to_thread(configure, redis, "notify-keyspace-events", "")
        found = await neighbours.redis(with_settings(redis_url=redis.url))
        assert [one.kind for one in found] == [Kind.FINE, Kind.FINE, Kind.WORTH_KNOWING]
        assert "notify-keyspace-events" in found[-1].what

    async def test_that_refuses_to_be_configured_is_worth_knowing(self, redis: Redis):
        with redis_client.Redis.from_url(redis.url) as client:
            client.execute_command("ACL SETUSER", "default", "-config")
        try:
            found = await neighbours.redis(with_settings(redis_url=redis.url))
        finally:
            with redis_client.Redis.from_url(redis.url) as client:
                client.execute_command("ACL SETUSER", "default", "+config")
        assert [one.kind for one in found] == [Kind.FINE, Kind.FINE, Kind.WORTH_KNOWING]
        assert "CONFIG" in found[-1].what

    async def test_that_throws_pages_away_is_wrong(self, redis: Redis):
        await asyncio.to_thread(configure, redis, "maxmemory-policy", "allkeys-lru")
        await asyncio.to_thread(configure, redis, "maxmemory", "100mb")
        try:
            found = await neighbours.redis(with_settings(redis_url=redis.url))
        finally:
            await asyncio.to_thread(configure, redis, "maxmemory-policy", "noeviction")
        assert found[-1].kind is Kind.WRONG
        assert "allkeys-lru" in found[-1].what

    async def test_that_is_full_is_wrong_by_how_much(self, redis: Redis):
        await asyncio.to_thread(configure, redis, "maxmemory", "1mb")
        found = await neighbours.redis(with_settings(redis_url=redis.url))
        assert found[-1].kind is Kind.WRONG
        assert "of its maxmemory" in found[-1].what

    async def test_that_takes_what_the_machine_has_is_worth_knowing(self, redis: Redis):
        await asyncio.to_thread(configure, redis, "maxmemory", "0")
        found = await neighbours.redis(with_settings(redis_url=redis.url))
        assert [one.kind for one in found] == [Kind.FINE, Kind.WORTH_KNOWING]
        assert "no maxmemory" in found[-1].what

    @pytest.mark.parametrize("with_log", [False, True], ids=["by copies", "by its log"])
    async def test_that_cannot_save_is_wrong(self, tmp_path: Path, with_log: bool):
        with redis_that_cannot_save(tmp_path, with_log=with_log) as one:
            found = await neighbours.redis(with_settings(redis_url=one.url))
        [wrong] = [one.what for one in found if one.kind is Kind.WRONG]
        assert "cannot save, and so refuses what is written" in wrong

    async def test_that_is_away_is_wrong_and_its_password_untold(self):
        url = f"redis://:{PASSWORD.replace(' ', '')}@127.0.0.1:{free_port()}/0"
        [found] = await neighbours.redis(with_settings(redis_url=url))
        assert (found.kind, "does not answer" in found.what) == (Kind.WRONG, True)
        assert PASSWORD.replace(" ", "") not in found.what

    async def test_that_nobody_uses_is_not_asked(self):
        assert await neighbours.redis(with_settings()) == []


def configure(redis: Redis, name: str, value: str) -> None:
    with redis_client.Redis.from_url(redis.url) as client:
        client.execute_command("CONFIG", "SET", name, value)


class TestCards:
    @pytest.fixture
    def stripe(self) -> Iterator[StripeServer]:
        """No page and no database: what the doctor asks is asked of Stripe alone."""
        with stripe_server() as running:
            yield running

    async def test_by_a_key_that_may_see_them_are_fine_and_nothing_is_changed(
        self, stripe: StripeServer
    ):
        [found] = await neighbours.cards(cards_by(stripe))
        assert (found.kind, "Stripe knows STRIPE_SECRET_KEY" in found.what) == (Kind.FINE, True)
        assert [asked.method for asked in stripe.requests] == ["GET"] * 3

    async def test_by_a_key_that_stripe_does_not_know_are_wrong(self, stripe: StripeServer):
        [found] = await neighbours.cards(cards_by(stripe, stripe_secret_key=DEAD_KEY))
        assert found.kind is Kind.WRONG
        assert "does not know STRIPE_SECRET_KEY" in found.what
        assert DEAD_KEY[:12] not in found.what

    async def test_by_a_key_that_may_not_read_payments_are_wrong(self, stripe: StripeServer):
        stripe.may_read_payments = False
        [found] = await neighbours.cards(cards_by(stripe))
        assert found.kind is Kind.WRONG
        assert "may not read payment intents:" in found.what
        assert stripe.api_key[:12] not in found.what

    @pytest.mark.parametrize("nonsense", ["html", "wrong object", "500"])
    async def test_of_whom_stripe_says_nothing_are_wrong(
        self, stripe: StripeServer, nonsense: Nonsense
    ):
        stripe.nonsense = nonsense
        [found] = await neighbours.cards(cards_by(stripe))
        assert (found.kind, "127.0.0.1 does not answer" in found.what) == (Kind.WRONG, True)

    async def test_of_a_stripe_that_is_away_are_wrong(self, stripe: StripeServer):
        stripe.is_away = True
        [found] = await neighbours.cards(cards_by(stripe))
        assert (found.kind, "does not answer" in found.what) == (Kind.WRONG, True)

    async def test_that_nobody_takes_are_not_asked_about(self):
        assert await neighbours.cards(with_settings()) == []


def cards_by(stripe: StripeServer, **changes: str) -> Settings:
    known = {
        "stripe_secret_key": stripe.api_key,
        "stripe_webhook_secret": stripe.webhook_secret,
        "stripe_api_base": stripe.url,
    }
    return with_settings(**known | changes)


class TestProviders:
    async def test_that_tell_where_people_sign_in_are_fine(self):
        with openid_provider() as issuer:
            found = await _provider_at(issuer)
        assert (found.kind, found.what) == (Kind.FINE, "GameID can sign people in.")

    async def test_that_are_away_are_wrong(self):
        found = await _provider_at(f"http://127.0.0.1:{free_port()}")
        assert (found.kind, "GameID cannot sign people in" in found.what) == (Kind.WRONG, True)

    async def test_that_tell_something_else_are_wrong(self):
        with openid_provider() as issuer:
            found = await _provider_at(f"{issuer}/nothing")
        assert found.kind is Kind.WRONG

    @pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    async def test_that_lead_away_without_https_are_wrong_in_production(self, name: str):
        with openid_provider({name: "http://id.example.com/"}) as issuer:
            found = await _provider_at(issuer, **IN_PRODUCTION)
            trying = await _provider_at(issuer)
        assert (found.kind, f"{name} must begin with https" in found.what) == (Kind.WRONG, True)
        assert trying.kind is Kind.FINE

    async def test_that_lead_to_no_address_are_wrong(self):
        with openid_provider({"token_endpoint": "http://["}) as issuer:
            found = await _provider_at(issuer, **IN_PRODUCTION)
        assert (found.kind, "ValueError" in found.what) == (Kind.WRONG, True)


async def _provider_at(issuer: str, **others: str) -> Finding:
    known = {"oidc_name": "GameID", "oidc_client_id": "app", "oidc_client_secret": "x" * 20}
    chosen = with_settings(oidc_issuer=issuer, **known, **others)
    [one] = configured(chosen)
    return await neighbours.provider(one, chosen)
