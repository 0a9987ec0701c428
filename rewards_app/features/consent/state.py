"""What this tab's browser said of its consent, and what came of saving it."""

from collections.abc import Awaitable, Callable

from rewards_app.core.access import public
from rewards_app.core.actor import Actor
from rewards_app.core.gate import current_actor
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.consent import rules

ON_ADDRESS_REFUSED: list[Callable[[Actor], Awaitable[None]]] = []
"""What else happens when the browser of somebody who is signed in allows no note of addresses."""


class ConsentState(AppState):
    """The browser's storage is the truth; here is only what it last told.

    Not an `rx.LocalStorage`: the server would write it back, and an emptied state would take
    away what the person chose.
    """

    counter: dict[str, str] = {}
    """Where this browser tells page views, if it may and if anything counts them."""
    counts_campaigns: bool = False
    """Whether this browser may tell which campaign led here."""
    logs_addresses: bool = False
    """What is sent along to where no state is: to who comes back from a provider."""

    _stored: str = ""

    @property
    def _may_log_address(self) -> bool:
        return rules.may_log_address(self._stored)

    @property
    def _may_count_campaigns(self) -> bool:
        return rules.may_count_campaigns(self._stored)

    @public(passive=True)
    async def remember(self, stored: str):
        """The page tells when it opens, when somebody else looks at it, and at every change."""
        self._stored = stored
        counter = settings().page_counter if rules.may_count_pages(stored) else {}
        self._keep(
            counter=counter,
            counts_campaigns=self._may_count_campaigns,
            logs_addresses=self._may_log_address,
        )
        actor = current_actor.get()
        if actor and not self._may_log_address:
            for forget in ON_ADDRESS_REFUSED:
                await forget(actor)

    @public()
    async def saved(self):
        self._notify("consent.saved_title", "consent.saved_text")

    @public()
    async def updated(self):
        """A switch was flipped where each of them counts at once."""
        self._notify("consent.updated_title", "consent.updated_text")

    @public()
    async def not_saved(self):
        self._notify("consent.not_saved_title", "consent.not_saved_text", style="destructive")
