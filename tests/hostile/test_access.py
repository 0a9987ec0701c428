"""Every handler times every identity: who is not admitted changes nothing and learns nothing."""

import pytest

from tests.hostile.client import (
    AGE,
    APP,
    AUTH,
    CENSUS,
    CONSENT,
    HOME,
    ORDERS,
    PROBLEM,
    SHOP,
    TEST_PAYMENT,
    Browser,
)
from tests.hostile.evidence import Diary
from tests.hostile.handlers import (
    DECLARED,
    MADE_UP,
    REGISTERED,
    UNDECLARED,
    plausible_arguments,
    short,
)
from tests.hostile.identities import IDENTITIES, VISITOR

pytestmark = pytest.mark.usefixtures("nothing_changes")


def _admits(name: str, identity: str) -> bool:
    access = DECLARED[name]
    return access.visitors if identity == VISITOR else identity in access.roles


DENIED = [
    pytest.param(name, identity, id=f"{short(name)} as {identity}")
    for name in sorted(DECLARED)
    for identity in IDENTITIES
    if not _admits(name, identity)
]
UNDECLARED_ROWS = [
    pytest.param(name, identity, id=f"{short(name)} as {identity}")
    for name in UNDECLARED
    for identity in IDENTITIES
]
MADE_UP_ROWS = [
    pytest.param(name, identity, id=f"{name.rpartition('___')[2]!r} as {identity}")
    for name in MADE_UP
    for identity in (VISITOR, "admin")
]
SETVAR_ROWS = [
    pytest.param(state, name, value, id=f"{name} becomes {value!r}"[:60])
    for state, name, value in (
        (APP, "role", "admin"),
        (APP, "name", "Somebody else"),
        (APP, "email", "admin@demo.watchcoins.example"),
        (APP, "balance", 1_000_000),
        (APP, "door", "https://evil.example"),
        (APP, "notice", {"title": "<script>"}),
        (APP, "language", "sv"),
        (APP, "_session_hash", "0" * 64),
        (APP, "_is_acquainted", False),
        (APP, "_actor", {"role": "admin"}),
        (AUTH, "mailed_to", "victim@example.com"),
        (AUTH, "mode", "verified"),
        (APP, "needs_age", False),
        (AGE, "needs_parents", True),
        (CONSENT, "_stored", '{"ipLogging": true}'),
        (AUTH, "_token", "made-up"),
        (HOME, "account", {"email": "x"}),
        (CENSUS, "census", {"players": 9}),
        (SHOP, "offer", {"to_pay": 0, "is_free": True}),
        (SHOP, "_coins", 999),
        (SHOP, "done", {"id": "made-up"}),
        (ORDERS, "orders", [{"status": "completed"}]),
        (PROBLEM, "order_id", "01999999-9999-7999-8999-999999999999"),
        (TEST_PAYMENT, "checkout", {"amount": 1}),
    )
]


def test_the_registry_was_read():
    assert len(DECLARED) >= 15
    assert len(UNDECLARED) >= 8
    assert all(name.endswith(".setvar") for name in UNDECLARED), "declare it with @allow or @public"
    assert len(REGISTERED) > len(DECLARED) + len(UNDECLARED)


@pytest.mark.parametrize(("name", "identity"), DENIED)
async def test_a_handler_that_is_not_for_them_answers_a_refusal_only(
    known: dict[str, Browser], diary: Diary, name: str, identity: str
):
    async with known[identity].tab() as tab:
        answer = await tab.call(name, plausible_arguments(DECLARED[name]))
    assert answer.is_refusal, answer.changed
    assert answer.refused_as == "not_allowed"
    line = diary.line_with("gate.denied", f"handler={short(name)}", f"role={identity}")
    assert known[identity].address in line
    assert not diary.gives_away("Some-Word-of-9", *known[identity].cookies.values())


@pytest.mark.parametrize(("name", "identity"), UNDECLARED_ROWS)
async def test_a_handler_that_declares_nothing_is_dead_silent(
    known: dict[str, Browser], diary: Diary, name: str, identity: str
):
    async with known[identity].tab() as tab:
        answer = await tab.call(name, {"var_name": "role", "value": "admin"})
    assert answer.is_silence, answer.changed
    assert answer.socket_stays_open
    diary.line_with("gate.undeclared", f"handler={short(name)}", f"role={identity}")


@pytest.mark.parametrize(("name", "identity"), MADE_UP_ROWS)
async def test_a_handler_that_does_not_exist_is_dead_silent(
    known: dict[str, Browser], diary: Diary, name: str, identity: str
):
    """A page that is older than the server sends such a form, and it must not be logged."""
    form = {"email": "someone@example.com", "password": "Some-Word-of-9"}
    async with known[identity].tab() as tab:
        answer = await tab.call(name, {"form": form, "value": "admin"})
    assert answer.is_silence, answer.changed
    assert not diary.gives_away(*form.values(), *known[identity].cookies.values())


@pytest.mark.parametrize(("state", "name", "value"), SETVAR_ROWS)
@pytest.mark.parametrize("identity", [VISITOR, "player"])
async def test_no_var_can_be_set(
    known: dict[str, Browser], identity: str, state: str, name: str, value: object
):
    async with known[identity].tab() as tab:
        answer = await tab.call(f"{state}.setvar", {"var_name": name, "value": value})
        assert answer.is_silence, answer.changed
        seen_again = await tab.call(f"{APP}.enter")
    assert tab.says("role") == identity
    assert value not in seen_again.changed.values()
