"""Traces reach a collector, hang together, and tell nothing of people."""

import io
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2 as httpx
import pytest
import structlog
from starlette.applications import Starlette

from rewards_app.api import health, providers, session
from rewards_app.api.watched import Watched
from rewards_app.core import gate, jobs, mail
from rewards_app.core.database import dispose_engine, lookup
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.core.watching import logs, traces, watch
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.payments.rules import ProviderAway, ProviderRefused
from rewards_app.features.payments.stripe_gateway import StripeGateway
from tests.collector import Collector, collector
from tests.people import a_browser
from tests.serving import smtp_server
from tests.states import a_page, calls
from tests.stripe_server import StripeServer

PERSONAL = {
    "email": "wilhelmina@example.com",
    "password": "Tall-Otter7-rides!",
    "name": "Wilhelmina",
    "phone": "070-174 06 05",
    "phone_country": "SE",
    "age": "21",
    "gender": "Female",
    "country": "SE",
}
TOLD_TO_NOBODY = (
    *("wilhelmina", "Wilhelmina", "Tall-Otter7", "174 06 05", "1740605", "203.0.113.77"),
    *("a-secret-ticket", "browser of Wilhelmina"),
)


@pytest.fixture
async def traced(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collector]:
    with collector() as kept:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", kept.url)
        settings.cache_clear()
        await dispose_engine()
        traces.begin(settings())
        yield kept
        traces.end()
        await dispose_engine()
        monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
        settings.cache_clear()


def of(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


async def a_sign_up() -> None:
    state = await a_page().get_state(AuthState)
    caller = a_browser(address="203.0.113.77", user_agent="browser of Wilhelmina")
    before = gate.current_caller.set(caller)
    role = watch.role.set("visitor")
    try:
        await calls(AuthState.event_handlers["sign_up"], state, form=PERSONAL)
    finally:
        gate.current_caller.reset(before)
        watch.role.reset(role)
    assert state.mode == "sent", state.notice


async def test_an_event_is_told_with_its_statements_and_nothing_of_whom(traced: Collector):
    await a_sign_up()
    traces.end()
    assert set(traced.paths) == {"/v1/traces"}
    [event] = traced.named("event ")
    assert event.name == "event AuthState.sign_up"
    assert of(event) == {"watchcoins.role": "visitor"}
    statements = [span for span in traced.named("sql ") if span.trace_id == event.trace_id]
    assert any("insert into accounts" in of(s)["db.query.text"].lower() for s in statements)
    assert {s.parent_span_id for s in statements} == {event.span_id}
    assert_nobody(traced)


def assert_nobody(traced: Collector) -> None:
    sent = b"".join(traced.bodies)
    assert sent
    assert [word for word in TOLD_TO_NOBODY if word.encode() in sent] == []


async def test_an_answer_is_told_by_its_route_and_not_by_its_address(traced: Collector):
    routes = [*session.ROUTES, *health.ROUTES, *providers.routes()]
    app: Any = Watched(Starlette(routes=routes), routes)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://localhost:8300"
    ) as http:
        await http.get("/session/start?ticket=a-secret-ticket")
        await http.get("/players/wilhelmina")
        assert (await http.get("/healthz")).status_code == 200
    traces.end()
    names = {span.name for span in traced.spans if span.name.startswith("GET")}
    assert names == {"GET /session/start", "GET page", "GET /healthz"}
    [health_span] = traced.named("GET /healthz")
    assert of(health_span)["http.response.status_code"] == 200
    assert_nobody(traced)


async def test_jobs_mails_and_payments_are_told_and_what_failed_by_its_kind(
    traced: Collector, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch
):
    async def breaks() -> None:
        await lookup("select %s::text", ("wilhelmina@example.com",))
        raise KeyError("wilhelmina@example.com")

    with pytest.raises(KeyError):
        await jobs._watched("test.breaks", breaks)()
    with smtp_server() as (letters, port):
        monkeypatch.setenv("SMTP_HOST", "127.0.0.1")
        monkeypatch.setenv("SMTP_PORT", str(port))
        monkeypatch.setenv("SMTP_STARTTLS", "false")
        settings.cache_clear()
        await mail.post(
            Letter(PERSONAL["email"], "en", "already_registered", link="http://localhost/x")
        )
        assert len(letters.all) == 1
    with pytest.raises((ProviderRefused, ProviderAway)):
        await StripeGateway().find("cs_test_wilhelmina")
    traces.end()
    [job] = traced.named("job test.breaks")
    assert of(job)["error.type"] == "KeyError"
    assert not job.events
    [sql] = [span for span in traced.named("sql select") if span.parent_span_id == job.span_id]
    assert of(sql)["db.query.text"] == "select %s::text"
    [smtp] = traced.named("smtp")
    assert of(smtp)["server.address"] == "127.0.0.1"
    assert len(traced.named("stripe")) == 1
    assert_nobody(traced)


async def test_a_line_of_the_log_names_its_trace(
    traced: Collector, monkeypatch: pytest.MonkeyPatch
):
    output = io.StringIO()
    monkeypatch.setattr("sys.stderr", output)
    logs.configure(as_json=True)
    with traces.span("somewhere"):
        structlog.get_logger("test").info("within")
    structlog.get_logger("test").info("outside")
    traces.end()
    within, outside = (json.loads(line) for line in output.getvalue().splitlines()[-2:])
    [span] = traced.named("somewhere")
    assert within["trace_id"] == span.trace_id.hex()
    assert "trace_id" not in outside


async def test_a_collector_that_is_away_costs_nobody_anything(
    database: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    settings.cache_clear()
    traces.begin(settings())
    try:
        with traces.span("lost"):
            assert await lookup("select 1", ()) == (1,)
    finally:
        traces.end()
        monkeypatch.undo()
        settings.cache_clear()
