"""A page of the app is one row: where it is, what it shows, for whom."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from rewards_app.core import loads
from rewards_app.core.actor import Role
from rewards_app.core.house import NAME
from rewards_app.core.routes import EXPECTING, VISITORS_FIRST, Audience
from rewards_app.core.settings import settings
from rewards_app.core.state import (
    EVEN_SUSPENDED,
    EVERYWHERE,
    ON_RETURN,
    REFRESHES,
    ROUTES,
    SAY_WHY,
    VISITOR,
    WHEN_SUSPENDED,
    AppState,
)
from rewards_app.i18n.languages import DEFAULT
from rewards_app.i18n.mail_text import words
from rewards_app.i18n.page_text import members_texts_are_here
from rewards_app.ui.wanted import Wanted

APP_TITLE = NAME
PREVIEW = "/preview.png"
NOBODY: frozenset[Role] = frozenset()
LONGEST_ADDRESS = 500
TITLES: dict[str, dict[Audience, str]] = {}
"""Of the page at each path, for each of those whom it is for; filled from the page table."""


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
    refreshes: Sequence[Any] = field(default_factory=tuple)
    """Passive handlers that run again when something of this person's own has changed, and when
    the player's day has ended."""
    goes_on: Sequence[Any] = field(default_factory=tuple)
    """What finds out where the page was after it was cut off, where nothing on it is typed: what it
    knows may be a moment older than what it shows. Without these, what is shown is only renewed."""
    is_told: Sequence[Any] = field(default_factory=tuple)
    """Passive handlers that run when others have decided something about this person, or were
    signed in as them. Those of `refreshes` run for what they did themselves."""
    follows: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Passive handlers that run again when anything under these topics changes, whoever's it is:
    soon, and at most once a second."""
    denied: Callable[[], rx.Component] | None = None
    """For somebody whose right to see the page ended while it was open."""
    denied_to_visitors: Callable[[], rx.Component] | None = None
    """For somebody whose session ended meanwhile, until they are led away."""
    is_shown_at_once: bool = False
    """Part of the prerendered document, in the frame of visitors: shown before anyone knows who is
    looking. Whoever has another page at this path sees that one then, and until then, where a
    session is expected, that it is on its way."""
    language: str = DEFAULT
    """Of the prerendered document."""
    description: str = ""
    """A key of the catalogue: what search engines and messengers say of the page."""
    head: Callable[[], Sequence[rx.Component]] = tuple
    """What else its document says of itself to other programs; without it, where and what it is."""
    even_suspended: bool = False
    """Shown to those whose account is suspended, too."""

    @property
    def audience(self) -> Audience:
        return Audience(self.roles, self.visitors)

    @property
    def renewals(self) -> list[Any]:
        """What shows whatever changed while the page heard nothing, each once."""
        followed = (one for handlers in self.follows.values() for one in handlers)
        own = self.goes_on or self.refreshes
        return list(dict.fromkeys([*own, *self.is_told, *followed]))


Around = Callable[[rx.Component], rx.Component]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page. Each kind of person has a frame; roles may share one."""

    visitor: Around
    members: Sequence[tuple[frozenset[Role], Around]]
    loading: Callable[[], rx.Component]
    not_found: Callable[[], rx.Component]
    failed: Callable[[], rx.Component]
    """What stands in the place of a page that could not be loaded."""
    title: Callable[[str], rx.Component]
    role: Any
    """Whose page is shown."""
    suspended: Callable[[], rx.Component]
    """What a suspended account sees in a page's place."""
    when_suspended: Sequence[Any] = field(default_factory=tuple)
    """What loads with that."""
    loads: Mapping[Role, Sequence[Any]] = field(default_factory=dict)
    """What the frame itself shows of the person, loaded with every page."""

    def around(self, page: Page) -> list[tuple[list[str], Around]]:
        """Who sees `page`, and in which frame."""
        seen = [
            (sorted(role.value for role in roles & page.roles), around)
            for roles, around in self.members
            if roles & page.roles
        ]
        return [*seen, ([VISITOR], self.visitor)] if page.visitors else seen


