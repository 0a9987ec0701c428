"""The token that the operator's collector shows."""

import pytest
from pydantic import SecretStr
from starlette.requests import Request

from rewards_app.api import health
from rewards_app.core.settings import Settings

TOKEN = "a word that only the collector knows"


@pytest.fixture(autouse=True)
def _asks_for_a_token(monkeypatch):
    chosen = Settings(metrics_token=SecretStr(TOKEN))
    monkeypatch.setattr(health, "settings", lambda: chosen)


async def status_for(shown: bytes) -> int:
    headers = [(b"authorization", shown)]
    scope = {"type": "http", "headers": headers, "client": ("127.0.0.1", 1)}
    return (await health.metrics(Request(scope))).status_code


async def test_the_right_one_opens():
    assert await status_for(f"Bearer {TOKEN}".encode()) == 200


@pytest.mark.parametrize("shown", [b"", b"Bearer ", TOKEN.encode(), b"Bearer \xe5\xe4", b"\xff"])
async def test_any_other_finds_nothing(shown: bytes):
    assert await status_for(shown) == 404
