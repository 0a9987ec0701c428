"""What the links of a change of address do: the one takes the new one, the other stops it."""

from collections.abc import Generator
from contextlib import contextmanager

from rewards_app.core.access import public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import addresses, links

USED, STOPPED, BACK = "used", "stopped", "back"


class EmailState(AppState):
    stage: str = ""
    """Empty until the link is known; then what its button does, one of `addresses.Does`; USED,
    STOPPED or BACK, once that is done."""
    address: str = ""
    """Where the account is by then."""

    _token: str = ""

    @public(passive=True)
    async def open(self):
        """Looks only: who opens a mail's link has not decided yet, and mail scanners open all."""
        query = self.router.url.query_parameters
        self.stage = self.address = ""
        self._token = query.get("token", "")[:100]
        purpose = links.STOP if query.get("do") == "stop" else links.USE
        with self._refusing_in_place():
            async with transaction() as session:
                meant = await addresses.meant(
                    session, self._token, purpose, self._caller, now=utc_now()
                )
            self.stage, self.address = meant.does.value, meant.email

    @public()
    async def use(self):
        yield self._start_work()
        with self._refusing_in_place(), self._ending_with_the_link():
            async with transaction() as session:
                await addresses.use(session, self._token, self._caller, now=utc_now())
            self._end(USED)

    @public()
    async def stop(self):
        yield self._start_work()
        with self._refusing_in_place(), self._ending_with_the_link():
            async with transaction() as session:
                back = await addresses.stop(session, self._token, self._caller, now=utc_now())
            self._end(BACK if back else STOPPED)
            if back:
                # Whoever was signed in is led out now, and reads it elsewhere.
                self._notify("auth.email.back_title", "auth.email.back_text", email=back)

    @contextmanager
    def _ending_with_the_link(self) -> Generator[None]:
        """Where it is over the page says so, and has nothing left to press."""
        try:
            yield
        except links.OVER:
            self._end("")
            raise

    def _end(self, stage: str) -> None:
        self.is_busy = False
        self.stage = stage
