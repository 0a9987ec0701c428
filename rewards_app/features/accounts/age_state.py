"""The age prompt: one question, and for the young a notice after it."""

from rewards_app.core.access import Form, public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.gate import current_actor
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.accounts import age, age_rules


class AgeState(AppState):
    needs_parents: bool = False
    """Their age is saved, and the notice about parental consent is still open."""

    @public()
    async def verify(self, form: Form):
        self._start_work()
        yield
        actor = current_actor.get()
        if actor is None:
            raise age_rules.SignInFirst
        now = utc_now()
        not_saved = age_rules.AgeNotSaved
        with told_as(not_saved.title, broken=not_saved, away=not_saved):
            async with transaction() as session:
                born = await age.verify_age(session, actor, form.get("birth_date", ""), now=now)
        self.is_busy = False
        self.needs_age = False
        self.needs_parents = age_rules.needs_parents(born, today=now.date())
        if not self.needs_parents:
            self._welcome()

    @public()
    async def close_notice(self):
        """The young have read that they need their parents' consent."""
        if self.needs_parents:
            self.needs_parents = False
            self._welcome()

    def _welcome(self) -> None:
        self._notify("age.welcome_title", "age.welcome_text", style="gaming")
