"""Arguments that no page sends: refused, ignored or cut off, and the server lives on."""

import json
from typing import Any

import pytest
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY

from rewards_app.core.access import LONGEST_FORM
from tests.hostile.client import (
    AGE,
    APP,
    AUTH,
    CONSENT,
    HYDRATE,
    ROOT,
    UPDATE_VARS,
    Answer,
    Browser,
)
from tests.hostile.evidence import Diary
from tests.hostile.handlers import DECLARED, short
from tests.serving import Served

pytestmark = pytest.mark.usefixtures("nothing_changes")

PLANTED = "Planted-Word-of-9"
FORMS = [
    *(f"{AUTH}.{name}" for name in ("sign_up", "sign_in", "forgot", "reset_password")),
    f"{AGE}.verify",
]
LINES = {
    f"{AUTH}.weigh_password": "password",
    f"{APP}.choose_language": "code",
    f"{CONSENT}.remember": "stored",
}
BESIDES: dict[str, dict[str, Any]] = {f"{AUTH}.weigh_password": {"names": ["maja@example.com"]}}
"""What else a handler takes: with a good line it would be called."""
NO_ARGUMENTS = sorted(
    name
    for name, access in DECLARED.items()
    if access.visitors and not access.arguments.model_fields
)


def nested(depth: int) -> Any:
    value: Any = PLANTED
    for _ in range(depth):
        value = [value]
    return value


BAD_FORMS: dict[str, Any] = {
    "a number": 5,
    "a decimal": 1.5,
    "a boolean": True,
    "nothing": None,
    "a line": PLANTED,
    "a list": [PLANTED],
    "a number in a field": {"email": 5, "password": PLANTED},
    "nothing in a field": {"email": None, "password": PLANTED},
    "a boolean in a field": {"email": True, "password": PLANTED},
    "a list in a field": {"email": [PLANTED]},
    "an operator in a field": {"email": {"$gt": ""}, "password": {"$ne": PLANTED}},
    "nested 50 deep": {"email": nested(50)},
    "nested 400 deep": {"email": nested(400)},
    "41 fields": {f"field{n}": PLANTED for n in range(41)},
    "200 KB in a field": {"email": "a@example.com", "password": PLANTED + "x" * 200_000},
    "a long name of a field": {"e" * 301: PLANTED},
    "NUL": {"email": "a@example.com\0", "password": PLANTED},
    "a bell": {"email": "a@example.com", "password": f"{PLANTED}\x07"},
    "an escape": {"email": "\x1b[2Ja@example.com", "password": PLANTED},
    "half a character": {"email": "\ud800@example.com", "password": PLANTED},
    "half a character in a name": {"email\udfff": PLANTED},
    "entries that are no pairs": {FORM_DATA_ENTRIES_KEY: [["email"], ["password"]]},
    "entries of numbers": {FORM_DATA_ENTRIES_KEY: [[1, 2]]},
    "entries that cannot be names": {FORM_DATA_ENTRIES_KEY: [[["email"], PLANTED]]},
    "41 entries": {FORM_DATA_ENTRIES_KEY: [["email", PLANTED]] * (LONGEST_FORM + 1)},
    "10,000 entries": {FORM_DATA_ENTRIES_KEY: [["email", "a"]] * 10_000},
}
A_LONG_FIELD = {"email": "a@example.com", "password": PLANTED + "x" * 300}
BAD_LINES: dict[str, Any] = {
    "a number": 5,
    "a decimal": 1.5,
    "a boolean": True,
    "nothing": None,
    "a list": ["sv"],
    "a dict": {"sv": PLANTED},
    "nested 400 deep": nested(400),
    "301 characters": "x" * 301,
    "200 KB": "x" * 200_000,
    "NUL": f"{PLANTED}\0",
    "a bell": f"{PLANTED}\x07",
    "half a character": f"{PLANTED}\ud800",
}
BAD_PAYLOADS: dict[str, Any] = {
    "is empty": {},
    "is a list": [PLANTED],
    "is a list of pairs": [["form", PLANTED]],
    "is a line": PLANTED,
    "is an empty line": "",
    "is a number": 7,
    "has one argument too many": {"form": {}, "password": "x", "code": "x", "role": "admin"},
    "has a hidden argument": {"self": PLANTED},
}
SAYS_BESIDE_IT = f"{AUTH}.sign_up"
"""Where a field itself says that it is too long."""
REFUSED: dict[str, dict[str, Any]] = {
    **{
        name: {what: {"form": form} for what, form in BAD_FORMS.items()}
        | ({} if name == SAYS_BESIDE_IT else {"a long field": {"form": A_LONG_FIELD}})
        | BAD_PAYLOADS
        for name in FORMS
    },
    **{
        name: {what: {argument: line} | BESIDES.get(name, {}) for what, line in BAD_LINES.items()}
        | BAD_PAYLOADS
        for name, argument in LINES.items()
    },
    **{
        name: {repr(payload): payload for payload in ({"role": "admin"}, [PLANTED], PLANTED, 7)}
        for name in NO_ARGUMENTS
    },
}


