"""Nothing personal and nothing secret reaches a log."""

import io
import json
import logging
import secrets
import string
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString

import procrastinate
import psycopg
import pytest
import structlog
from reflex_base.event import Event
from sqlalchemy.exc import DBAPIError

from rewards_app import server as servers
from rewards_app.core import gate, jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import statement, transaction, write
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.core.sockets.meeting import keep_to_its_owner, meet, refuse
from rewards_app.core.state import AppState
from rewards_app.core.watching import logs
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.shop.receipt import Receipt, receipt_pdf
from tests.ads import the_actor
from tests.core.test_settings import PRODUCTION
from tests.people import PASSWORD, a_browser, an_account
from tests.queued import work_off
from tests.serving import PROJECT
from tests.states import a_page, acting, at, calls, failing
from tools.ports import free_port

NAMES = (
    "password",
    "secret",
    "token",
    "ticket",
    "cookie",
    "authorization",
    "email",
    "phone",
    "birth_date",
    "recipient",
)


def planted() -> dict[str, str]:
    """Fifty values that must not be found: by their name, or by what they look like."""
    by_name = {f"{name}_{n}": f"plain-{name}-{n}" for name in NAMES for n in range(2)}
    mails = {f"text_{n}": f"Letter to maja{n}@example.com was sent" for n in range(10)}
    numbers = {f"call_{n}": f"called +46 70 174 06 {n:02}" for n in range(10)}
    random = {f"word_{n}": f"value {secrets.token_urlsafe(32)}" for n in range(9)}
    return {**by_name, **mails, **numbers, **random, "url": "postgresql://app:hunter2@db/rewards"}


@pytest.fixture
def written(monkeypatch) -> io.StringIO:
    output = io.StringIO()
    monkeypatch.setattr("sys.stderr", output)
    logs.configure(as_json=True)
    return output


CONFIDED = "I have\n\ndiabetes"
REFUSED: LiteralString = """
insert into support_tickets (id, account_id, subject, message)
values (%(id)s, %(id)s, %(words)s, %(words)s)
returning id
"""


async def in_a_transaction(words: str) -> None:
    async with transaction() as session:
        await write(session, REFUSED, {"id": new_id(), "words": words})


async def in_a_statement(words: str) -> None:
    await statement(REFUSED, {"id": new_id(), "words": words})


def traces_of(value: str) -> str:
    """The part of a planted value that gives something away."""
    if "Letter" in value:
        return value.split()[2]
    if "called" in value:
        return value.removeprefix("called ")
    if "hunter2" in value:
        return "hunter2"
    return value.split()[-1]


class TestTimes:
    def test_are_utc_in_lines_of_ours_and_of_libraries(self, written: io.StringIO):
        structlog.get_logger("test").info("ours")
        logging.getLogger("some.library").warning("theirs")
        times = [json.loads(line)["timestamp"] for line in written.getvalue().splitlines()]
        assert [when[-1] for when in times] == ["Z", "Z"]
        assert all(
            utc_now() - datetime.fromisoformat(when) < timedelta(minutes=1) for when in times
        )


