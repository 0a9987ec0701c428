"""The drawings of the app's own tables: its pages, and who may call the handlers of each slice."""

from collections import defaultdict
from collections.abc import Iterable

from reflex_base.registry import RegistrationContext

from rewards_app.core.access import Access, access_of
from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.i18n.languages import ADDRESSES, HOME
from rewards_app.rewards_app import PAGES
from tools.drawings.imports import SLICES
from tools.drawings.svg import EDGE, Drawing

VISITOR = "visitor"
PEOPLE = (VISITOR, *(role.value for role in Role))
COLUMN, ROW, TOP, FIRST = 92, 26, 108, 200
OF_DEVELOPERS = "/dev/"


def pages() -> str:
    """Each address once, for whom it is there, and what has it refreshed."""
    known: dict[str, list[Page]] = defaultdict(list)
    for page in PAGES:
        if not page.path.startswith(OF_DEVELOPERS):
            known[_shown(page.path)].append(page)
    topics = {
        path: sorted({one for p in found for one in p.follows}) for path, found in known.items()
    }
    drawing = Drawing(1120, TOP + len(known) * ROW + EDGE, "The pages, and for whom each is there")
    _head(
        drawing,
        "For whom each page is there",
        "A ring: this page is refreshed when something of that person's own has changed",
        PEOPLE,
    )
    follows = EDGE + FIRST + len(PEOPLE) * COLUMN
    drawing.say(follows, TOP - 14, "follows", colour="quiet", size=13)
    for number, path in enumerate(sorted(known)):
        y = _row(drawing, number, path)
        for column, person in enumerate(PEOPLE):
            _mark(drawing, column, y, [page for page in known[path] if _is_for(page, person)])
        drawing.say(follows, y + 5, _few(topics[path]), colour="quiet", size=12)
    return drawing.written()


def _shown(path: str) -> str:
    """The front pages of single languages are one line."""
    return "/<language>" if path in ADDRESSES and path != HOME else path


def _is_for(page: Page, person: str) -> bool:
    return page.visitors if person == VISITOR else person in page.roles


def _mark(drawing: Drawing, column: int, y: int, found: list[Page]) -> None:
    x = EDGE + FIRST + column * COLUMN + 24
    if any(page.refreshes for page in found):
        drawing.ring(x, y)
    elif found:
        drawing.dot(x, y)


def _few(topics: list[str]) -> str:
    more = f" and {len(topics) - 3} more" if len(topics) > 3 else ""
    return ", ".join(topics[:3]) + more


BY_ITSELF = "by itself"
WHO = ("anybody", VISITOR, "all members", *(role.value for role in Role), BY_ITSELF)


def handlers() -> str:
    """Which people each slice has handlers for, and whether some run without anybody asking."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, registered in RegistrationContext.get().event_handlers.items():
        access = access_of(registered.handler.fn)
        module = registered.handler.fn.__module__
        if access and not name.endswith(".setvar"):
            found[_slice_of(module)].update(_callers(access))
    drawing = Drawing(
        1120, TOP + len(found) * ROW + EDGE, "Who may call the handlers of each slice"
    )
    _head(
        drawing,
        "Who may call the handlers of each slice",
        "Every handler declares it; the gate refuses all others. By itself: passive handlers",
        WHO,
    )
    for number, part in enumerate(sorted(found)):
        y = _row(drawing, number, part)
        for column, who in enumerate(WHO):
            if who in found[part]:
                x = EDGE + FIRST + column * COLUMN + 24
                drawing.dot(x, y, colour="gold" if who == BY_ITSELF else "cyan")
    return drawing.written()


def _slice_of(module: str) -> str:
    is_in_a_slice = module.startswith(f"{SLICES}.")
    return module.split(".")[2] if is_in_a_slice else module.split(".")[1]


def _callers(access: Access) -> set[str]:
    everybody = access.roles == frozenset(Role)
    by_itself = {BY_ITSELF} if access.is_passive else set[str]()
    if everybody:
        return {"anybody" if access.visitors else "all members"} | by_itself
    return (
        {role.value for role in access.roles}
        | by_itself
        | ({VISITOR} if access.visitors else set())
    )


def _head(drawing: Drawing, title: str, text: str, columns: Iterable[str]) -> None:
    drawing.say(EDGE, 40, title, size=20, weight="700")
    drawing.say(EDGE, 62, text, colour="quiet")
    for number, column in enumerate(columns):
        x = EDGE + FIRST + number * COLUMN + 24
        drawing.say(x, TOP - 14, column, colour="quiet", size=13, anchor="middle")


def _row(drawing: Drawing, number: int, name: str) -> int:
    """The line in the middle of the new row."""
    y = TOP + number * ROW
    if number % 2 == 0:
        drawing.band(EDGE, y, drawing.width - 2 * EDGE, ROW)
    drawing.say(EDGE + 12, y + ROW // 2 + 5, name, size=13)
    return y + ROW // 2
