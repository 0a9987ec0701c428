"""A list of a company's own that is searched by what is typed and by status."""

from collections.abc import Container

import reflex as rx

from rewards_app.core.access import signed_in
from rewards_app.core.errors import BadArguments

LONGEST = 300


class Searched(rx.State, mixin=True):
    search: str = ""
    """What the words of those that are looked for contain."""
    status: str = ""
    """Empty: of every status."""
    round: int = 0
    """Another one when the search is given up: its field begins anew."""
    counts: dict[str, int] = {}
    """How many of each status the search finds, and `all`."""
    next_before: str = ""
    """Older ones come before this one; empty where there are none."""
    only: dict[str, str] = {}
    """What alone is shown: of one company, for who sees everybody's, or less."""

    @signed_in()
    async def find(self, text: str, typed_in: int):
        """What was typed before the search was given up says nothing anymore."""
        if typed_in == self.round and text.strip() != self.search:
            self.search = text.strip()
            await self._load_newest()

    @signed_in()
    async def submit(self, form: dict[str, str]):
        """Enter does not wait for the end of typing."""
        self.search = form.get("search", "").strip()
        await self._load_newest()

    @signed_in()
    async def choose_status(self, status: str):
        if status and status not in self._statuses():
            raise BadArguments
        self.status = status
        await self._load_newest()

    @signed_in()
    async def show_all(self):
        """Of what the list is narrowed down to."""
        await self._load_all()

    async def _load_all(self, text: str = "") -> None:
        """Anew: of every status, with `text` where the address asks for it."""
        self.search, self.status = text.strip()[:LONGEST], ""
        self.round += 1
        await self._load_newest()

    async def _load_newest(self) -> None:
        raise NotImplementedError

    def _statuses(self) -> Container[str]:
        raise NotImplementedError