def add_pages(app: rx.App, pages: Iterable[Page], frame: Frame) -> None:
    """Register every page with its guard, its frame and its title."""
    EVERYWHERE.update({role.value: loads for role, loads in frame.loads.items()})
    WHEN_SUSPENDED.extend(frame.when_suspended)
    loads.note([AppState.enter, *frame.when_suspended])
    by_path: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_path[page.path].append(page)
        loads.note(page.on_load)
        if page.refreshes:
            REFRESHES[page.path] = page.refreshes
        if page.even_suspended:
            EVEN_SUSPENDED.add(page.path)
        if page.denied not in (None, frame.loading):
            SAY_WHY.add(page.path)
    for path, rows in by_path.items():
        ROUTES[path] = {page.audience: page.on_load for page in rows}
        TITLES[path] = {page.audience: page.title for page in rows}
        ON_RETURN[path] = {page.audience: page.renewals for page in rows}
        app.add_page(
            _framed(rows, frame),
            route=path,
            on_load=[AppState.enter],  # pyright: ignore[reportArgumentType]
            **_document(rows),
        )
    app.add_page(
        lambda: rx.cond(AppState.is_missing, _not_found(frame), frame.loading()),
        route="404",
        title=APP_TITLE,
        on_load=[AppState.enter],  # pyright: ignore[reportArgumentType]
    )


def title_at(address: str, role: Role) -> str | None:
    """Of the page at an address of our own; None where nothing of ours is there for them."""
    if not address.startswith("/") or len(address) > LONGEST_ADDRESS:
        return None
    path = re.split("[?#]", address, maxsplit=1)[0].rstrip("/") or "/"
    titles = TITLES.get(path, {}).items()
    return next((title for audience, title in titles if audience.includes(role)), None)


def whole_address(path: str) -> str:
    """For programs that read a document elsewhere."""
    return f"{settings().origin}{path}"


def _at_once(rows: Sequence[Page]) -> Page | None:
    return next((page for page in rows if page.is_shown_at_once), None)


def _document(rows: Sequence[Page]) -> dict[str, Any]:
    """What the prerendered document says of itself before any script runs."""
    page = _at_once(rows)
    if page is None:
        said = [one for row in rows for one in row.head()]
        return {"title": APP_TITLE, "image": whole_address(PREVIEW), "meta": said}
    title = words(page.title, page.language)
    about = words(page.description, page.language) if page.description else None
    return {
        "title": title,
        "description": about,
        "image": whole_address(PREVIEW),
        "meta": [*page.head()] or _of_itself(page, title, about),
    }


def _of_itself(page: Page, title: str, about: str | None) -> list[rx.Component]:
    """For search engines and shared links, where the page brings no words of its own for them."""
    here = whole_address(page.path)
    told = {"og:title": title, "og:url": here} | ({"og:description": about} if about else {})
    return [
        rx.el.link(rel="canonical", href=here),
        *(
            rx.el.meta(content=value, custom_attrs={"property": name})
            for name, value in told.items()
        ),
    ]


def _framed(rows: Sequence[Page], frame: Frame) -> Callable[[], rx.Component]:
    at_once = _at_once(rows)

    def build() -> rx.Component:
        views = [
            (*viewers, around(_titled(page, frame)))
            for page in rows
            if page is not at_once
            for viewers, around in frame.around(page)
        ]
        if at_once:
            shown = frame.visitor(_titled(at_once, frame))
            if not views:
                return shown
            waiting = rx.el.div(frame.loading(), class_name=EXPECTING)
            either = rx.fragment(rx.el.div(shown, class_name=VISITORS_FIRST), waiting)
            return rx.match(frame.role, *views, either)  # pyright: ignore[reportReturnType]
        # Not for this person: being led elsewhere, or there is no such page for them.
        nobody = rx.cond(AppState.is_missing, _not_found(frame), _not_for_them(rows, frame))
        return rx.match(frame.role, *views, nobody)  # pyright: ignore[reportReturnType]

    # Reflex puts the parts of all pages of one module into one file, which each of them loads.
    build.__module__ = rows[0].view.__module__
    return build


def _not_for_them(rows: Sequence[Page], frame: Frame) -> rx.Component:
    loading = frame.loading()
    told: list[tuple[Any, ...]] = []
    if denied := next((page.denied for page in rows if page.denied), None):
        told.append((*(role.value for role in Role), denied()))
    if out := next((page.denied_to_visitors for page in rows if page.denied_to_visitors), None):
        # A visitor may come without the words that only members read.
        loading_or_told = rx.cond(members_texts_are_here(), out(), loading)
        told.append((VISITOR, rx.fragment(Wanted.create(), loading_or_told)))
    else:
        told.append((VISITOR, rx.fragment(Wanted.create(), loading)))
    return rx.match(AppState.role, *told, loading)  # pyright: ignore[reportReturnType]


def _titled(page: Page, frame: Frame) -> rx.Component:
    view = page.view()
    if not (page.visitors or page.even_suspended):
        view = rx.cond(rx.Var.create(AppState.is_suspended), frame.suspended(), view)
    shown = rx.cond(AppState.page_fails, frame.failed(), view) if page.on_load else view
    return rx.fragment(frame.title(page.title), shown)


def _not_found(frame: Frame) -> rx.Component:
    return rx.fragment(frame.title("not_found.title"), frame.not_found())
