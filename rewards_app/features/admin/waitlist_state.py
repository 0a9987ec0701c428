"""The waiting people as admins see them, and whether each was told."""

from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any

from rewards_app.core.access import Identifier, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import told_as
from rewards_app.features.waitlist import service
from rewards_app.features.waitlist.service import NotLoaded, NotUpdated, Stretch
from rewards_app.features.waitlist.sheet import Cursor, Waiting
from rewards_app.i18n.written import number


class WaitlistState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    search: str = ""
    """What an address begins with."""
    round: int = 0
    """Another one when the search is given up or none is set yet: its field begins anew."""
    people: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older ones come before this one; empty where there are none."""
    counts: dict[str, int] = {}
    """`unconfirmed`, `to_tell` and `told`."""
    is_telling: bool = False
    """The letters that the doors are open are on their way."""
    is_asking: bool = False
    """Whether they shall leave is asked."""

    _next: Cursor | None = None

    @allow(Role.ADMIN)
    async def load(self):
        self.is_loaded, self.has_failed, self.is_asking = False, False, False
        self._begin_search()
        try:
            with _in_swedish("admin.waitlist.not_loaded", NotLoaded):
                self._list(await self._found())
                await self._count()
        except DomainError:
            self.has_failed = True
            raise
        self.is_loaded = True

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody came, or was told: the newest are read again, older ones stay."""
        if self.is_loaded:
            await self._renew()
            await self._count()

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self.search = form.get("search", "").strip()
        await self._search()

    @allow(Role.ADMIN)
    async def show_all(self):
        self._begin_search()
        await self._search()

    @allow(Role.ADMIN)
    async def load_more(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) != self.next_before or self._next is None:
            return
        with _in_swedish("admin.waitlist.not_loaded", NotLoaded):
            found = await self._found(self._next)
        self.people = self.people + [_row(one) for one in found.shown]
        self._remember(found)

    @allow(Role.ADMIN)
    async def turn(self, entry_id: Identifier, notified: bool):
        """`notified` is what becomes of the row: pressed twice it is pressed once."""
        with _in_swedish("admin.waitlist.error", NotUpdated):
            async with transaction() as session:
                await service.mark(session, self._actor, entry_id, notified=notified, now=utc_now())
        self.people = [
            row | {"notified": notified} if row["id"] == str(entry_id) else row
            for row in self.people
        ]
        self._notify("admin.waitlist.updated", "")

    @allow(Role.ADMIN)
    async def ask(self):
        """How many they are is counted anew before anybody says yes."""
        with _in_swedish("admin.waitlist.not_loaded", NotLoaded):
            await self._count()
        self.is_asking = True

    @allow(Role.ADMIN)
    async def stop_asking(self):
        self.is_asking = False

    @allow(Role.ADMIN)
    async def send_opening(self):
        self.is_asking = False
        with _in_swedish("admin.waitlist.error", NotUpdated):
            async with transaction() as session:
                people = await service.open_doors(session, self._actor, now=utc_now())
        self.is_telling = True
        shown = number(people, "sv")
        self._notify("admin.waitlist.sending_title", "admin.waitlist.sending_text", shown=shown)

    def _begin_search(self) -> None:
        """What is being typed while the list still comes is not taken away."""
        if self.search:
            self.search = ""
            self.round += 1

    async def _search(self) -> None:
        with _in_swedish("admin.waitlist.not_loaded", NotLoaded):
            self._list(await self._found())

    async def _count(self) -> None:
        async with transaction() as session:
            counts = await service.counts(session)
            is_telling = await service.is_telling(session)
        self._keep(counts=asdict(counts), is_telling=is_telling)

    async def _found(self, before: Cursor | None = None, *, limit: int | None = None) -> Stretch:
        async with transaction() as session:
            return await service.newest(session, begins=self.search, before=before, limit=limit)

    async def _renew(self) -> None:
        """Whoever left is shown to nobody any more, however far down they stood."""
        found = await self._found(limit=so_many(self.people, service.A_PAGE))
        rows = [_row(one) for one in found.shown]
        people = read_again(self.people, rows, is_all=found.next_before is None)
        if people:
            self.people = people
        else:
            self._list(found)

    def _list(self, found: Stretch) -> None:
        self.people = [_row(one) for one in found.shown]
        self._remember(found)

    def _remember(self, found: Stretch) -> None:
        self._next = found.next_before
        self.next_before = str(found.next_before[1]) if found.next_before else ""


def _in_swedish(title: str, words: type[DomainError]) -> AbstractContextManager[None]:
    """In the specification's words, whatever language the admin reads, also while we are away."""
    return told_as(title, broken=words, away=words)


def _row(one: Waiting) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "email": one.email,
        "date": one.day.isoformat(),
        "notified": one.notified,
        "is_confirmed": one.is_confirmed,
    }
