"""The page that somebody came for before they had signed in."""

import reflex as rx

from rewards_app.core.access import Line, signed_in
from rewards_app.core.page import title_at
from rewards_app.core.routes import home_of
from rewards_app.core.state import AppState


class WantedState(AppState):
    address: str = ""
    title: str = ""
    """A key of the catalogue."""

    @signed_in(passive=True, even_suspended=True)
    async def offer(self, address: Line):
        """Their browser remembers it; anybody may say anything, and only what is theirs counts."""
        role = self._actor.role
        title = None if self.is_suspended else title_at(address, role)
        is_theirs = title is not None and address != home_of(role)
        self.address, self.title = (address, title or "") if is_theirs else ("", "")

    @signed_in()
    async def follow(self):
        address, self.address = self.address, ""
        return rx.redirect(address) if address else None

    @signed_in()
    async def forget(self):
        self.address = ""
