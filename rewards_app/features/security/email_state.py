"""What the links of a change of address do: the one takes the new one, the other stops it."""

from rewards_app.core.access import public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import addresses


class EmailState(AppState):
    outcome: str = ""
    """`used`, `stopped` or `back`, once that is done."""
    moved_to: str = ""

    @public(passive=True)
    async def open(self):
        """A mailed link is used as soon as its page opens."""
        self.outcome = self.moved_to = ""
        return EmailState.follow

    @public()
    async def follow(self):
        query = self.router.url.query_parameters
        does = self._stop if query.get("do") == "stop" else self._use
        with self._refusing_in_place():
            await does(query.get("token", "")[:100])

    async def _stop(self, token: str) -> None:
        async with transaction() as session:
            self.moved_to = await addresses.stop(session, token, self._caller, now=utc_now())
        self.outcome = "back" if self.moved_to else "stopped"
        if self.moved_to:
            # Whoever was signed in is led out now, and reads it elsewhere.
            self._notify("auth.email.back_title", "auth.email.back_text", email=self.moved_to)

    async def _use(self, token: str) -> None:
        async with transaction() as session:
            self.moved_to = await addresses.use(session, token, self._caller, now=utc_now())
        self.outcome = "used"
