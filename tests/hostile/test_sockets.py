"""Sockets by hand: what no library sends, what nobody reads, what comes too fast."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from rewards_app.core.sockets.frames import LONGEST_ADDRESS, LONGEST_TOKEN
from tests import steady
from tests.hostile.client import APP, HYDRATE, NAMESPACE, Browser
from tests.hostile.evidence import Diary
from tests.hostile.raw_socket import BINARY, CONTINUED, PING, TEXT, RawSocket
from tests.serving import Served

MIB = 2**20
MOST_GROWTH = 120 * MIB
"""What a few sockets may cost: each has 64 KB of a head, and half a hundred messages that wait."""
PATIENCE = 5.0
CONNECTION = Path(__file__).parents[2] / "assets/connection.js"
COMPRESSED = 0x40
EVENT = json.dumps(["event", {"name": f"{APP}.check_in", "payload": {}, "router_data": {}}])
A_PAGE = json.dumps(
    ["event", {"name": HYDRATE, "payload": {"vars": {}}, "router_data": {"pathname": "/landing"}}]
)
HELD_BACK = json.dumps(
    [
        "event",
        {"name": f"{APP}.choose_language", "payload": {"code": "x" * 500_000}, "router_data": {}},
    ]
)


def memory_of(served: Served) -> int:
    """What the server and its workers hold; the database has its own limits."""
    owner = psutil.Process(served.process.pid)
    family = [owner, *owner.children(recursive=True)]
    return sum(one.memory_info().rss for one in family if "postgres" not in one.name())


@pytest.fixture
async def attacker(served: Served) -> Browser:
    return await Browser(served).opens_the_door()


@pytest.fixture(autouse=True)
async def others_are_served_as_ever(served: Served) -> AsyncIterator[None]:
    """While what was sent still works, and without much more memory than before."""
    before = memory_of(served)
    yield
    async with steady.timeout(PATIENCE), Browser(served).tab("/landing") as tab:
        assert tab.says("role") == "visitor"
    assert memory_of(served) - before < MOST_GROWTH


@contextlib.asynccontextmanager
async def inside(browser: Browser, **options: int) -> AsyncIterator[RawSocket]:
    raw = await RawSocket(browser, **options).enter()
    try:
        yield raw
    finally:
        await raw.close()


def packet(text: str) -> bytes:
    return f"4{text}".encode()


def event(text: str = EVENT) -> bytes:
    return packet(f"2{NAMESPACE},{text}")


DEEP = "[" * 10_000
STRANGE: dict[str, list[tuple[bytes, int]]] = {
    "bytes": [(b"\x00\xff" * 500, BINARY)],
    "bytes as text": [(b"\xff\xfe\x00", TEXT)],
    "bytes in text": [(b"bAAEC////", TEXT)],
    "nothing": [(b"", TEXT), (b"", BINARY)],
    "another kind of Engine.IO": [(b"9", TEXT), (b"7x", TEXT), (b"x", TEXT)],
    "an upgrade within the upgrade": [(b"5", TEXT), (b"2probe", TEXT), (b"6", TEXT)],
    "an opening": [(b'0{"sid":"x"}', TEXT)],
    "pings": [(b"2", TEXT)] * 50,
    "pongs that nobody asked for": [(b"3", TEXT)] * 50,
    "another kind of Socket.IO": [(b"49", TEXT), (b"47[]", TEXT), (b"4", TEXT)],
    "a refusal of the connection": [(packet(f"4{NAMESPACE},"), TEXT)],
    "another namespace": [(packet("0/admin,"), TEXT), (packet(f"2/admin,{EVENT}"), TEXT)],
    "no namespace": [(packet(f"2{EVENT}"), TEXT), (packet("0"), TEXT)],
    "a namespace without an end": [(packet("2" + "/" * 100_000), TEXT)],
    "in again": [(packet(f"0{NAMESPACE},"), TEXT)] * 20,
    "an answer to no question": [(packet(f"3{NAMESPACE},1[]"), TEXT)],
    "a number without an end": [(packet(f"2{NAMESPACE}," + "9" * 90_000 + EVENT), TEXT)],
    "an event without a name": [(event("[]"), TEXT), (event("{}"), TEXT), (event("5"), TEXT)],
    "a name that is none": [(event("[null,{}]"), TEXT), (event('[{"a":1},{}]'), TEXT)],
    "events that do not exist": [(event(f'["{name}",{{}}]'), TEXT) for name in ("on", "*", "")],
    "deep JSON": [(event(DEEP), TEXT), (event('{"a":' * 10_000), TEXT)],
    "half a character": [(event('["event",{"name":"\\ud800","payload":{"\\udfff":1}}]'), TEXT)],
    "no number": [(event('["event",{"name":"a","payload":{"a":NaN,"b":-Infinity}}]'), TEXT)],
    "attachments that never come": [(packet(f"51-{NAMESPACE},{EVENT}"), TEXT), (event(), TEXT)],
    "too many attachments": [(packet(f"59999999999-{NAMESPACE},{EVENT}"), TEXT)],
    "the end": [(packet(f"1{NAMESPACE},"), TEXT), (event(), TEXT)],
    "pings of the wire": [(b"x" * 125, PING)] * 50,
}


@pytest.mark.parametrize("frames", STRANGE.values(), ids=STRANGE)
async def test_a_strange_message_gets_nothing(
    attacker: Browser, served: Served, frames: list[tuple[bytes, int]]
):
    diary = Diary(served)
    async with inside(attacker) as raw:
        raw.heard = b""
        for payload, kind in frames:
            await raw.send(payload, kind)
        await raw.is_hung_up(within=0.2)
        assert not [word for word in attacker.cookies.values() if word.encode() in raw.heard]
    assert not diary.gives_away(*attacker.cookies.values())
    assert "handler.broke" not in diary.text()


BROKEN_FRAMES = {
    "a compressed message that nobody agreed on": (b"\x78\x9c" * 50, TEXT, COMPRESSED),
    "reserved bits": (b"4", TEXT, 0x30),
    "a kind of frame that does not exist": (b"4", 5, 0),
    "a long ping": (b"x" * 126, PING, 0),
    "the rest of nothing": (b"x", CONTINUED, 0),
}


@pytest.mark.parametrize("frame", BROKEN_FRAMES.values(), ids=BROKEN_FRAMES)
async def test_a_broken_frame_ends_the_socket(attacker: Browser, frame: tuple[bytes, int, int]):
    payload, kind, reserved = frame
    async with inside(attacker) as raw:
        await raw.send(payload, kind, reserved=reserved)
        assert await raw.is_hung_up()


@pytest.mark.parametrize("size", [600_001, 4_000_000])
async def test_a_message_longer_than_any_page_sends_ends_the_socket(attacker: Browser, size: int):
    async with inside(attacker) as raw:
        await raw.send(b"4" + b"a" * size)
        assert await raw.is_hung_up()


async def test_the_server_agrees_on_no_compression(attacker: Browser):
    """So there is no message that is small on its way and large in memory."""
    offer = {"Sec_WebSocket_Extensions": "permessage-deflate; client_max_window_bits"}
    raw = await RawSocket(attacker, **offer).open()
    head = raw.heard.lower()
    await raw.close()
    assert b"extensions" not in head


ELSEWHERE = {
    "by polling": "?EIO=4&transport=polling",
    "by polling, as somebody else's": "?EIO=4&transport=polling&sid={sid}",
    "as somebody else's": "?EIO=4&transport=websocket&sid={sid}",
    "in an old way": "?EIO=3&transport=websocket&token=x",
    "without a way": "?transport=websocket",
}


@pytest.mark.parametrize("path", ELSEWHERE.values(), ids=ELSEWHERE)
async def test_a_socket_opens_in_one_way_only(attacker: Browser, served: Served, path: str):
    async with Browser(served).tab("/landing") as victim:
        raw = await RawSocket(attacker).connect()
        asked = f"{NAMESPACE}/{path.format(sid=victim._socket.eio.sid)}"
        assert " 403 " in await raw.ask(asked)
        await raw.close()
        await victim.settle()


@pytest.mark.parametrize("sent", [A_PAGE, HELD_BACK], ids=["pages", "half megabytes"])
async def test_who_never_reads_makes_the_server_keep_little(
    attacker: Browser, served: Served, sent: str
):
    """Its socket waits, so that in the end the sender does."""
    before = memory_of(served)
    async with inside(attacker, buffer=4_096) as raw:
        sending = asyncio.create_task(_floods(raw, event(sent)))
        for _ in range(3):
            await asyncio.sleep(1)
            assert memory_of(served) - before < MOST_GROWTH
            async with steady.timeout(PATIENCE):
                await Browser(served).get("/healthz")
        assert not sending.done()
        sending.cancel()
        await asyncio.wait([sending])


async def _floods(raw: RawSocket, message: bytes) -> None:
    # A write that fails at once, as all do once it is closed, would never let anybody else run.
    while not raw.writer.is_closing():
        await raw.send(message)


NO_PAGE_SAYS = {
    "an upgrade": b"5",
    "a ping": b"2",
    "a pong with something in it": b"3probe",
    "nothing": b"",
    "another namespace": packet("0/x,"),
    "the one of all": packet("0"),
    "a namespace that begins alike": packet(f"0{NAMESPACE}s,"),
    "in again": packet(f"0{NAMESPACE},"),
    "an answer": packet(f"3{NAMESPACE},1[]"),
    "attachments": packet(f"5999-{NAMESPACE},{EVENT}"),
    "attachments of an answer": packet(f"6999-{NAMESPACE},1[]"),
    # To Python these are fives, too: it would keep each text that follows as an attachment.
    "attachments, with a wide digit": packet(f"５999-{NAMESPACE},{EVENT}"),
    "attachments, with an Arabic digit": packet(f"٥999-{NAMESPACE},{EVENT}"),
    "an event, with a wide digit": packet(f"２{NAMESPACE},{EVENT}"),
    "an event with attachments": packet(f"2999-{NAMESPACE},{EVENT}"),
}


@pytest.mark.parametrize("said", NO_PAGE_SAYS.values(), ids=NO_PAGE_SAYS)
async def test_what_no_page_says_ends_the_socket(attacker: Browser, said: bytes):
    """Some of it would be answered at once, or kept, however much has been left unread."""
    async with inside(attacker) as raw:
        await raw.send(said)
        assert await raw.is_hung_up(within=PATIENCE)


async def test_bytes_end_the_socket(attacker: Browser):
    async with inside(attacker) as raw:
        await raw.send(event(), BINARY)
        assert await raw.is_hung_up(within=PATIENCE)


async def test_who_goes_and_comes_again_on_one_socket_is_hung_up_on(attacker: Browser):
    """Each time would bring an event that waits for nothing."""
    async with inside(attacker) as raw:
        await raw.send(packet(f"1{NAMESPACE},"))
        await raw.send(packet(f"0{NAMESPACE},"))
        assert await raw.is_hung_up(within=PATIENCE)


def coming_to(**where: object) -> str:
    return json.dumps({"name": HYDRATE, "payload": {"vars": {}}, "router_data": where})


A_LONG_NAME = '{"name":"' + "a@b.c " * 80_000 + '","payload":{}}'


NO_EVENTS = {
    "no event": '"nonsense"',
    "a long name": A_LONG_NAME,
    "an event within a text": json.dumps('{"name":"x","payload":{}}'),
    "a long path": coming_to(pathname="/" + "x" * LONGEST_ADDRESS),
    "a long address": coming_to(pathname="/landing", asPath="/landing?" + "x" * LONGEST_ADDRESS),
    "many addresses": coming_to(pathname="/landing", asPath=["/landing"] * 100),
}


@pytest.mark.parametrize("event", NO_EVENTS.values(), ids=NO_EVENTS)
async def test_who_comes_with_nonsense_is_refused(attacker: Browser, event: str):
    raw = await RawSocket(attacker).open()
    await raw.send(packet(f'0{NAMESPACE},{{"event":{event}}}'))
    await raw.hears(f"44{NAMESPACE},".encode())
    await raw.close()


async def test_a_tab_of_a_long_name_is_refused(attacker: Browser):
    """It would be a part of each of the many under which Redis keeps the tab."""
    raw = await RawSocket(attacker).open("x" * (LONGEST_TOKEN + 1))
    await raw.send(packet(f"0{NAMESPACE},"))
    await raw.hears(f"44{NAMESPACE},".encode())
    await raw.close()


async def test_a_silent_connection_is_found_when_the_page_believes_it_is(attacker: Browser):
    """Else what was pressed before that is not said to be unsure."""
    raw = await RawSocket(attacker).open()
    await raw.hears(b'"pingTimeout"')
    told = json.loads(re.search(rb'\{"sid".*?\}', raw.heard)[0])  # pyright: ignore
    believed = re.search(r'"ping timeout": ([\d_]+)', CONNECTION.read_text())
    assert believed
    assert told["pingInterval"] + told["pingTimeout"] == int(believed[1])
    await raw.close()


async def test_half_open_handshakes_keep_nobody_out(attacker: Browser, served: Served):
    raws = [await RawSocket(attacker).connect() for _ in range(200)]
    for raw in raws:
        await raw.write(b"GET /_event/ HTTP/1.1\r\nHost: localhost\r\nCookie: ")
    opened = [await RawSocket(attacker).open(f"made-up-{number}") for number in range(100)]
    async with steady.timeout(PATIENCE), Browser(served).tab("/landing") as tab:
        assert tab.says("role") == "visitor"
    for raw in (*raws, *opened):
        await raw.close()


async def test_a_head_longer_than_any_browser_sends_is_refused(attacker: Browser):
    for name in ("Cookie", "User_Agent", "X_Forwarded_For"):
        raw = await RawSocket(attacker, **{name: "a=" + "x" * 200_000}).connect()
        assert " 101 " not in await raw.ask(f"{NAMESPACE}/?token=x&EIO=4&transport=websocket")
        await raw.close()
