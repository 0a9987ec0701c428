"""Whether somebody who is signed in was told of the newest editions."""

from typing import Any

from rewards_app.core.access import signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.legal import service
from rewards_app.features.legal.rules import Document, Edition


class LegalState(AppState):
    news: list[dict[str, Any]] = []
    """What was changed since this person was told last."""

    _knows: str = ""
    """The session that has been told of everything: nothing is asked again."""

    @signed_in(passive=True, even_suspended=True)
    async def read_terms(self):
        await self._note(Document.TERMS)

    @signed_in(passive=True, even_suspended=True)
    async def read_privacy(self):
        await self._note(Document.PRIVACY)

    @signed_in(even_suspended=True)
    async def understood(self):
        """Everything that the banner says was seen."""
        await self._note(None)

    async def _note(self, document: Document | None) -> None:
        async with transaction() as session:
            await service.note_reading(session, self._actor.user_id, document, now=utc_now())
        await self._look(str(self._actor.session_id))

    async def _look(self, session_id: str) -> None:
        untold = await service.untold(self._actor.user_id)
        self._keep(news=[_row(edition) for edition in untold])
        self._knows = "" if untold else session_id


async def look_for_news(app: AppState) -> None:
    """With every page: its frame says what is new."""
    state = await app.get_state(LegalState)
    session_id = str(state._actor.session_id)
    if state._knows != session_id:
        await state._look(session_id)


def _row(edition: Edition) -> dict[str, Any]:
    return {"document": edition.document.value, "changed": edition.changed}
