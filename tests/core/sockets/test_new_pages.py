"""Pages that open for the first time: so many of one address, and those that are known go on."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
import reflex as rx
from reflex.utils.token_manager import LocalTokenManager
from socketio.exceptions import ConnectionRefusedError
from structlog.testing import capture_logs

from rewards_app.core import limits
from rewards_app.core.settings import Settings
from rewards_app.core.sockets import new_pages
from rewards_app.core.watching import storms
from rewards_app.core.watching.storms import STORMS_FROM, Storm, What

HERE, ELSEWHERE = "203.0.113.7", "203.0.113.8"
HOUSE, SAME_HOUSE = "2001:db8:0:1::1", "2001:db8:0:1:ffff::2"
THREE = limits.parse("3/hour")


class Worker:
    """One that has no Redis, and keeps each page that has come in."""

    def __init__(self) -> None:
        self.owners = LocalTokenManager()
        self.kept: dict[str, Any] = {}
        self._addresses: dict[str, str] = {}
        names = SimpleNamespace(
            namespace="/_event",
            _token_manager=self.owners,
            _build_static_router_data=lambda sid, environ: {"ip": environ["address"]},
        )
        sockets = SimpleNamespace(
            get_environ=lambda sid, namespace: {"address": self._addresses[sid]}
        )
        manager = SimpleNamespace(states=self.kept)
        app = SimpleNamespace(event_namespace=names, sio=sockets, state_manager=manager)
        new_pages.limit_new_pages(cast("rx.App", app))

    async def meets(self, token: str, address: str = HERE) -> str:
        """The socket's name; its page is known from now on."""
        sid = f"socket {len(self._addresses)}"
        self._addresses[sid] = address
        copied_as = await self.owners.link_token_to_sid(token, sid)
        self.kept[copied_as or token] = object()
        return sid

    async def refuses(self, token: str, address: str = HERE) -> bool:
        try:
            await self.meets(token, address)
        except ConnectionRefusedError:
            return True
        return False


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    monkeypatch.setattr(new_pages, "NEW_PAGES", THREE)
    storms.forget()
    return Worker()


@pytest.fixture
async def full(worker: Worker) -> Worker:
    for number in range(3):
        await worker.meets(f"page {number}")
    return worker


class TestNewPages:
    async def test_of_one_address_are_so_many(self, full: Worker):
        assert await full.refuses("page 3")
        assert not await full.refuses("page 3", ELSEWHERE)

    async def test_of_one_household_are_counted_together(self, worker: Worker):
        for number in range(3):
            await worker.meets(f"page {number}", HOUSE)
        assert await worker.refuses("page 3", SAME_HOUSE)

    async def test_that_are_refused_leave_nothing(self, full: Worker):
        before = dict(full.owners.token_to_socket), dict(full.owners.sid_to_token)
        assert await full.refuses("page 3")
        assert (full.owners.token_to_socket, full.owners.sid_to_token) == before
        assert "page 3" not in full.kept

    async def test_are_no_storm_until_they_are_many(
        self, full: Worker, monkeypatch: pytest.MonkeyPatch
    ):
        seen: list[Storm] = []
        listeners: list[Callable[[Storm], None]] = [seen.append]
        monkeypatch.setattr(storms, "_listeners", listeners)
        for number in range(STORMS_FROM[What.LIMITED]):
            assert seen == []
            await full.refuses(f"another {number}")
        assert [storm.who for storm in seen] == [(new_pages.LIMIT, HERE)]


class TestBehindAProxy:
    @pytest.fixture
    def at(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
        def serve(address: str, *, hops: int) -> None:
            chosen = Settings(public_url=address, trusted_proxy_hops=hops)
            monkeypatch.setattr(new_pages, "settings", lambda: chosen)

        new_pages._say_that_nobody_counts.cache_clear()
        return serve

    async def test_that_is_not_believed_nobody_is_counted_for_everybody(
        self, full: Worker, at: Callable[..., None]
    ):
        at("https://play.example.com", hops=0)
        with capture_logs() as lines:
            assert not await full.refuses("page 3")
            assert not await full.refuses("page 4")
        assert [line["event"] for line in lines] == ["pages.not_counted"]

    @pytest.mark.parametrize(
        ("address", "hops"), [("https://play.example.com", 1), ("http://play.example.com", 0)]
    )
    async def test_that_is_believed_or_not_there_each_address_is_counted(
        self, full: Worker, at: Callable[..., None], address: str, hops: int
    ):
        at(address, hops=hops)
        assert await full.refuses("page 3")


class TestAPageThatIsKnown:
    async def test_comes_back_uncounted(self, full: Worker):
        for number in range(3):
            token = f"page {number}"
            await full.owners.disconnect_token(token, full.owners.token_to_socket[token].sid)
            assert not await full.refuses(token)

    async def test_is_new_again_in_each_copy(self, full: Worker):
        assert await full.refuses("page 1")
