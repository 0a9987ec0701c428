"""What the front page does for visitors: joining the waitlist, and the figures below it.

Once the doors are open it leads to an account instead.
"""

from dataclasses import asdict

from rewards_app.core.access import TypedForm, visitors_only
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.landing import doors
from rewards_app.features.landing.figures import counted
from rewards_app.features.waitlist import service
from rewards_app.features.waitlist.rules import LENGTH_OF_A_CODE, NotJoined

FRIEND = "friend"


class LandingState(AppState):
    are_open: bool = False
    """The doors; they are never shut again."""
    has_joined: bool = False
    mailed_to: str = ""
    """The address that joined last; the form for another one begins with it."""
    are_counted: bool = False
    figures: dict[str, int] = {}
    """Empty where there are none yet, or nobody can tell."""

    _friend: str = ""
    """Whose link led here: remembered while the page is open, whatever language is chosen."""

    @visitors_only(passive=True)
    async def load(self):
        friend = self._query.get(FRIEND, "")[:LENGTH_OF_A_CODE]
        if friend:
            self._friend = friend
        self._keep(are_open=self.are_open or await doors.are_known_open())
        figures = await counted.fresh()
        self._keep(figures=asdict(figures) if figures and figures.players else {})
        self._keep(are_counted=True)

    @visitors_only()
    async def join(self, form: TypedForm):
        """On a page that was opened before the doors it shows that they are, and nobody joins."""
        self._start_work()
        yield
        with told_as(NotJoined.title, broken=NotJoined, away=NotJoined):
            self.are_open = self.are_open or await doors.are_open()
            if not self.are_open:
                self.mailed_to = await self._join(form.get("email", ""))
        self.is_busy, self.has_joined = False, not self.are_open

    @visitors_only()
    async def use_another(self):
        """Another address was meant: the form is back."""
        self._forget_refusal()
        self.has_joined = False

    async def _join(self, email: str) -> str:
        async with transaction() as session:
            return await service.join(
                session,
                email,
                self._caller,
                language=self._language,
                friend=self._friend,
                now=utc_now(),
            )
