"""AppState: what every page knows of the person who looks at it."""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import reflex as rx
import structlog

from rewards_app.core import access, routes, tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.errors import (
    DomainError,
    Param,
    SessionEnded,
    SessionExpired,
    StorageAway,
    Unexpected,
)
from rewards_app.core.gate import current_actor, current_caller, lacks_second_factor, loss_of
from rewards_app.core.ids import new_id
from rewards_app.i18n import languages

_log = structlog.get_logger(__name__)

VISITOR = "visitor"
ROUTES: dict[str, dict[routes.Audience, Sequence[Any]]] = {}
"""For each path, whom it is for and what then loads; filled from the page table."""
ON_RETURN: dict[str, dict[routes.Audience, Sequence[Any]]] = {}
"""For the same paths, what shows a page that was cut off what it has not heard meanwhile."""
REFRESHES: dict[str, Sequence[Any]] = {}
"""For paths that show something of their player's own, what shows it as it is now."""
EVERYWHERE: dict[str, Sequence[Any]] = {}
"""For each role, what loads with every page: its frame shows it."""

SECOND_FACTOR = "/security?section=two-factor"
"""Where admins set one up before they do anything else, where that is required."""
SAY_WHY: set[str] = set()
"""The paths whose pages tell somebody in words that their right to see them has ended."""
EVEN_SUSPENDED: set[str] = set()
"""The paths whose pages a suspended account still sees."""
WHEN_SUSPENDED: list[Any] = []
"""What loads for a suspended account on every other path: why, and how to appeal."""


BEFORE_ALL: list[Callable[["AppState"], Awaitable[None]]] = []
"""What a member is shown above every page: it comes with the page, and pushes nothing down."""
ON_LANGUAGE: list[Callable[[Actor, str], Awaitable[None]]] = []
"""What else happens when somebody who is signed in chooses a language."""


