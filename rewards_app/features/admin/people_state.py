"""People as admins find them, the one who is looked into, and what is decided about them."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import then_show
from rewards_app.features.accounts import age, directory, restrictions, role_rules, roles
from rewards_app.features.accounts.devices import device_of
from rewards_app.features.accounts.directory import (
    OpenSession,
    People,
    Person,
    Search,
    Story,
    Which,
)
from rewards_app.features.admin.state import PATH, AdminState
from rewards_app.features.advertiser import directory as companies
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.coins import service as coins

EVERY_SESSION = "all"


class PeopleDeskState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    search: str = ""
    """A whole id, or what an email or a name begins with."""
    which: str = ""
    """Whom the list shows; empty: everybody."""
    round: int = 0
    """Another one when the search is given up or none is set yet: its field begins anew."""
    people: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    person: dict[str, Any] = {}
    """Who is looked into."""
    sessions: list[dict[str, Any]] = []
    restrictions: list[dict[str, Any]] = []
    """What they may not do now, and why."""
    chosen_role: str = ""
    ending: str = ""
    """Which session is asked about: its id, or all of them; empty while none is."""

    _is_loading: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        self._begin_search()
        self._is_loading = True
        await self._load_newest()
        self.is_loaded, self._is_loading = True, False
        if wanted := id_from(self._query.get("person", "")):
            await self._look_into(wanted)

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody came or was changed, however far down they stand."""
        if not self.is_loaded or not await self._is_seen():
            return
        await self._renew()
        if self.person:
            await self._look_into(UUID(self.person["id"]))

    @allow(Role.ADMIN, passive=True)
    async def refresh_person(self):
        """Somebody signed in or out: that stands in no list, only with who is looked into."""
        if self.person and await self._is_seen():
            await self._look_into(UUID(self.person["id"]))

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self.search = form.get("search", "").strip()
        await self._load_newest()

    @allow(Role.ADMIN)
    async def choose(self, which: str):
        if which not in set(Which):
            raise BadArguments
        self.which = which
        await self._load_newest()

    @allow(Role.ADMIN)
    async def show_all(self):
        self._begin_search()
        await self._load_newest()

    @allow(Role.ADMIN)
    async def load_more(self, before: Identifier):
        """Older accounts; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        found = await self._found(before)
        self.people = self.people + [_row(person) for person in found.shown]
        self.next_before = str(found.next_before or "")

    @allow(Role.ADMIN)
    async def look_into(self, account_id: Identifier):
        self._close()
        await self._look_into(account_id)

    @allow(Role.ADMIN)
    async def close(self):
        self._close()

    @allow(Role.ADMIN)
    async def choose_role(self, role: str):
        """Its consequence is read before it is decided on."""
        if role not in set(Role):
            raise BadArguments
        self.chosen_role = role

    @allow(Role.ADMIN)
    async def change_role(self, form: LongForm):
        """Of the person who is looked into, to what was chosen."""
        if not self.person:
            return
        self._start_work()
        yield
        person, role = self.person, self.chosen_role
        why = role_rules.reason_from(form.get("reason", ""))
        async with transaction() as session:
            await roles.change(
                session,
                self._actor,
                UUID(person["id"]),
                Role(role),
                why,
                seen=Role(person["role"]),
                now=utc_now(),
            )
        self.is_busy = False
        done = "declined" if role == person["role"] else "role_changed"
        self._notify(
            f"admin.people.{done}_title",
            f"admin.people.{done}_text",
            name=person["name"],
            role=[f"roles.{role}"],
        )
        await then_show(self._look_again)

    @allow(Role.ADMIN)
    async def ask_to_end(self, session_id: str):
        """One of the sessions that are shown, or all of them."""
        self._forget_refusal()
        known = {EVERY_SESSION, "", *(row["id"] for row in self.sessions)}
        if session_id not in known:
            raise directory.SessionIsOver
        self.ending = session_id

    @allow(Role.ADMIN)
    async def end_sessions(self, form: LongForm):
        if not self.person or not self.ending:
            return
        self._start_work()
        yield
        account_id = UUID(self.person["id"])
        only = None if self.ending == EVERY_SESSION else UUID(self.ending)
        async with transaction() as session:
            count = await directory.end_sessions(
                session, self._actor, account_id, form.get("reason", ""), only=only, now=utc_now()
            )
        self.is_busy = False
        self.ending = ""
        self._notify(
            "admin.people.ended_title",
            "admin.people.ended_text",
            count=count,
            name=self.person["name"],
        )
        await then_show(lambda: self._look_into(account_id))

    @allow(Role.ADMIN)
    async def send_verification(self):
        if not self.person:
            return
        self._forget_refusal()
        async with transaction() as session:
            await directory.send_verification(
                session, self._actor, UUID(self.person["id"]), now=utc_now()
            )
        self._notify(
            "admin.people.mailed_title", "admin.people.mailed_text", email=self.person["email"]
        )

    @allow(Role.ADMIN)
    async def ask_birth_date(self, form: LongForm):
        """Of the person who is looked into: they mistyped it."""
        if not self.person:
            return
        self._start_work()
        yield
        account_id = UUID(self.person["id"])
        why = role_rules.reason_from(form.get("reason", ""))
        async with transaction() as session:
            await age.ask_again(session, self._actor, account_id, why, now=utc_now())
        self.is_busy = False
        self._notify(
            "admin.people.age_asked_title", "admin.people.age_asked_text", name=self.person["name"]
        )
        await then_show(lambda: self._look_into(account_id))

    def _begin_search(self) -> None:
        """What is being typed while the list still comes is not taken away."""
        if self.search or self.which:
            self.search, self.which = "", ""
            self.round += 1

    async def _is_seen(self) -> bool:
        return (await self.get_state(AdminState)).tab == "people"

    async def _found(self, before: UUID | None = None, *, limit: int | None = None) -> People:
        async with transaction() as session:
            wanted = Search(self.search, Which(self.which))
            return await directory.find(session, wanted, before=before, limit=limit)

    async def _renew(self) -> None:
        """All that is shown is read again, and who has come above it."""
        found = await self._found(limit=so_many(self.people, directory.A_PAGE))
        rows = [_row(person) for person in found.shown]
        people = read_again(self.people, rows, is_all=found.next_before is None)
        if people:
            self.people = people
        else:
            self._list(found)

    async def _load_newest(self) -> None:
        self._list(await self._found())

    def _list(self, found: People) -> None:
        self.people = [_row(person) for person in found.shown]
        self.next_before = str(found.next_before or "")

    async def _look_again(self) -> None:
        """Who is looked into, and the list behind them."""
        await self._look_into(UUID(self.person["id"]))
        await self._renew()

    async def _look_into(self, account_id: UUID) -> None:
        again = self.person.get("id") == str(account_id)
        async with transaction() as session:
            told = await directory.look_into(
                session, self._actor, account_id, again=again, now=utc_now()
            )
            held = await restrictions.open_of(session, account_id)
            company = await companies.acted_for(session, self._actor, account_id)
        balance = await coins.balance_of(account_id)
        is_new = self.person.get("role") != told.person.role.value
        self.person = _details(told) | {
            "balance": balance.balance,
            "held": balance.held,
            "is_self": account_id == self._actor.user_id,
            "company": company.name if company else "",
            "company_card": f"{CARD}{company.id}" if company else "",
        }
        self.restrictions = [
            {
                "kind": one.kind,
                "at": one.begun_at.isoformat(),
                "reason": "" if one.is_automatic else one.reason,
                "grounds": one.grounds,
            }
            for one in held
        ]
        current = self._actor.session_id
        self.sessions = [_session_row(one, is_own=one.id == current) for one in told.sessions]
        if is_new:
            self.chosen_role = told.person.role.value
        if self.ending not in {EVERY_SESSION, *(row["id"] for row in self.sessions)}:
            self.ending = ""

    def _forget(self) -> None:
        self.is_loaded, self.has_failed = False, False
        self._close()

    def _close(self) -> None:
        self.person, self.sessions, self.restrictions = {}, [], []
        self.chosen_role, self.ending, self.refusal = "", "", {}

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place; who is gone is shown no more."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False
        if isinstance(error, role_rules.UnknownAccount):
            self.person = {}


def _row(person: Person) -> dict[str, Any]:
    """A person as the list shows them."""
    return {
        "id": str(person.id),
        "name": person.name,
        "email": person.email,
        "role": person.role.value,
        "is_verified": person.is_verified,
        "asked_for_admin": person.asked_for_admin,
        "is_paused": "earning_paused" in person.restrictions,
        "is_suspended": "suspended" in person.restrictions,
        "is_closing": person.is_closed and not person.is_erased,
        "is_erased": person.is_erased,
        "is_special": _is_special(person),
        "since": person.since.isoformat(),
    }


def _is_special(person: Person) -> bool:
    return (
        bool(person.restrictions)
        or person.is_closed
        or person.asked_for_admin
        or not person.is_verified
    )


def _details(told: Story) -> dict[str, Any]:
    account_id, facts = told.person.id, told.facts
    return _row(told.person) | {
        "language": facts.language,
        "country": facts.country,
        "is_age_verified": facts.is_age_verified,
        "has_password": facts.has_password,
        "providers": ", ".join(facts.providers),
        "last_active": facts.last_active_at.isoformat() if facts.last_active_at else "",
        "case": f"{PATH}?{urlencode({'tab': 'fraud', 'case': account_id})}",
        "orders": f"{PATH}?{urlencode({'tab': 'orders', 'search': account_id})}",
        "audit": f"{PATH}?{urlencode({'tab': 'audit', 'about': f'account:{account_id}'})}",
    }


def _session_row(known: OpenSession, *, is_own: bool) -> dict[str, Any]:
    device = device_of(known.user_agent)
    return {
        "id": str(known.id),
        "device": " · ".join(part for part in device if part),
        "since": known.created_at.isoformat(),
        "active": known.last_active_at.isoformat(),
        "is_own": is_own,
    }
