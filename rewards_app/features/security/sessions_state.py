"""Where somebody is signed in, as Account Security lists it."""

import structlog

from rewards_app.core.access import Identifier, public, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.accounts import sessions
from rewards_app.features.security.written import session_rows

_log = structlog.get_logger(__name__)


class SessionsState(AppState):
    rows: list[dict[str, str]] = []
    """The current session first; see `written.session_rows`."""
    is_loaded: bool = False

    @signed_in(even_suspended=True)
    async def load(self):
        self.rows = []
        await self._load()

    # Public: the session that ended may be the one of the tab that hears of it.
    @public(passive=True)
    async def refresh(self):
        """A session of this account has begun or ended."""
        if self.is_loaded:
            await self._load()

    @signed_in(even_suspended=True)
    async def revoke(self, session_id: Identifier):
        try:
            with told_as("security.session_not_revoked", broken=Unexpected):
                async with transaction() as session:
                    await sessions.revoke(session, self._actor, session_id, now=utc_now())
        finally:
            # What there is now, also where it could not be revoked.
            await self._load()
        self._notify("security.session_revoked", "security.session_revoked_text")

    @signed_in(even_suspended=True)
    async def revoke_others(self):
        with told_as("security.sessions_not_revoked", broken=Unexpected):
            async with transaction() as session:
                await sessions.end_all(
                    session, self._actor.user_id, now=utc_now(), keep=self._actor.session_id
                )
        await self._load()
        self._notify("security.sessions_revoked", "security.sessions_revoked_text")

    async def _load(self) -> None:
        """A list that cannot be read is logged; what is shown stays."""
        actor = self._actor
        self._keep(is_loaded=True)
        try:
            async with transaction() as session:
                found = await sessions.alive(session, actor.user_id, now=utc_now())
        except Exception:
            _log.exception("sessions.not_loaded")
            return
        self._keep(rows=session_rows(found, actor.session_id))
