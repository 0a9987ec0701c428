"""What settings alone tell, and that no secret is ever told."""

from pathlib import Path
from typing import Any

import pytest

from rewards_app.core.settings import Mode, Settings
from rewards_app.doctor import configuration
from rewards_app.doctor.findings import Kind, is_anything_wrong
from tests.core.test_settings import PRODUCTION

SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"  # pragma: allowlist secret
KNOWN = {
    **{name.lower(): value for name, value in PRODUCTION.items() if name != "MODE"},
    "mode": Mode.PRODUCTION,
    "secret_key": SECRET,
    "trusted_proxy_hops": 1,
    "redis_url": f"rediss://:{SECRET}@cache.example.com/0",
    "stripe_secret_key": f"sk_live_{SECRET}",
    "stripe_webhook_secret": f"whsec_{SECRET}",
    "metrics_token": SECRET,
}


def sheet(*, workers: int = 2, **changes: Any) -> dict[str, Kind]:
    chosen = Settings(_env_file=None, **KNOWN | changes)  # pyright: ignore
    return {one.what: one.kind for one in configuration.findings(chosen, workers=workers)}


def what_is(kind: Kind, found: dict[str, Kind]) -> list[str]:
    return [what for what, one in found.items() if one is kind]


def test_a_careful_installation_has_nothing_to_be_told():
    assert set(sheet().values()) == {Kind.FINE}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"trusted_proxy_hops": 0}, "TRUSTED_PROXY_HOPS is 0"),
        ({"admin_second_factor": False}, "Admins need no second factor"),
        ({"redis_url": ""}, "GRANIAN_WORKERS is 2 without Redis"),
        (
            {"stripe_secret_key": f"sk_test_{SECRET}", "stripe_api_base": "https://s.example.com"},
            "STRIPE_SECRET_KEY is a test key",
        ),
        ({"stripe_webhook_secret": SECRET}, "does not begin with whsec_"),
        ({"metrics_token": "short"}, "METRICS_TOKEN can be guessed"),
    ],
)
def test_what_is_wrong_in_production_is_named(changes: dict[str, Any], told: str):
    [found] = what_is(Kind.WRONG, sheet(**changes))
    assert told in found


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"stripe_secret_key": "", "stripe_webhook_secret": ""}, "No cards are taken"),
        ({"stripe_api_base": "https://stripe.example.com"}, "stripe.example.com"),
        ({"smtp_starttls": False}, "in clear"),
        ({"otel_exporter_otlp_endpoint": "http://traces.example.com:4318"}, "Traces go to"),
    ],
)
def test_what_is_worth_knowing_is_told_and_not_wrong(changes: dict[str, Any], told: str):
    found = sheet(**changes)
    assert what_is(Kind.WRONG, found) == []
    [said] = what_is(Kind.WORTH_KNOWING, found)
    assert told in said


def test_a_first_try_is_not_wrong_but_told_what_it_is():
    chosen = Settings(_env_file=None)  # pyright: ignore
    found = list(configuration.findings(chosen, workers=1))
    assert not is_anything_wrong(found)
    assert any("MODE is development" in one.what for one in found)


FAR = f"postgresql://app:{SECRET}@db.example.com/rewards"
THERE = Path(__file__)
"""A file that can be read: what stands in it, the server's own certificate shows."""


@pytest.mark.parametrize(
    "changes",
    [
        {"database_url": f"{FAR}?sslmode=verify-full&sslrootcert={THERE}"},
        {"database_url": "postgresql:///rewards?host=/var/run/postgresql"},
        {"database_url": "postgresql://app@127.0.0.1/rewards"},
        {"database_url": "postgresql://app@[::1]/rewards"},
        {"redis_url": "redis://localhost:6379/0"},
        {"redis_url": "unix:///run/redis.sock"},
    ],
)
def test_a_connection_that_is_checked_or_stays_here_is_fine(changes: dict[str, Any]):
    assert set(sheet(**changes).values()) == {Kind.FINE}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"database_url": FAR}, "db.example.com is the database: add sslmode=verify-full"),
        ({"database_url": f"{FAR}?sslmode=require"}, "sslmode=verify-full"),
        (
            {"database_url": "postgresql://app@127.0.0.1,10.0.0.7/rewards"},
            "10.0.0.7 is the database",
        ),
        (
            {"analytics_database_url": FAR},
            "db.example.com is the database for figures: add sslmode=verify-full",
        ),
        ({"redis_url": "redis://cache.example.com/0"}, "let REDIS_URL be rediss://"),
        ({"redis_url": "rediss://cache.example.com/0?ssl_cert_reqs=none"}, "any certificate"),
    ],
)
def test_a_connection_that_anybody_may_answer_is_wrong(changes: dict[str, Any], told: str):
    [found] = what_is(Kind.WRONG, sheet(**changes))
    assert told in found


@pytest.mark.parametrize("mode", ["", "sslmode=verify-full&"])
@pytest.mark.parametrize("name", ["DATABASE_URL", "ANALYTICS_DATABASE_URL"])
def test_certificates_of_the_system_are_wrong_since_nobody_here_finds_them(mode: str, name: str):
    changes: dict[str, Any] = {name.lower(): f"{FAR}?{mode}sslrootcert=system"}
    [found] = what_is(Kind.WRONG, sheet(**changes))
    assert found.startswith(f"{name} has sslrootcert=system")
    assert "sslrootcert=/etc/ssl/certs/ca-certificates.crt" in found


def test_certificates_that_cannot_be_read_are_wrong(tmp_path: Path):
    file = tmp_path / "db.example.com.crt"
    named = f"{FAR}?sslmode=verify-full&sslrootcert={file}"
    [found] = what_is(Kind.WRONG, sheet(database_url=named))
    assert f"{file}, which cannot be read (No such file" in found


def test_certificates_that_nobody_named_are_looked_for_where_libpq_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    [found] = what_is(Kind.WRONG, sheet(database_url=f"{FAR}?sslmode=verify-full"))
    assert f"{tmp_path}/.postgresql/root.crt, which" in found


def test_a_name_of_a_container_is_worth_knowing():
    found = sheet(redis_url="redis://redis:6379/0")
    assert what_is(Kind.WRONG, found) == []
    [said] = what_is(Kind.WORTH_KNOWING, found)
    assert "another machine" in said


def test_how_libpq_is_told_by_the_environment_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", str(THERE))
    assert set(sheet(database_url=FAR).values()) == {Kind.FINE}


def test_a_short_key_is_wrong_wherever_it_is_used():
    changes = {"mode": Mode.DEVELOPMENT, "secret_key": "short"}
    [found] = what_is(Kind.WRONG, sheet(**changes))
    assert "SECRET_KEY has 5 characters" in found


@pytest.mark.parametrize(
    "changes", [{}, {"stripe_webhook_secret": SECRET}, {"redis_url": "", "smtp_starttls": False}]
)
def test_no_secret_is_told(changes: dict[str, Any]):
    assert not [what for what in sheet(**changes) if SECRET in what]


class TestPasswordsOfTheDemo:
    def test_in_a_file_are_wrong_in_production(self, tmp_path: Path):
        file = tmp_path / "demo-accounts.json"
        chosen = Settings(_env_file=None, **KNOWN)  # pyright: ignore
        assert list(configuration.demo_file(file, chosen)) == []
        file.write_text("[]")
        assert is_anything_wrong(configuration.demo_file(file, chosen))
        trying = Settings(_env_file=None)  # pyright: ignore
        assert list(configuration.demo_file(file, trying)) == []
