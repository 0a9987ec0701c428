"""What a guardian sees behind their link, and what they answer. Opening it changes nothing."""

from rewards_app.core.access import LongForm, public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.guardians import rules, service

LONGEST_TOKEN = 100


class GuardianPageState(AppState):
    stage: str = ""
    """Empty until it is known; then `asked`, `given`, `over`, or what was just answered: `gave`,
    `refused`, `withdrew`, and `withdrew_grown` where nothing waits for it any more."""
    who: str = ""
    """Whose guardian is asked, as others see them."""

    _token: str = ""

    @public(passive=True)
    async def open(self):
        self.stage, self.who = "", ""
        self._token = self._query.get("token", "")[:LONGEST_TOKEN]
        try:
            async with transaction() as session:
                asked = await service.request_of(session, self._token, self._caller, now=utc_now())
        except rules.LinkOver:
            self.stage = "over"
            return
        self.who = asked.name
        self.stage = "given" if asked.is_given else "asked"

    @public()
    async def give(self, form: LongForm):
        self._start_work()
        yield
        try:
            async with transaction() as session:
                await service.give(
                    session,
                    self._token,
                    form.get("full_name", ""),
                    self._caller,
                    is_guardian=bool(form.get("is_guardian")),
                    now=utc_now(),
                )
            self._end("gave")
        except rules.LinkOver:
            self._end("over")

    @public()
    async def refuse(self):
        self._start_work()
        yield
        try:
            async with transaction() as session:
                await service.refuse(session, self._token, self._caller, now=utc_now())
            self._end("refused")
        except rules.LinkOver:
            self._end("over")

    @public()
    async def withdraw(self):
        self._start_work()
        yield
        try:
            async with transaction() as session:
                waits_again = await service.withdraw(
                    session, self._token, self._caller, now=utc_now()
                )
            self._end("withdrew" if waits_again else "withdrew_grown")
        except rules.LinkOver:
            self._end("over")

    def _end(self, stage: str) -> None:
        self.is_busy = False
        self.stage = stage
