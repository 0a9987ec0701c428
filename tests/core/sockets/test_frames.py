"""What pages are told: the text of it, and that it reaches the one page that it is for."""

import json
from collections import UserDict, deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest
import reflex as rx
from engineio.async_socket import AsyncSocket
from hypothesis import given
from hypothesis import strategies as some
from reflex.state import StateUpdate
from reflex_base.event import Event
from reflex_base.utils.format import json_dumps
from socketio import AsyncServer

from rewards_app.core.sockets.frames import (
    LONGEST_ADDRESS,
    MOST_UNREAD,
    answer_directly,
    hear_pages_only,
    text_of,
)


class Shape(Enum):
    ROUND = "round"


class Size(IntEnum):
    SMALL = 1


class Word(StrEnum):
    YES = "yes"


class Share(float):
    pass


@dataclass
class Pair:
    left: int
    at: datetime


class Held(rx.State):
    """Holds what Reflex hands out in a wrapping of its own."""

    rows: list[dict[str, list[int]]] = [{"a": [1, 2]}]


MOMENT = datetime(2026, 3, 1, 12, 30, 5, 123456, tzinfo=UTC)
KINDS: dict[str, Any] = {
    "nothing": None,
    "a moment": MOMENT,
    "a moment without a zone": MOMENT.replace(tzinfo=None),
    "a day": date(2026, 3, 1),
    "a while": timedelta(hours=1, microseconds=5),
    "an identifier": UUID(int=7),
    "a kind": [Shape.ROUND, Size.SMALL, Word.YES],
    "a dataclass": Pair(1, MOMENT),
    "a tuple": (1, (2, 3)),
    "a set": {5},
    "a queue": deque([1, 2]),
    "a mapping of another kind": UserDict(a=1),
    "an amount": Decimal("1.25"),
    "a number of another kind": [Share(1.5), {"share": Share(0.25)}],
    "a path": Path("ads/1.webp"),
    "numbers as keys": {1: "a", 2: {3: "b"}},
    "a truth as a key": {True: 1},
    "a kind as a key": {Word.YES: 1},
    "a number beyond 64 bits": 2**70,
    "a number below them": -(2**64),
    "what no language has": "💜\u2028\u0000</script>\\",
    "an update": StateUpdate(
        delta={"root.shop": {"offer": {"coins": 5}, "at": MOMENT}},
        events=[Event(name="_redirect", payload={"path": "/", "external": False})],
    ),
}


class TestTheText:
    @pytest.mark.parametrize("value", KINDS.values(), ids=KINDS)
    def test_says_what_reflex_would_have_said(self, value: object):
        assert json.loads(text_of(["event", value])) == json.loads(json_dumps(["event", value]))

    def test_says_what_a_state_holds(self):
        rows = Held().rows  # pyright: ignore[reportCallIssue]
        assert type(rows) is not list
        assert text_of([rows, rows[0], rows[0]["a"]]) == '[[{"a":[1,2]}],{"a":[1,2]},[1,2]]'

    @given(
        some.recursive(
            some.none()
            | some.booleans()
            | some.integers()
            | some.floats(allow_nan=False, allow_infinity=False)
            | some.text(),
            lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
        )
    )
    def test_is_read_as_it_was_meant(self, value: object):
        assert json.loads(text_of(value)) == value

    def test_has_null_for_what_is_no_number(self):
        assert text_of([float("nan"), float("inf"), Share("nan")]) == "[null,null,null]"

    def test_has_reflexs_word_for_it_where_reflex_writes(self):
        assert text_of({1: float("inf")}) == '{"1":Infinity}'


class Sockets:
    """Two pages of one server, of which one has hung up."""

    def __init__(self) -> None:
        self.server = AsyncServer(async_mode="asgi")
        self.here, self.gone = (self._come(name) for name in ("here", "gone"))
        self.gone.closed = True
        self.names = SimpleNamespace(namespace="/_event", emit=None)
        app = SimpleNamespace(sio=self.server, event_namespace=self.names)
        answer_directly(cast("rx.App", app))

    def _come(self, name: str) -> AsyncSocket:
        self.server.manager.basic_enter_room(f"to {name}", "/_event", None, eio_sid=name)
        come = self.server.eio.sockets[name] = AsyncSocket(self.server.eio, name)
        return come

    async def says(self, to: str, *, number: int = 0) -> None:
        await self.names.emit("event", {"delta": {"number": number}}, to=to)


def on_its_way(socket: AsyncSocket) -> list[str]:
    packets = [socket.queue.get_nowait() for _ in range(socket.queue.qsize())]
    return ["the end" if packet is None else packet.encode() for packet in packets]


class TestAnswers:
    async def test_go_in_their_order_to_the_page_that_they_are_for(self):
        sockets = Sockets()
        await sockets.says(to="to here", number=1)
        await sockets.says(to="to here", number=2)
        assert on_its_way(sockets.here) == [
            f'42/_event,["event",{{"delta":{{"number":{number}}}}}]' for number in (1, 2)
        ]

    @pytest.mark.parametrize("gone", ["to gone", "to nobody", ""])
    async def test_for_a_page_that_is_gone_reach_nobody_and_break_nothing(self, gone: str):
        sockets = Sockets()
        await sockets.says(to=gone)
        assert on_its_way(sockets.here) == on_its_way(sockets.gone) == []

    async def test_are_kept_for_a_page_that_listens_late_and_not_for_one_that_never_does(self):
        sockets = Sockets()
        for number in range(MOST_UNREAD):
            await sockets.says(to="to here", number=number)
        assert not sockets.here.closed
        assert sockets.here.queue.qsize() == MOST_UNREAD
        await sockets.says(to="to here")
        assert sockets.here.closed
        assert on_its_way(sockets.here) == ["the end"]
        await sockets.says(to="to here")
        assert on_its_way(sockets.here) == []


class Page:
    """What Reflex is told of what it says."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.names = SimpleNamespace(namespace="/_event", on_connect=None, on_event=self._is_told)
        app = SimpleNamespace(sio=AsyncServer(async_mode="asgi"), event_namespace=self.names)
        hear_pages_only(cast("rx.App", app))

    async def _is_told(self, sid: str, data: dict[str, Any]) -> None:
        self.told.append(data)

    async def says(self, **event: Any) -> None:
        await self.names.on_event("a socket", {"name": "x", "payload": {}} | event)


class TestWhereAPageIs:
    async def test_is_its_path_and_its_address_and_nothing_beside_them(self):
        page, where = Page(), {"pathname": "/shop", "asPath": "/shop?offer=1#top"}
        await page.says(
            router_data=where | {"query": {"offer": "1"}, "k1": "x" * 500_000, "ip": ""}
        )
        assert page.told == [{"name": "x", "payload": {}, "router_data": where}]

    @pytest.mark.parametrize("event", [{}, {"router_data": {}}, {"router_data": ["pathway"]}])
    async def test_may_be_untold(self, event: dict[str, Any]):
        page = Page()
        await page.says(**event)
        assert [told["router_data"] for told in page.told] == [{}]

    @pytest.mark.parametrize("name", ["pathname", "asPath"])
    @pytest.mark.parametrize("where", ["x" * (LONGEST_ADDRESS + 1), ["/shop"], {"a": "/shop"}, 5])
    async def test_is_an_address_that_a_browser_could_have(self, name: str, where: Any):
        page = Page()
        with pytest.raises(ValueError):  # noqa: PT011 it ends where nonsense does
            await page.says(router_data={name: where})
        assert page.told == []
