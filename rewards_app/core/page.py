"""A page of the app is one row: where it is, what it shows, for whom."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE, Role
from rewards_app.core.routes import Audience
from rewards_app.core.state import ROUTES, VISITOR, AppState

NOBODY: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class Page:
    """`title` is a key of the catalogue; `on_load` runs only for those whom the page is for.

    One path may have a page for each kind of person.
    """

    path: str
    view: Callable[[], rx.Component]
    title: str
    roles: frozenset[Role] = NOBODY
    visitors: bool = False
    on_load: Sequence[Any] = field(default_factory=tuple)
    is_shown_at_once: bool = False
    """Part of the prerendered document: shown before anyone knows who is looking."""

    @property
    def audience(self) -> Audience:
        return Audience(self.roles, self.visitors)

    @property
    def viewers(self) -> list[str]:
        return [*sorted(role.value for role in self.roles), *([VISITOR] if self.visitors else [])]


EVERYBODY = EVERY_ROLE


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page; the composition root says what it looks like."""

    around: Callable[[rx.Component], rx.Component]
    loading: Callable[[], rx.Component]
    not_found: Callable[[], rx.Component]
    title: Callable[[str], rx.Component]


def add_pages(app: rx.App, pages: Iterable[Page], frame: Frame) -> None:
    """Register every page with its guard, its frame and its title."""
    by_path: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_path[page.path].append(page)
    for path, rows in by_path.items():
        ROUTES[path] = {page.audience: page.on_load for page in rows}
        app.add_page(_framed(rows, frame), route=path, title=APP_TITLE, on_load=[AppState.enter])
    app.add_page(
        lambda: _shell(frame, "not_found.title", _for_nobody(frame)),
        route="404",
        title=APP_TITLE,
        on_load=[AppState.enter],
    )


APP_TITLE = "WatchCoins"


def _framed(rows: Sequence[Page], frame: Frame) -> Callable[[], rx.Component]:
    def build() -> rx.Component:
        first = rows[0]
        if first.is_shown_at_once:
            return _shell(frame, first.title, first.view())
        views = [(viewer, page.view()) for page in rows for viewer in page.viewers]
        content = rx.match(AppState.role, *views, _for_nobody(frame))
        return _shell(frame, first.title, content)

    return build


def _for_nobody(frame: Frame) -> rx.Component:
    """Not here for this person; while they are being led elsewhere, the loading screen."""
    return rx.cond(AppState.is_missing, frame.not_found(), frame.loading())


def _shell(frame: Frame, title: str, content: rx.Component) -> rx.Component:
    return rx.fragment(frame.title(title), frame.around(content))
