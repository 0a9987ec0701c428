"""Every handler that a client can name, as Reflex itself registered them."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from reflex_base.registry import RegistrationContext

import rewards_app.rewards_app  # noqa: F401  fills the registry; builds nothing
from rewards_app.core.access import Access, access_of
from rewards_app.core.reflex_events import OWN
from tests.hostile.client import APP, AUTH, HOME, ROOT, SESSION

OF_TESTS = ".tests___"
"""What the names of states have in them that tests make for themselves."""
REGISTERED = {
    name: access_of(registered.handler.fn)
    for name, registered in RegistrationContext.get().event_handlers.items()
    if OF_TESTS not in name
}
DECLARED: dict[str, Access] = {name: access for name, access in REGISTERED.items() if access}
UNDECLARED = sorted(REGISTERED.keys() - DECLARED.keys() - OWN.keys())
MADE_UP = (
    f"{APP}._show",
    f"{APP}._refuse",
    f"{APP}._notify",
    f"{APP}._start_work",
    f"{APP}._actor",
    f"{APP}.reset",
    f"{APP}.dict",
    f"{APP}.get_state",
    f"{APP}.__init__",
    f"{APP}.__class__",
    f"{APP}.set_role",
    f"{APP}.role",
    f"{AUTH}._finish",
    f"{AUTH}.sign_in ",
    f"{AUTH}.SIGN_IN",
    f"{AUTH}.sign_in.sign_in",
    f"{SESSION}._end_session",
    f"{HOME}.load\n",
    f"{ROOT}.sign_in",
    f"{ROOT}.update_vars_internal",
    "sign_in",
    "auth_state.sign_in",
    "rewards_app.cli.promote",
    "_redirect",
    "_call_function",
    "..",
    "",
    "' or 1=1 --",
)


def short(name: str) -> str:
    """As the log names it: the state's own name and the handler."""
    state, _, handler = name.rpartition(".")
    return f"{state.rpartition('___')[2]}.{handler}"


def by_state(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Those of one state together: they can be called in one tab."""
    for state, own in groupby(sorted(names), key=lambda name: short(name).partition(".")[0]):
        yield state, list(own)


def plausible_arguments(access: Access) -> dict[str, object]:
    """What the page would send: a filled form, or a line of text."""
    form = {"email": "someone@example.com", "password": "Some-Word-of-9"}
    return {name: form if name == "form" else "sv" for name in access.arguments.model_fields}