@pytest.mark.parametrize("name", REFUSED, ids=short)
async def test_bad_arguments_are_refused(visitor: Browser, served: Served, name: str):
    async with visitor.tab() as tab:
        for what, payload in REFUSED[name].items():
            diary = Diary(served)
            answer = await tab.call(name, payload)
            assert answer.is_refusal, (what, answer.changed, answer.events)
            assert answer.refused_as == "bad_arguments", what
            diary.line_with("gate.bad_arguments", f"handler={short(name)}", "role=visitor")
            assert not diary.gives_away(PLANTED, *visitor.cookies.values()), what


def a_call_of(name: str, payload: str) -> str:
    return f'["event",{{"name":{json.dumps(name)},"payload":{payload}}}]'


DEEP = "[" * 10_000 + "]" * 10_000
DEEP_DICTS = '{"a":' * 10_000 + "1" + "}" * 10_000
PACKETS = {
    "NaN": a_call_of(f"{APP}.choose_language", '{"code":NaN}'),
    "Infinity": a_call_of(f"{APP}.choose_language", '{"code":Infinity}'),
    "minus Infinity": a_call_of(f"{APP}.choose_language", '{"code":-Infinity}'),
    "a number beyond all": a_call_of(f"{APP}.choose_language", '{"code":1e999}'),
    "5,000 digits": a_call_of(f"{APP}.choose_language", '{"code":' + "9" * 5_000 + "}"),
    "a list 10,000 deep": a_call_of(f"{APP}.choose_language", f'{{"code":{DEEP}}}'),
    "a dict 10,000 deep": a_call_of(f"{APP}.choose_language", f'{{"code":{DEEP_DICTS}}}'),
    "a form 10,000 deep": a_call_of(f"{AUTH}.sign_in", f'{{"form":{DEEP}}}'),
    "a payload 10,000 deep": a_call_of(f"{AUTH}.sign_in", DEEP),
    "half a packet": f'["event",{{"name":"{APP}.enter","password":"{PLANTED}',
    "no JSON at all": PLANTED,
    "an event that is a line": json.dumps(["event", PLANTED]),
    "an event that is a list": json.dumps(["event", [PLANTED]]),
    "an event that is a number": '["event",4]',
    "an event that is nothing": '["event"]',
    "an event without a name": json.dumps(["event", {"payload": {"password": PLANTED}}]),
    "a name that is a number": json.dumps(["event", {"name": 5, "payload": {"a": PLANTED}}]),
    "a name that is nothing": json.dumps(["event", {"name": None, "payload": {"a": PLANTED}}]),
    "a name that is a list": json.dumps(["event", {"name": [PLANTED]}]),
    "a name that is a dict": json.dumps(["event", {"name": {"a": PLANTED}}]),
    "another kind of message": json.dumps(["subscribe", PLANTED]),
    "a connection within the connection": '["connect",{"QUERY_STRING":"token=x"}]',
    "a connection without the wire": '["connect"]',
    "the end of the connection": '["disconnect"]',
    "the end of the connection, with a reason": f'["disconnect","{PLANTED}"]',
    "a method of the namespace": '["_build_static_router_data",{}]',
}


