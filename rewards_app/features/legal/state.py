"""Whether somebody who is signed in was told of every edition since they read last."""

from typing import Any

from rewards_app.core.access import signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.legal import service
from rewards_app.features.legal.rules import Document, Edition, newest


class LegalState(AppState):
    news: list[dict[str, Any]] = []
    """What was changed since this person was told last."""

    _knows: str = ""
    """Which session has been told of everything, and of which editions: it is not asked again."""

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
        await self._look()

    async def _look(self) -> None:
        untold = await service.untold(self._actor.user_id)
        self._keep(news=[_row(edition) for edition in untold])
        self._knows = "" if untold else self._all_that_is_told

    @property
    def _all_that_is_told(self) -> str:
        """A tab outlives an update of the app, which may bring a newer edition."""
        return " ".join([str(self._actor.session_id), *map(_name, map(newest, Document))])


async def look_for_news(app: AppState) -> None:
    """With every page: its frame says what is new."""
    state = await app.get_state(LegalState)
    if state._knows != state._all_that_is_told:
        await state._look()


def _name(edition: Edition) -> str:
    return f"{edition.document}:{edition.number}"


def _row(edition: Edition) -> dict[str, Any]:
    document = edition.document
    return {
        "document": document.value,
        "changed": edition.changed,
        "is_newest": edition == newest(document),
    }
