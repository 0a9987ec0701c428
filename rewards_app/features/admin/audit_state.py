"""The audit log as admins read it: searched, narrowed down, leafed through."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.features.admin.change_rows import changed, key_of
from rewards_app.features.admin.state import AdminState
from rewards_app.features.audit import log, rules
from rewards_app.features.audit.log import Lines
from rewards_app.features.audit.rules import Line, Origin

SHEET = "/exports/audit.csv"
PERSON = "account:"


class AuditLogState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    search: str = ""
    """Words of names, labels and reasons."""
    action: str = ""
    by: str = ""
    """Somebody's id, or an origin without a person; empty: of everybody."""
    about: str = ""
    about_label: str = ""
    """What that was called in its last line."""
    round: int = 0
    """Another one when another search is set than was typed: its field begins anew."""
    doers: list[list[str]] = []
    """Everybody who ever did something: id and name."""
    lines: list[dict[str, Any]] = []
    """Newest first."""
    next_before: int = 0
    """Older lines come before this one; 0 where there are none."""
    sheet: str = SHEET
    """Where what is found is taken along."""

    _is_loading: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self.is_loaded, self.has_failed = False, False
        self._is_loading = True
        # What is being typed while the lines still come is not taken away.
        self.round += bool(self.search)
        self._ask_for(about=self._query.get("about", ""))
        await self._load_doers()
        await self._load_newest()
        self.is_loaded, self._is_loading = True, False

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something was written down: the newest are read again, older ones stay."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != "audit":
            return
        found = await self._found()
        lines = renewed(self.lines, [_row(line, self._names) for line in found.shown], key="number")
        if lines:
            self.lines = lines
        else:
            self._list(found)
        await self._load_doers()

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self._ask_for(form.get("search", ""), self.action, self.by, self.about)
        await self._load_newest()

    @allow(Role.ADMIN)
    async def choose_action(self, action: str):
        self._ask_for(self.search, action, self.by, self.about)
        await self._load_newest()

    @allow(Role.ADMIN)
    async def choose_doer(self, by: str):
        self._ask_for(self.search, self.action, by, self.about)
        await self._load_newest()

    @allow(Role.ADMIN)
    async def show_all(self):
        self._ask_for()
        self.round += 1
        await self._load_newest()

    @allow(Role.ADMIN)
    async def load_more(self, before: int):
        """Older lines; asked twice for the same ones, they come once."""
        if not self.next_before or before != self.next_before:
            return
        found = await self._found(before)
        self.lines = self.lines + [_row(line, self._names) for line in found.shown]
        self.next_before = found.next_before or 0

    def _ask_for(self, search: str = "", action: str = "", by: str = "", about: str = "") -> None:
        asked = rules.search_from(search, action, by, about)
        self.search, self.action, self.by, self.about = asked.text, action, by, asked.about
        self.sheet = f"{SHEET}?{urlencode(asked.values)}" if asked.values else SHEET

    async def _found(self, before: int | None = None) -> Lines:
        wanted = rules.search_from(self.search, self.action, self.by, self.about)
        async with transaction() as session:
            return await log.find(session, wanted, before=before)

    async def _load_newest(self) -> None:
        found = await self._found()
        self._list(found)
        is_known = bool(self.about and found.shown)
        self.about_label = (found.shown[0].label or self.about) if is_known else self.about

    def _list(self, found: Lines) -> None:
        self.lines = [_row(line, self._names) for line in found.shown]
        self.next_before = found.next_before or 0

    async def _load_doers(self) -> None:
        async with transaction() as session:
            known = await log.doers(session)
        self._keep(doers=[[str(doer.id), doer.name] for doer in known])

    @property
    def _names(self) -> dict[str, str]:
        return {doer[0]: doer[1] for doer in self.doers}

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False


def _row(line: Line, names: Mapping[str, str]) -> dict[str, Any]:
    """A line as the page shows it; `names` are those of who did something."""
    is_person = line.origin == Origin.PERSON
    return {
        "number": line.number,
        "at": line.created_at.isoformat(),
        "who": line.actor_name if is_person else "",
        "origin": line.origin,
        "action": line.action,
        "about": line.about,
        "label": line.label,
        "person": line.about.removeprefix(PERSON) if line.about.startswith(PERSON) else "",
        "changes": changed(line.before, line.after, names),
        "reason": line.reason,
        "is_erased": line.is_erased,
        # Where nobody wrote one it is a key, like the texts that its reader sees.
        "reason_key": key_of(("restrictions",), line.reason.removeprefix("restrictions.")),
    }
