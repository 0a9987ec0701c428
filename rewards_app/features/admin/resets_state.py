"""Wishes to sign in without a lost second factor: granted or refused, each with a reason."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.admin.state import PATH, AdminState
from rewards_app.features.admin.support_state import TAB
from rewards_app.features.factors import resets
from rewards_app.features.factors.resets import Waiting
from rewards_app.features.factors.rules import ready_once_granted

GRANT, REFUSE = "grant", "refuse"


class ResetsState(AppState):
    waiting: list[dict[str, Any]] = []
    """What has waited longest comes first; what was granted stays until it is done."""
    asked: dict[str, Any] = {}
    """The one that is about to be decided on."""
    deed: str = ""

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        await self._load()

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """One was asked for, decided, stopped or done."""
        if (await self.get_state(AdminState)).tab == TAB:
            await self._load()

    @allow(Role.ADMIN)
    async def ask(self, reset_id: Identifier, deed: str):
        """Say what it means before it is decided."""
        self._forget_refusal()
        known = (row for row in self.waiting if row["id"] == str(reset_id) and row["is_open"])
        found = next(known, {})
        if found and deed in (GRANT, REFUSE):
            self.asked, self.deed = found, deed

    @allow(Role.ADMIN)
    async def close(self):
        self._put_away()

    @allow(Role.ADMIN)
    async def grant(self, form: LongForm):
        if not self.asked or self.deed != GRANT:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await resets.grant(session, self._actor, self._id, _reason(form), now=utc_now())
        self._tell("granted")
        await then_show(self._load)

    @allow(Role.ADMIN)
    async def refuse(self, form: LongForm):
        if not self.asked or self.deed != REFUSE:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await resets.refuse(session, self._actor, self._id, _reason(form), now=utc_now())
        self._tell("refused")
        await then_show(self._load)

    @property
    def _id(self) -> UUID:
        return UUID(self.asked["id"])

    def _tell(self, done: str) -> None:
        self.is_busy = False
        self._notify(
            f"admin.resets.{done}_title", f"admin.resets.{done}_text", name=self.asked["name"]
        )
        self._put_away()

    def _forget(self) -> None:
        self.waiting = []
        self._put_away()

    def _put_away(self) -> None:
        self.asked, self.deed, self.refusal = {}, "", {}

    async def _load(self) -> None:
        async with transaction() as session:
            found = await resets.waiting(session)
        self._keep(waiting=[_row(one) for one in found])


def _reason(form: dict[str, str]) -> str:
    return form.get("reason", "")


def _row(one: Waiting) -> dict[str, Any]:
    is_open = one.status is resets.ResetStatus.WAITING
    # As it would be if it were granted now.
    ready_at = ready_once_granted(one.ready_at, now=utc_now()) if is_open else one.ready_at
    return {
        "id": str(one.id),
        "name": one.name,
        "email": one.email,
        "is_open": is_open,
        "asked_at": one.asked_at.isoformat(),
        "ready_at": ready_at.isoformat(),
        "person": f"{PATH}?{urlencode({'tab': 'people', 'person': one.account_id})}",
    }
