"""A player's first steps, as the home shows them."""

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.dashboard import starting
from rewards_app.features.dashboard.start_rules import Step
from rewards_app.features.dashboard.starting import FirstSteps


class FirstStepsState(AppState):
    is_known: bool = False
    """Whether there are steps to show: until then nothing stands that they would push down."""
    next_step: str = ""
    """Empty where none is left to do, and where none are shown."""
    are_shown: bool = False
    is_won: bool = False
    """The last of them was done before the eyes of this tab."""
    done: dict[str, bool] = {}
    balance: int = 0

    @allow(*PLAYING_ROLES)
    async def open(self):
        self._lay_out(await self._read())
        self.is_known = True

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """Their end stays in sight until the home is opened again."""
        if self.next_step:
            self._lay_out(await self._read())

    @allow(*PLAYING_ROLES)
    async def skip(self):
        await self._put_aside()
        self._notify("home.steps.skipped", "home.steps.skipped_text")

    @allow(*PLAYING_ROLES)
    async def close(self):
        """Their end was seen."""
        await self._put_aside()

    def _miss(self) -> None:
        """A home without them is whole: nothing says that they are missing."""
        self._has_missed = True

    async def _put_aside(self) -> None:
        async with transaction() as session:
            await starting.put_aside(session, self._actor, now=utc_now())
        self._lay_out(None)

    async def _read(self) -> FirstSteps | None:
        async with transaction() as session:
            return await starting.opened(session, self._actor, now=utc_now())

    def _lay_out(self, steps: FirstSteps | None) -> None:
        had_more_to_do = bool(self.next_step)
        self.are_shown = steps is not None
        self.next_step = (steps.next or "") if steps else ""
        self.is_won = had_more_to_do and steps is not None and steps.next is None
        if steps:
            self.done = _as_shown(steps)
            self.balance = steps.balance


def _as_shown(steps: FirstSteps) -> dict[str, bool]:
    return {step.value: step in steps.done for step in Step}
