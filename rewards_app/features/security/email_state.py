"""What the links of a change of address do: the one takes the new one, the other stops it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from rewards_app.core.access import public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import addresses, links, rules
from rewards_app.features.accounts.addresses import Done


class EmailState(AppState):
    stage: str = ""
    """Empty until the link is known; then what its button does, one of `addresses.Does`, and one
    of `addresses.Done` once that is done."""
    address: str = ""
    """Where the account is by then."""

    _token: str = ""

    @public(passive=True)
    async def open(self):
        """Looks only: who opens a mail's link has not decided yet, and mail scanners open all."""
        query = self._query
        self.stage = self.address = ""
        self._token = query.get("token", "")[:100]
        with self._refusing_in_place():
            await self._look(links.STOP if query.get("do") == "stop" else links.USE)

    async def _look(self, purpose: str) -> None:
        async with transaction() as session:
            meant = await addresses.meant(
                session, self._token, purpose, self._caller, now=utc_now()
            )
        self.stage, self.address = meant.does.value, meant.email

    @public()
    async def use(self):
        yield self._start_work()
        with self._refusing_in_place():
            async with self._ending_with_the_link(links.USE):
                async with transaction() as session:
                    await addresses.use(session, self._token, self._caller, now=utc_now())
                self._end(Done.USED.value)

    @public()
    async def stop(self):
        yield self._start_work()
        with self._refusing_in_place():
            async with self._ending_with_the_link(links.STOP):
                async with transaction() as session:
                    back = await addresses.stop(session, self._token, self._caller, now=utc_now())
                self._end((Done.BACK if back else Done.STOPPED).value)
            if back:
                # Whoever was signed in is led out now, and reads it elsewhere.
                self._notify("auth.email.back_title", "auth.email.back_short", email=back)

    @asynccontextmanager
    async def _ending_with_the_link(self, purpose: str) -> AsyncGenerator[None]:
        """Where it is over the page says so, and has nothing left to press."""
        try:
            yield
        except rules.LinkUsed:
            # Pressed twice, or on two screens: it says what was done.
            self._end("")
            await self._look(purpose)
        except links.OVER:
            self._end("")
            raise

    def _end(self, stage: str) -> None:
        self.is_busy = False
        self.stage = stage
