"""A client that keeps to no rule: it speaks to the socket itself, not through a page."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import socketio
from socketio.exceptions import SocketIOError

from tests import steady
from tests.serving import Served

NAMESPACE = "/_event"
ROOT = "reflex___state____state"
APP = f"{ROOT}.rewards_app___core___state____app_state"
AUTH = f"{APP}.rewards_app___features___accounts___state____auth_state"
SESSION = f"{APP}.rewards_app___features___accounts___state____session_state"
STEP = f"{APP}.rewards_app___features___accounts___step_state____step_state"
AGE = f"{APP}.rewards_app___features___accounts___age_state____age_state"
CONSENT = f"{APP}.rewards_app___features___consent___state____consent_state"
WATCH = f"{APP}.rewards_app___features___ads___state____watch_state"
BAR = f"{APP}.rewards_app___features___shell___state____bar_state"
HOME = f"{APP}.rewards_app___features___dashboard___state____home_state"
CENSUS = f"{APP}.rewards_app___features___dashboard___state____census_state"
PASSWORD_STATE = f"{APP}.rewards_app___features___dashboard___state____password_state"
SHOP = f"{APP}.rewards_app___features___shop___state____shop_state"
ORDERS = f"{APP}.rewards_app___features___shop___orders_state____orders_state"
PROBLEM = f"{APP}.rewards_app___features___shop___orders_state____problem_state"
TEST_PAYMENT = f"{APP}.rewards_app___features___payments___state____test_payment_state"
UPDATE_VARS = f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal"
HYDRATE = f"{ROOT}.hydrate_and_load"

ANSWER_WITHIN = 5.0
SHORTEST_SECRET = 20
_addresses = itertools.count(1)
_marks = itertools.count(1)


def a_fresh_address() -> str:
    """Each client counts for itself: limits are per address, and the first proxy is trusted."""
    number = next(_addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@dataclass
class Browser:
    """What a browser brings along: its cookies and where it comes from."""

    served: Served
    cookies: dict[str, str] = field(default_factory=dict)
    address: str = field(default_factory=a_fresh_address)

    def headers(self) -> dict[str, str]:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"X-Forwarded-For": self.address} | ({"Cookie": pairs} if pairs else {})

    async def get(self, path: str) -> httpx.Response:
        """One HTTP request; cookies that it sets are kept, those it takes away are gone."""
        async with httpx.AsyncClient(timeout=10, verify=False) as http:
            answer = await http.get(f"{self.served.url}{path}", headers=self.headers())
        return self._keeps_cookies_of(answer)

    async def enters(self, door: str) -> httpx.Response:
        """As the page does where it is led to: a ticket is posted."""
        path, _, ticket = door.partition("?ticket=")
        if not ticket:
            return await self.get(path)
        return await self.posts(path, f"ticket={ticket}")

    async def posts(self, path: str, form: str) -> httpx.Response:
        sent = self.headers() | {"Content-Type": "application/x-www-form-urlencoded"}
        async with httpx.AsyncClient(timeout=10, verify=False) as http:
            answer = await http.post(f"{self.served.url}{path}", content=form, headers=sent)
        return self._keeps_cookies_of(answer)

    def _keeps_cookies_of(self, answer: httpx.Response) -> httpx.Response:
        self.cookies |= {name: value for name, value in answer.cookies.items() if value}
        return answer

    async def opens_the_door(self) -> "Browser":
        await self.get("/landing/")
        assert self.cookies.get("door"), "the first page names the browser"
        return self

    def without(self, *names: str) -> "Browser":
        kept = {name: value for name, value in self.cookies.items() if name not in names}
        return Browser(self.served, kept)

    @contextlib.asynccontextmanager
    async def tab(self, path: str = "/auth", **options: Any) -> AsyncIterator["Tab"]:
        """An open tab. Whatever a test does with it, the cookies come back in no message."""
        tab = Tab(self, path, **options)
        try:
            await tab.open()
            yield tab
        finally:
            await tab.close()
        said = tab.everything()
        secrets = [value for value in self.cookies.values() if len(value) >= SHORTEST_SECRET]
        assert not [secret for secret in secrets if secret in said]


class Tab:
    """One socket, with everything that the server ever said to it."""

    def __init__(
        self,
        browser: Browser,
        path: str = "/auth",
        *,
        token: str = "",
        origin: str = "",
        is_silent: bool = False,
        is_opened: bool = False,
    ) -> None:
        self.browser = browser
        self.path = path
        self.token = token or str(uuid4())
        self.origin = origin or browser.served.url
        self.is_silent = is_silent
        self.is_opened = is_opened
        self.heard: list[tuple[str, Any]] = []
        self.vars: dict[str, Any] = {}
        self._news = asyncio.Event()
        self._socket = socketio.AsyncClient(reconnection=False, request_timeout=10)
        self._socket.on("*", self._hear, namespace=NAMESPACE)

    async def open(self) -> None:
        """Connect and hydrate as the page's own script does; a silent tab only listens.

        A page that was opened, or copied, tells what it was built with; one that is back does not.
        """
        built_with = {"hashes": ["0" * 32]} if self.is_opened else {}
        boot = {"event": self._event(HYDRATE, {"vars": {}} | built_with)}
        await self._socket.connect(
            f"{self.browser.served.url}?token={self.token}",
            headers={**self.browser.headers(), "Origin": self.origin},
            auth=None if self.is_silent else boot,
            transports=["websocket"],
            namespaces=[NAMESPACE],
            socketio_path=NAMESPACE,
            wait_timeout=10,
        )
        if not self.is_silent:
            await self.until(lambda: self.says("is_hydrated") is True or not self.is_open)
            await self.settle()

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._socket.disconnect(), 5)

    async def call(self, handler: Any, payload: Any = None, *, router_data: Any = None) -> "Answer":
        """Send one event, and what came back until the server was done with it."""
        event = self._event(handler, {} if payload is None else payload)
        if router_data is not None:
            event["router_data"] = router_data
        return await self.send(event)

    async def tell(self, handler: str, payload: Any) -> None:
        """Send one event and wait for nothing, so that no mark comes after it."""
        await self._socket.emit("event", self._event(handler, payload), namespace=NAMESPACE)

    async def send(self, event: Any) -> "Answer":
        return await self.send_text(json.dumps(["event", event]))

    async def send_text(self, text: str) -> "Answer":
        """A packet that no serializer would write."""
        return await self._answer_to(self._socket.eio.send(f"2{NAMESPACE},{text}"))

    async def _answer_to(self, sending: Any) -> "Answer":
        start, before = len(self.heard), dict(self.vars)
        with contextlib.suppress(SocketIOError):
            await sending
            await self.settle()
        return Answer(self.heard[start:], before, dict(self.vars), self.is_open)

    async def settle(self, within: float = ANSWER_WITHIN) -> None:
        """Wait until all that was asked is done: events of one tab are served in order.

        Twice, because a handler may ask for another one, which then stands behind the first mark;
        a page that opens asks for more than that, and says when it has asked for all.
        """
        await self._mark(within)
        await self.until(lambda: self.says("is_hydrated") is not False or not self.is_open, within)
        await self._mark(within)

    async def _mark(self, within: float) -> None:
        mark = f"mark-{next(_marks)}"
        await self.tell(UPDATE_VARS, {"vars": {f"{APP}.language": mark}})
        await self.until(lambda: self.says("language") == mark or not self.is_open, within)

    async def until(self, holds: Callable[[], bool], within: float = ANSWER_WITHIN) -> None:
        deadline = steady.seconds() + within
        while not holds():
            if steady.seconds() >= deadline:
                # What has come while this process was kept waiting is heard first.
                await asyncio.sleep(0.1)
                assert holds(), f"not within {within} s; heard {self.heard[-3:]}"
                return
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), 0.05)

    @property
    def is_open(self) -> bool:
        return self._socket.connected

    @property
    def has_new_token(self) -> bool:
        return any(name == "new_token" for name, _ in self.heard)

    def says(self, name: str) -> Any:
        """The newest value of a public var, whichever state it is in."""
        return self.vars.get(name)

    def everything(self) -> str:
        return json.dumps(self.heard, ensure_ascii=False)

    def _event(self, name: Any, payload: Any) -> dict[str, Any]:
        path, _, query = self.path.partition("?")
        router_data = {
            "pathname": path,
            "asPath": self.path,
            "query": dict(pair.split("=", 1) for pair in query.split("&") if pair),
        }
        return {"name": name, "payload": payload, "router_data": router_data}

    async def _hear(self, name: str, *data: Any) -> None:
        message = data[0] if data else None
        self.heard.append((name, message))
        self._news.set()
        if isinstance(message, dict):
            for state, values in (message.get("delta") or {}).items():
                self._note(state, values)

    def _note(self, state: str, values: dict[str, Any]) -> None:
        for name, value in values.items():
            bare = name.removesuffix("_rx_state_")
            self.vars[bare] = value
            self.vars[f"{state}.{bare}"] = value


QUIET = {
    *("language", "is_hydrated", "players_online", "figures", "top_name", "open_alerts"),
    *("unread", "moments_waiting", "visit"),
}
"""What is no answer: the marks change the language, and everybody is told who is online, and on
their homes how many there are. Each time that a page is found again is another visit. Admins hear
of what all the other tests do. A player's first ad unlocks an achievement a little later: the bell
rings, and a moment waits."""
COUNTS_FOR_ALL = ".rewards_app___features___admin___waiting_state____waiting_state."
"""On every page admins are told how much waits: what all the other tests leave there."""


@dataclass
class Answer:
    """What one event brought: every message, and which vars are different now."""

    heard: list[tuple[str, Any]]
    before: dict[str, Any]
    after: dict[str, Any]
    socket_stays_open: bool

    @property
    def changed(self) -> dict[str, Any]:
        """Vars that are different now, but for the marks and the client's own route.

        By their whole names: a bare one is whichever state spoke last.
        """
        return {
            name: value
            for name, value in self.after.items()
            if "." in name
            and self.before.get(name) != value
            and not _is_quiet(name)
            and not _is_alert(value)
        }

    @property
    def is_silence(self) -> bool:
        return not self.changed and not self.events

    @property
    def is_refusal(self) -> bool:
        names = {name.rpartition(".")[2] for name in self.changed}
        return names <= {"refusal", "notice"} and bool(names) and not self.events

    @property
    def is_refused_anew(self) -> bool:
        """The tab may have been refused before: only a refusal of its own counts."""
        return any(self._codes)

    @property
    def refused_as(self) -> str:
        """What was refused last: what the server tells the tab next may take the words away."""
        if not self._codes:
            return (self.after.get("refusal") or {}).get("code", "")
        return next(filter(None, reversed(self._codes)), "")

    @property
    def events(self) -> list[str]:
        """What the browser is told to do, by name."""
        return [
            event.get("name", "")
            for message in self._messages
            for event in message.get("events") or []
        ]

    @property
    def _codes(self) -> list[str]:
        """Of all that was refused meanwhile; an empty one took the words away."""
        return [code for message in self._messages for code in _refusals(message)]

    @property
    def _messages(self) -> list[dict[str, Any]]:
        return [message for _, message in self.heard if isinstance(message, dict)]


def _refusals(message: dict[str, Any]) -> list[str]:
    return [
        (value or {}).get("code", "")
        for values in (message.get("delta") or {}).values()
        for name, value in values.items()
        if name.removesuffix("_rx_state_") == "refusal"
    ]


def _is_alert(value: Any) -> bool:
    return isinstance(value, dict) and value.get("title") == "alerts.new_title"


def _is_quiet(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last in QUIET or last.startswith("rx_router") or COUNTS_FOR_ALL in name
