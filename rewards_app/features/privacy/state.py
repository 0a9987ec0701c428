"""How it stands with somebody's copy of their data, and asking for it."""

from typing import Any

from rewards_app.core.access import Form, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.accounts import proving
from rewards_app.features.privacy import export_rules, exports, handing
from rewards_app.features.privacy.export_rules import Status
from rewards_app.features.privacy.exports import Shown

QUERY = "export"


class ExportState(AppState):
    is_loaded: bool = False
    has_password: bool = True
    export: dict[str, Any] = {}
    """The newest copy; empty where none was asked for."""
    is_link_dead: bool = False
    """The link that led here opens nothing."""

    @signed_in(even_suspended=True)
    async def load(self):
        self._forget_refusal()
        async with transaction() as session:
            self.has_password = await proving.has_password(session, self._actor.user_id)
        await self._look()
        asked = self._query.get(QUERY, "")[: export_rules.TOKEN_LENGTH + 1]
        self.is_link_dead = bool(asked) and asked != self.export.get("token")
        self.is_loaded = True

    @signed_in(passive=True, even_suspended=True)
    async def refresh(self):
        if self.is_loaded:
            await self._look()

    @signed_in(even_suspended=True)
    async def ask(self, form: Form):
        self._start_work()
        yield
        now, password = utc_now(), form.get("password", "")
        async with transaction() as session:
            await proving.prove(session, self._actor, password, self._caller, now=now)
            await exports.ask(session, self._actor, now=now)
        self.is_busy = self.is_link_dead = False
        await then_show(self._look)
        self._notify("gdpr.initiated", "gdpr.initiated_text")

    @signed_in(even_suspended=True)
    async def explain(self):
        """No file came: the page shows what became of it, or says what kept it."""
        self._forget_refusal()
        token = self.export.get("token", "")
        await self._look()
        if token == self.export.get("token", ""):
            await handing.explain(self._actor, token, now=utc_now())
        status = self.export.get("status")
        self.is_link_dead = not (status and Status(status).is_gone)

    async def _look(self) -> None:
        async with transaction() as session:
            found = await exports.newest(session, self._actor, now=utc_now())
        self._keep(export=_row(found) if found else {})


def _row(shown: Shown) -> dict[str, Any]:
    return {
        "status": shown.status.value,
        "percent": shown.percent,
        "expires_at": shown.expires_at.isoformat() if shown.expires_at else "",
        "taken_at": shown.taken_at.isoformat() if shown.taken_at else "",
        "token": shown.token,
    }