class AppState(rx.State):
    """The root of every state of ours: the actor, the language, the last notice.

    Few public vars on purpose: each is sent to every visitor.
    """

    role: str = ""
    """Empty until the session is known, then `visitor` or a Role."""
    name: str = ""
    email: str = ""
    session: str = ""
    """Which of theirs it is: a page that slept may speak up only when another one has begun."""
    place: str = ""
    """The page that was opened last and is shown: where nobody is led away or stopped."""
    is_missing: bool = False
    """There is no such page for this person."""
    language: str = rx.LocalStorage(languages.DEFAULT, name="language", sync=True)
    notice: dict[str, Any] = {}
    refusal: dict[str, Any] = {}
    """The last refusal, shown beside the form that met it."""
    is_busy: bool = False
    """A form of this page is being worked on."""
    door: str = ""
    """Where the whole document goes next: only HTTP can change the session's cookie."""
    players_online: int = 0
    needs_age: bool = False
    """This person must say when they were born before anything else."""
    is_suspended: bool = False
    """Of most pages this person sees only why, and how to appeal."""
    is_opening: bool = False
    """What the page shows is on its way."""
    page_fails: bool = False
    """What the page shows could not be loaded, and nothing on it says so."""
    visit: str = ""
    """Another one each time that a page is here or here again, and none until it is; it begins with
    this state's own mark: under another one, nothing is left of what the page had done before."""

    _session_hash: str = ""
    _door_hash: str = ""
    _is_acquainted: bool = False
    _has_lost_session: bool = False
    """Somebody was signed in here, and nobody has been since."""
    _openings: int = 0
    """How often this tab opened a page: what was begun since the last time belongs to it."""
    _mark: str = ""
    _address: str = ""
    _is_back: bool = False
    """The page was cut off, and is being found again."""
    _leads_on: int = 0
    """How often something else is still to come before the page has arrived."""
    _has_missed: bool = False
    """Something of the page could not be loaded."""
    _is_renewed: bool = False
    """The page that opens stands there, as it was before it was cut off."""
    _opened_needing_age: bool = False
    """The page was loaded for somebody whose birth date nobody knew."""
    _cares_for: str = ""
    """Whose things the page shows, where they are one owner's."""

    @property
    def _actor(self) -> Actor:
        """The person acting now; only handlers for signed-in people may ask."""
        actor = current_actor.get()
        if actor is None:
            raise SessionExpired
        return actor

    @property
    def _caller(self) -> Caller:
        return current_caller.get()

    @property
    def _query(self) -> Mapping[str, str]:
        """What the address asks for. Anybody can write one: it may say what no keyboard sends."""
        asked = self.router.url.query_parameters
        return {name: access.cleaned(said) for name, said in asked.items()}

    @property
    def _language(self) -> str:
        return languages.known(self.language)

    @access.public(passive=True)
    async def enter(self):
        """Runs when any page opens: show who is here, or lead them where they belong."""
        self._forget_refusal()
        self._openings += 1
        is_back, self._is_back = self._is_back, False
        is_whole = not (self.is_opening or self._has_missed)
        actor = current_actor.get()
        self._show(actor)
        self._opened_needing_age, self.is_busy = self.needs_age, False
        # This player may be newer than the last count.
        self.players_online = max(tabs.online(), 1) if actor and actor.is_player else tabs.online()
        path = _normal(self.router.url.path)
        # What was typed and chosen on a page that is whole stays as it is.
        is_kept = is_back and is_whole and self.place == path
        tabs.show(self._caller.tab, path)
        self._care_for(self._cares_for if is_kept else "")
        if not actor and path in languages.OF_ONE_LANGUAGE:
            self._keep(language=languages.ADDRESSES[path])
        loads = ROUTES.get(path, {})
        role = actor.role if actor else None
        place = routes.where_to(path, role, loads, routes.VISITOR_PAGES | languages.OF_ONE_LANGUAGE)
        self.is_missing = isinstance(place, routes.NotFound)
        self._begin_opening()
        if actor:
            await self._look_before_all()
        match place:
            case routes.GoTo() if is_back and not actor and self._caller.session_hash:
                self._say_it_is_over(await loss_of(self._caller.session_hash))
                return rx.redirect(routes.SIGN_IN, replace=True)
            case routes.GoTo(elsewhere):
                return rx.redirect(elsewhere, replace=True)
            case routes.Stay(audience) if self._must_add_factor(actor, path, audience):
                return rx.redirect(SECOND_FACTOR, replace=True)
            case routes.Stay() if self.is_suspended and path not in EVEN_SUSPENDED:
                return [*EVERYWHERE.get(self.role, ()), *WHEN_SUSPENDED, AppState.arrive]
            case routes.Stay(audience):
                self._keep(place=path)
                self._is_renewed = is_kept
                own = ON_RETURN.get(path, {}).get(audience, ()) if is_kept else loads[audience]
                return [*EVERYWHERE.get(self.role, ()), *own, AppState.arrive]
            case routes.NotFound():
                _log.info("page.not_found", path=path[:200], role=self.role)
                return AppState.arrive

    @access.public(passive=True)
    async def arrive(self):
        """Runs when all that the page loads has come, or has failed to."""
        self._arrive()

    @access.public(passive=True)
    async def check_in(self):
        """Called by the server when an account or a session changed: show what is true now."""
        actor = current_actor.get()
        role, was_suspended = self.role, self.is_suspended
        self._show(actor)
        if actor is None:
            return rx.redirect("/landing", replace=True)
        is_another = self.role != role and role in set(Role)
        if is_another and self._says_why(actor):
            return list(EVERYWHERE.get(self.role, ()))
        # The page shows something else now, or lacks something that may be there again.
        is_of_another_age = self.needs_age != self._opened_needing_age
        is_changed = is_another or self.is_suspended != was_suspended or is_of_another_age
        if is_changed or self._has_missed:
            return AppState.enter
        # All pages of somebody suspended show the same, and that may have been decided unheard.
        return list(WHEN_SUSPENDED) if self.is_suspended else None

    @access.public(passive=True)
    async def hear_of_end(self):
        """Called by the server when this session was ended from elsewhere: it is no accident."""
        if self._has_lost_session:
            self._say_it_is_over(SessionEnded())
        return AppState.check_in

    def _say_it_is_over(self, loss: SessionExpired) -> None:
        self._notify(loss.title, loss.text_key, style="destructive")

    def _says_why(self, actor: Actor) -> bool:
        path = _normal(self.router.url.path)
        is_theirs = any(audience.includes(actor.role) for audience in ROUTES.get(path, ()))
        return path in SAY_WHY and not is_theirs

    @access.public()
    async def choose_language(self, code: str):
        self.language = languages.known(code)
        actor = current_actor.get()
        if actor:
            for keep in ON_LANGUAGE:
                await keep(actor, self.language)
        elif _normal(self.router.url.path) in languages.ADDRESSES:
            return rx.redirect(languages.address_of(self.language), replace=True)
        return None

    @access.public(passive=True)
    async def apologise(self):
        """Something broke on our side; the log has it, the person is told."""
        self._refuse(Unexpected())

    @access.signed_in(even_suspended=True)
    async def still_here(self):
        """The page saw activity: the gate notes it, and the session lives on."""

    def _care_for(self, owner: str) -> None:
        """The page shows things of this one owner: what others change does not concern it."""
        self._keep(_cares_for=owner)
        if owner:
            tabs.care(self._caller.tab, owner)

    def _must_add_factor(self, actor: Actor | None, path: str, audience: routes.Audience) -> bool:
        is_open_to_them = audience.visitors or path in EVEN_SUSPENDED
        return actor is not None and lacks_second_factor(actor) and not is_open_to_them

    def _show(self, actor: Actor | None) -> None:
        self.role = actor.role.value if actor else VISITOR
        self.name = actor.name if actor else ""
        self.email = actor.email if actor else ""
        self.session = str(actor.session_id) if actor else ""
        self.needs_age = bool(actor and actor.needs_age)
        self._keep(is_suspended=bool(actor and actor.is_suspended))

    def _begin_opening(self) -> None:
        """What failed at the same address is shown until it has come."""
        self._mark = self._mark or str(new_id())
        address, self._address = self._address, str(self.router.url)
        self._keep(is_opening=True, page_fails=self.page_fails and address == self._address)
        self._has_missed = self._is_renewed = False
        self._leads_on = 0

    async def _look_before_all(self) -> None:
        """Where that fails nothing else comes, nor says that the page has arrived."""
        try:
            for look in BEFORE_ALL:
                await look(self)
        except Exception:
            self._fail()
            self._keep(is_opening=False)
            raise

    def _arrive(self) -> None:
        if self._leads_on:
            self._leads_on -= 1
            return
        self._keep(is_opening=False, page_fails=self.page_fails and self._has_missed)
        # What was counted may be lost with a worker: a number could come twice.
        self.visit = f"{self._mark}.{new_id()}"

    def _lead_on(self, more: Sequence[Any]) -> list[Any]:
        """What a page loads may find out what else it loads: it has arrived when that has come."""
        self._leads_on += 1
        return [*more, AppState.arrive]

    def _miss(self) -> None:
        """Some pages say themselves what is missing, where it would be.

        On others what is renewed stands there already, with whatever is typed: it only is older.
        """
        if hasattr(self, "has_failed"):
            self._has_missed = True
        elif self._leads_on or (self.is_opening and not self._is_renewed):
            self._fail()

    def _fail(self) -> None:
        self._has_missed = True
        self._keep(page_fails=True)

    def _keep(self, **values: Any) -> None:
        """Only what is different is set: what is set is sent."""
        for name, value in values.items():
            if getattr(self, name) != value:
                setattr(self, name, value)

    def _notify(self, title: str, text: str, *, style: str = "default", **params: Param) -> None:
        """Show one toast; `title` and `text` are keys of the catalogue."""
        self.notice = {
            "id": str(new_id()),
            "style": style,
            "title": title,
            "text": text,
            "params": params,
        }

    def _forget_refusal(self) -> None:
        """Of what is tried anew. Mostly there is none, and nothing to send."""
        if self.get_value("refusal"):
            self.refusal = {}

    def _start_work(self) -> None:
        """A form is on its way; what was refused before is not said of it."""
        self._forget_refusal()
        self.is_busy = True

    def _refuse(self, error: DomainError) -> None:
        self._refuse_in_place(error)
        self._notify(error.title, error.text_key, style="destructive", **error.params)

    @contextmanager
    def _refusing_in_place(self) -> Generator[None]:
        """The page itself says why not; that the database is away is said as everywhere."""
        try:
            yield
        except StorageAway:
            raise
        except DomainError as refusal:
            self._refuse_in_place(refusal)

    def _refuse_in_place(self, error: DomainError) -> None:
        """Where the page itself says nothing else, no toast says it a second time."""
        _log.info("refused", code=error.code, state=type(self).__name__)
        self.is_busy = False
        faults = {
            field: {"text": fault.text_key, "params": fault.params}
            for field, fault in error.faults.items()
        }
        self.refusal = {
            # A browser keeps what is equal: one that says the same again is another one.
            "id": str(new_id()),
            "code": error.code,
            "text": error.text_key,
            "params": error.params,
            "faults": faults,
        }


def is_member() -> rx.Var[bool]:
    """For pages: whether somebody is signed in, as far as is known yet."""
    role = rx.Var.create(AppState.role)
    return (role != "") & (role != VISITOR)


def _normal(path: str) -> str:
    return path.rstrip("/") or "/"