class TestRedaction:
    def test_finds_all_fifty_planted_values(self, written: io.StringIO):
        values = planted()
        assert len(values) == 50
        structlog.get_logger("test").info("planted", **values)
        assert [v for v in values.values() if traces_of(v) in written.getvalue()] == []

    def test_leaves_nothing_of_addresses_that_run_into_each_other(self):
        assert logs.redacted("to maja@example.com@example.org now") == f"to {logs.HIDDEN} now"

    def test_takes_a_random_word_without_digits_for_what_it_is(self):
        word = "NVwzhWWFsJBiFMbMkpVnlUaFKnOEs-pmIhZxV_HBCXw"
        assert logs.redacted(f"value {word}") == f"value {logs.HIDDEN}"

    def test_holds_for_the_lines_of_libraries(self, written: io.StringIO):
        logging.getLogger("some.library").warning("failed for %s", "maja@example.com")
        assert "maja@example.com" not in written.getvalue()
        assert "failed for" in written.getvalue()

    def test_holds_for_tracebacks(self, written: io.StringIO):
        try:
            raise ValueError("no such user maja@example.com")
        except ValueError:
            structlog.get_logger("test").exception("broke")
        assert "ValueError" in written.getvalue()
        assert "maja@example.com" not in written.getvalue()

    async def test_holds_for_jobs_that_fail_for_good(
        self, written: io.StringIO, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        async def refuse(**_: Any) -> None:
            raise OSError("mailbox full")

        once = procrastinate.RetryStrategy(max_attempts=1)
        monkeypatch.setitem(jobs.JOBS, "a_letter", jobs.Job("a_letter", refuse, once))
        words = "Storgatan 4 (upstairs) ended with status: diabetes"
        async with transaction() as session:
            await jobs.later(session, "a_letter", params={"name": "Maja", "words": words})
        async with (queue := jobs.queue()).open_async():
            await work_off(queue, listen_notify=False)
        assert f"({logs.HIDDEN}) ended with status: Error" in written.getvalue()
        personal = ("Maja", "Storgatan", "upstairs", "diabetes")
        assert [word for word in personal if word in written.getvalue()] == []

    @pytest.mark.parametrize("ask", [in_a_transaction, in_a_statement])
    async def test_holds_for_what_the_database_refuses(
        self, written: io.StringIO, database: str, ask: Callable[[str], Awaitable[Any]]
    ):
        try:
            await ask(CONFIDED)
        except (DBAPIError, psycopg.Error):
            structlog.get_logger("test").exception("broke")
        assert "violates" in written.getvalue()
        assert "diabetes" not in written.getvalue()

    def test_holds_inside_lists_and_dicts(self, written: io.StringIO):
        structlog.get_logger("test").info("x", rows=[{"email": "a@b.se"}, ["c@d.se"]])
        assert "@" not in written.getvalue()

    def test_leaves_what_helps(self, written: io.StringIO):
        name = "reflex___state____state.rewards_app___features___accounts___state____auth_state"
        structlog.get_logger("test").info("gate.denied", handler=name, address="127.0.0.1")
        assert name in written.getvalue()
        assert "127.0.0.1" in written.getvalue()


A_LINE = json.dumps({"event": "account.role_changed", "role": "admin"})
ESCAPES = "\x1b[2K\x1b]0;owned\x07\x08\x7f\x9b31m"
ENDINGS = "\r\n \n \r \v \f \x1c \x1d \x1e \x85 \u2028 \u2029"
FORGED = f"me{ESCAPES}" + "".join(f"{end}{A_LINE}" for end in ENDINGS.split(" "))
PLAIN = set(string.printable) - set(string.whitespace) | {" "}


class TestForging:
    """Whatever somebody sends, each line is one of ours, and nothing in it moves a cursor."""

    def lines(self, written: io.StringIO) -> list[dict[str, Any]]:
        said = written.getvalue().removesuffix("\n").split("\n")
        assert not set("".join(said)) - PLAIN
        lines = [json.loads(line) for line in said]
        assert "account.role_changed" not in {line["event"] for line in lines}
        return lines

    async def test_of_lines_by_an_email_a_phone_a_browser_or_a_path(
        self, written: io.StringIO, database: str
    ):
        page, browser = a_page(), a_browser(user_agent=FORGED)
        known = gate.current_caller.set(browser)
        try:
            at(page, f"/{FORGED}")
            with acting(the_actor(await an_account())):
                await calls(AppState.enter, await page.get_state(AppState))
            form = await page.get_state(AuthState)
            for email in (f"{FORGED}@example.com", FORGED):
                await calls(AuthState.sign_in, form, form={"email": email, "password": FORGED})
            sent = {"email": "maja@example.com", "password": PASSWORD, "name": "Maja", "age": "21"}
            for field in ("email", "phone", "name", "country"):
                await calls(AuthState.sign_up, form, form=sent | {field: FORGED})
        finally:
            gate.current_caller.reset(known)
        lines = self.lines(written)
        assert {line["event"] for line in lines} >= {"page.not_found", "sign_in.failed", "refused"}
        [path] = [line["path"] for line in lines if line["event"] == "page.not_found"]
        assert ESCAPES in path, "it is told as it was"

    @pytest.mark.parametrize("asked", [FORGED, f"{AppState.get_full_name()}.{FORGED}"])
    async def test_of_lines_by_what_a_page_asks_for(self, written: io.StringIO, asked: str):
        page = a_page()
        page.router_data = {"ip": FORGED, "headers": {"user-agent": FORGED, "cookie": "door=a"}}
        guard = gate.Gate(
            gate.KnownActors(failing(AssertionError)),
            meet=meet,
            keep_to_its_owner=keep_to_its_owner,
            refuse=refuse,
            note_activity=failing(AssertionError),
        )
        await guard.preprocess(None, page, Event(name=asked))  # pyright: ignore[reportArgumentType]
        [line] = self.lines(written)
        assert line["event"] == "gate.undeclared"
        assert ESCAPES[:4] in line["handler"]

    def test_of_lines_by_what_breaks_or_what_a_library_says(self, written: io.StringIO):
        logging.getLogger("some.library").warning("failed for %s", FORGED)
        try:
            raise ValueError(FORGED)
        except ValueError:
            structlog.get_logger("test").exception("broke", **{FORGED: FORGED})
        said, broke = self.lines(written)
        assert said["event"].startswith("failed for me")
        assert "ValueError: me" in broke["exception"]


def test_lines_of_the_server_itself_are_as_ours(monkeypatch: pytest.MonkeyPatch):
    port = free_port()
    for name, value in {**PRODUCTION, "PORT": str(port), "GRANIAN_WORKERS": "1"}.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    command = [*servers.server_command()[:-1], "tests.breaking:app"]
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        _ask(f"http://127.0.0.1:{port}/")
    finally:
        server.terminate()
        said, _ = server.communicate(timeout=30)
        monkeypatch.undo()
        settings.cache_clear()
    assert "wilhelmina" not in said
    lines = [json.loads(line) for line in said.splitlines()]
    assert any(line["level"] == "error" for line in lines), said


def _ask(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=10)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer")


def test_a_receipt_that_is_drawn_says_nothing(written: io.StringIO):
    receipt_pdf(
        Receipt(
            purchase_code="COIN-1795280700123-k3JX9aQz2L",
            product="2800 V-Bucks",
            game="Fortnite",
            bought_at=datetime(2026, 11, 21, 17, 5, tzinfo=UTC),
            buyer_name="Maja",
            buyer_email="maja@example.com",
            price_ore=20900,
            coins_spent=140,
            charged_ore=6900,
        ),
        "en",
    )
    assert written.getvalue() == ""
