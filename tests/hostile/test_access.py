"""Every handler times every identity: who is not admitted changes nothing and learns nothing."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest

from rewards_app.core import sealed
from rewards_app.core.postgres import embedded
from rewards_app.core.settings import settings
from tests.beside import beside
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
    by_state,
    plausible_arguments,
    short,
)
from tests.hostile.identities import IDENTITIES, VISITOR
from tests.hostile.owners import TOLD, WORKED_OUT, all_rows
from tests.hostile.victims import put_to_rest
from tests.serving import Served

pytestmark = pytest.mark.usefixtures("nothing_changes", "no_row_is_different")


@pytest.fixture(scope="module")
async def no_row_is_different(known: dict[str, Browser], served: Served) -> AsyncIterator[None]:
    """After all the refusals of this file; after each of them, none that accounts keep."""
    with psycopg.connect(embedded.url_of_running(served.data), autocommit=True) as inside:
        async with beside(served):
            await put_to_rest(inside)
        before = all_rows(inside)
        yield
        changed = all_rows(inside).changed_since(before, but_of="")
    assert not {name for name in changed if name.partition(".")[0] not in WORKED_OUT | TOLD}


def _admits(name: str, identity: str) -> bool:
    access = DECLARED[name]
    return access.visitors if identity == VISITOR else identity in access.roles


def _denied() -> Iterator[Any]:
    """Handlers of one state together, in one tab of each identity that they are not for."""
    for identity in IDENTITIES:
        for state, own in by_state(name for name in DECLARED if not _admits(name, identity)):
            yield pytest.param(own, identity, id=f"{state} as {identity}")


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


@pytest.fixture
def marked_as_served(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is marked here is marked by the server's key."""
    monkeypatch.setitem(vars(settings()), "secret", (served.data / "secret").read_text())
    sealed.forget_keys()
    yield
    monkeypatch.undo()
    sealed.forget_keys()


@pytest.mark.usefixtures("marked_as_served")
@pytest.mark.parametrize(("names", "identity"), _denied())
async def test_a_handler_that_is_not_for_them_answers_a_refusal_only(
    known: dict[str, Browser], diary: Diary, names: list[str], identity: str
):
    wrong = []
    async with known[identity].tab() as tab:
        for name in names:
            answer = await tab.call(name, plausible_arguments(DECLARED[name]))
            if not (answer.is_refusal and answer.refused_as == "not_allowed"):
                wrong.append((short(name), answer.refused_as, answer.changed, answer.events))
    assert not wrong
    address = known[identity].address
    for name in names:
        line = diary.line_with("gate.denied", f"handler={short(name)} ", f"role={identity}")
        assert f"place={sealed.short_mark(address)} " in line
        assert address not in line
    assert not diary.gives_away("Some-Word-of-9", *known[identity].cookies.values())


@pytest.mark.parametrize("identity", IDENTITIES)
async def test_a_handler_that_declares_nothing_is_dead_silent(
    known: dict[str, Browser], diary: Diary, identity: str
):
    wrong = []
    async with known[identity].tab() as tab:
        for name in UNDECLARED:
            answer = await tab.call(name, {"var_name": "role", "value": "admin"})
            if not (answer.is_silence and answer.socket_stays_open):
                wrong.append((short(name), answer.changed, answer.events))
    assert not wrong
    for name in UNDECLARED:
        diary.line_with("gate.undeclared", f"handler={short(name)} ", f"role={identity}")


@pytest.mark.parametrize("identity", [VISITOR, "admin"])
async def test_a_handler_that_does_not_exist_is_dead_silent(
    known: dict[str, Browser], diary: Diary, identity: str
):
    """A page that is older than the server sends such a form, and it must not be logged."""
    form = {"email": "someone@example.com", "password": "Some-Word-of-9"}
    wrong = []
    async with known[identity].tab() as tab:
        for name in MADE_UP:
            answer = await tab.call(name, {"form": form, "value": "admin"})
            if not answer.is_silence:
                wrong.append((name, answer.changed, answer.events))
    assert not wrong
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
