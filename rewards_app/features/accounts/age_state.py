"""The age prompt: one question, asked again of the young, and for the youngest a notice."""

from rewards_app.core.access import Form, public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.gate import current_actor
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.accounts import age, age_rules


class AgeState(AppState):
    asked_years: int = 0
    """How old they are by what they typed, while they are asked whether that is right."""
    has_reconsidered: bool = False
    """They said that it is not."""
    needs_parents: bool = False
    """Their age is saved, and the notice about parental consent is still open."""

    @public()
    async def verify(self, form: Form):
        self._start_work()
        yield
        actor = current_actor.get()
        if actor is None:
            raise age_rules.SignInFirst
        not_saved = age_rules.AgeNotSaved
        with told_as(not_saved.title, broken=not_saved, away=not_saved):
            async with transaction() as session:
                answer = await age.verify_age(
                    session,
                    actor,
                    form.get("birth_date", ""),
                    zone=form.get("zone", ""),
                    confirmed=form.get("confirmed", ""),
                    now=utc_now(),
                )
        self.is_busy = False
        if not answer.is_kept:
            self.asked_years = answer.years
            return
        self._begin_anew()
        self.needs_age = False
        self.needs_parents = answer.years < age_rules.YOUNGEST_WITHOUT_PARENTS
        if not self.needs_parents:
            self._welcome()

    @public()
    async def reconsider(self):
        """What they typed is not right: it still stands there."""
        self._begin_anew()
        self.has_reconsidered = True

    @public()
    async def close_notice(self):
        """The young have read that they need their parents' consent."""
        if self.needs_parents:
            self.needs_parents = False
            self._welcome()

    def _begin_anew(self) -> None:
        self._keep(asked_years=0, has_reconsidered=False)

    def _welcome(self) -> None:
        self._notify("age.welcome_title", "age.welcome_text", style="gaming")

    def _refuse(self, error: DomainError) -> None:
        """Something else is typed now than what was asked about."""
        super()._refuse(error)
        self._begin_anew()
