"""A tab without a browser: it connects as Reflex's own page does, hydrates, and sends events."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import socketio

NAMESPACE = "/_event"
ROOT = "reflex___state____state"
HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    "Accept-Language": "en-GB,en;q=0.9,sv;q=0.8",
    "Accept-Encoding": "gzip, deflate, br",
    "Cache-Control": "no-cache",
}
CONNECTING_AT_ONCE = 10
SECONDS_TO_ANSWER = 30


class Refused(RuntimeError):
    """The app said no: something else than what was asked would be measured."""


class Unanswered(RuntimeError):
    """An event brought no change of what it was to change."""


class Tab:
    """One open page. `await` its hydration and its answers; nothing is drawn."""

    def __init__(self, origin: str, path: str = "/", session: str = "", *, token: str = "") -> None:
        self.origin = origin
        self.path = path
        self.session = session
        self.token = token or str(uuid4())
        self.is_hydrated = asyncio.Event()
        self.role = ""
        self.messages = 0
        self.vars: dict[str, Any] = {}
        self._var = ""
        self._value: Any = None
        self._answer: asyncio.Future[Any] | None = None
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("event", self._on_update, namespace=NAMESPACE)
        self._socket.on("new_token", self._on_new_token, namespace=NAMESPACE)

    async def open(self) -> None:
        await self._socket.connect(
            f"{self.origin}?token={self.token}",
            headers=self._headers(),
            transports=["websocket"],
            namespaces=[NAMESPACE],
            socketio_path=NAMESPACE,
            auth={"event": self._event(f"{ROOT}.hydrate_and_load", {})},
            wait_timeout=SECONDS_TO_ANSWER,
        )
        await asyncio.wait_for(self.is_hydrated.wait(), SECONDS_TO_ANSWER)
        if self.session and self.role in {"", "visitor"}:
            raise RuntimeError("The app does not know this session: a visitor would be measured.")

    async def ask(
        self,
        handler: str,
        payload: Mapping[str, Any],
        *,
        changes: str,
        to: Any = None,
        within: float = SECONDS_TO_ANSWER,
    ) -> Any:
        """Send one event; the new value of the var that it `changes`.

        Where the server may say something of that var by itself, too, it is known `to` what.
        """
        self._var, self._value = f"{changes}_rx_state_", to
        self._answer = asyncio.get_running_loop().create_future()
        heard_before = self.messages
        await self.tell(handler, payload)
        try:
            return await asyncio.wait_for(self._answer, within)
        except TimeoutError:
            heard = self.messages - heard_before
            line = "is open" if self._socket.connected else "was cut off"
            name = handler.rpartition(".")[2]
            raise Unanswered(
                f"{name} was not answered within {within:g} s; the socket {line},"
                f" {heard} messages came meanwhile."
            ) from None

    async def tell(self, handler: str, payload: Mapping[str, Any]) -> None:
        """Send one event and wait for nothing."""
        await self._socket.emit("event", self._event(handler, payload), namespace=NAMESPACE)

    @property
    def is_open(self) -> bool:
        return self._socket.connected

    async def close(self) -> None:
        await self._socket.disconnect()

    def _headers(self) -> dict[str, str]:
        cookie = {"Cookie": f"session={self.session}"} if self.session else {}
        return {**HEADERS, "Origin": self.origin, **cookie}

    def _event(self, name: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        router_data = {"pathname": self.path, "asPath": self.path}
        return {"name": name, "payload": payload, "router_data": router_data}

    async def _on_new_token(self, token: str) -> None:
        """The app takes this tab for a copy: what it showed under the old one is not its own."""
        self.token = token

    async def _on_update(self, update: dict[str, Any]) -> None:
        self.messages += 1
        delta = update.get("delta") or {}
        if delta.get(ROOT, {}).get("is_hydrated_rx_state_"):
            self.is_hydrated.set()
        for changes in delta.values():
            self.vars |= {name.removesuffix("_rx_state_"): v for name, v in changes.items()}
            self.role = changes.get("role_rx_state_", self.role)
            if self._answer and not self._answer.done():
                self._settle(self._answer, changes)

    def _settle(self, answer: asyncio.Future[Any], changes: Mapping[str, Any]) -> None:
        if self._var in changes and self._value in (None, changes[self._var]):
            answer.set_result(changes[self._var])
        elif refusal := changes.get("refusal_rx_state_"):
            answer.set_exception(Refused(f"The app refused it: {refusal['code']}."))


@asynccontextmanager
async def opened(tabs: Iterable[Tab]) -> AsyncIterator[list[Tab]]:
    """All the tabs, hydrated; closed at the end."""
    slots = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def open_one(tab: Tab) -> Tab:
        async with slots:
            await tab.open()
        return tab

    everyone = list(tabs)
    try:
        yield list(await asyncio.gather(*map(open_one, everyone)))
    finally:
        await asyncio.gather(*(tab.close() for tab in everyone), return_exceptions=True)