@pytest.mark.usefixtures("it_lives_on")
@pytest.mark.parametrize("packet", PACKETS.values(), ids=PACKETS)
async def test_a_malformed_packet_does_nothing(visitor: Browser, diary: Diary, packet: str):
    async with visitor.tab() as tab:
        answer = await tab.send_text(packet)
    assert _is_harmless(answer), (answer.changed, answer.events)
    assert not diary.gives_away(PLANTED, *visitor.cookies.values())


@pytest.mark.usefixtures("it_lives_on")
@pytest.mark.parametrize("name", [*FORMS, *LINES], ids=short)
async def test_a_megabyte_closes_the_socket(visitor: Browser, diary: Diary, name: str):
    async with visitor.tab() as tab:
        answer = await tab.call(name, {"form": {"password": PLANTED + "x" * 1_000_000}})
    assert not answer.socket_stays_open
    assert not diary.gives_away(PLANTED)


ROUTES: dict[str, Any] = {
    "a number": 5,
    "a list": [PLANTED],
    "a number as the path": {"pathname": 5},
    "a dict as the path": {"pathname": {"a": PLANTED}},
    "a path of 100 KB": {"pathname": "/" + "a/" * 50_000, "asPath": "/" + "a/" * 50_000},
    "another number as the path": {"pathname": "/auth", "asPath": 7},
    "a list as the query": {"pathname": "/auth", "query": [PLANTED]},
    "a foreign host": {"pathname": "/auth", "asPath": "//evil.example/auth"},
    "a path upwards": {"pathname": "/../../etc/passwd", "asPath": "/../../etc/passwd"},
    "headers, an address and a token": {
        "pathname": "/auth",
        "headers": {"cookie": f"session={PLANTED}"},
        "ip": "198.51.100.7",
        "token": PLANTED,
        "sid": PLANTED,
    },
}


@pytest.mark.usefixtures("it_lives_on")
@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
async def test_a_made_up_route_makes_nobody_else_of_the_visitor(
    visitor: Browser, diary: Diary, route: Any
):
    async with visitor.tab() as tab:
        await tab.call(f"{APP}.check_in", {}, router_data=route)
        denied = await tab.call(f"{APP}.still_here", {}, router_data=route)
        assert tab.says("role") == "visitor"
        assert not denied.changed or denied.is_refusal
    assert "198.51.100.7" not in diary.text()


OWN_EVENTS: dict[str, tuple[str, Any]] = {
    "vars that are a number": (UPDATE_VARS, {"vars": 5}),
    "vars that are a list": (UPDATE_VARS, {"vars": [PLANTED]}),
    "vars that are nothing": (UPDATE_VARS, {"vars": None}),
    "no vars": (UPDATE_VARS, {}),
    "a payload that is a list": (UPDATE_VARS, [PLANTED]),
    "a var without a name": (UPDATE_VARS, {"vars": {"": PLANTED}}),
    "a var of an unknown state": (UPDATE_VARS, {"vars": {"nowhere.role": PLANTED}}),
    "an unknown var": (UPDATE_VARS, {"vars": {f"{APP}.nothing": PLANTED}}),
    "a hydration of numbers": (HYDRATE, {"vars": 5}),
    "a hydration of nowhere": (HYDRATE, {"vars": {"nowhere.role": PLANTED}}),
    "a hydration with hashes of dicts": (HYDRATE, {"vars": {}, "hashes": [1, {}]}),
    "a hydration with too much": (HYDRATE, {"role": PLANTED}),
    "hydrated by a dict": (f"{ROOT}.set_is_hydrated", {"value": {"a": PLANTED}}),
}


@pytest.mark.usefixtures("it_lives_on")
@pytest.mark.parametrize(("name", "payload"), OWN_EVENTS.values(), ids=OWN_EVENTS)
async def test_an_event_of_reflex_itself_reaches_nothing_of_ours(
    visitor: Browser, diary: Diary, name: str, payload: Any
):
    async with visitor.tab() as tab:
        answer = await tab.call(name, payload)
        assert not answer.changed
        assert tab.says("role") == "visitor"
        assert PLANTED not in json.dumps([tab.says(name) for name in ("name", "email", "door")])
    assert not diary.gives_away(PLANTED)


def _is_harmless(answer: Answer) -> bool:
    return answer.is_silence or answer.is_refusal or not answer.socket_stays_open
