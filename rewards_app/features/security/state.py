"""Account Security: which section is shown, and a new password or address."""

from rewards_app.core.access import Form, public, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.accounts import addresses, passwords, proving
from rewards_app.features.accounts.password_rules import REFUSALS
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.security import rules
from rewards_app.features.security.factors_state import FactorsState
from rewards_app.features.security.rules import Section
from rewards_app.features.security.sessions_state import SessionsState


class AccountSecurityState(AppState):
    section: str = Section.PASSWORD.value
    is_open: bool = False
    """As a dialog over another page."""
    is_loaded: bool = False
    has_password: bool = True
    is_moving: bool = False
    """The form for another address is shown."""
    moves_to: str = ""
    """The address that was just mailed a link."""

    @signed_in(even_suspended=True)
    async def open_page(self):
        """Show the section that the address names."""
        await self._load(rules.section_from(self._query.get("section")))
        return [SessionsState.load, FactorsState.load]

    # Public: the session of the tab that hears of it may have ended.
    @public(passive=True)
    async def refresh(self):
        """Another tab may have given the account its first password."""
        if self.is_loaded:
            async with transaction() as session:
                known = await proving.has_password(session, self._actor.user_id)
            self._keep(has_password=known)

    @signed_in(even_suspended=True)
    async def open_dialog(self):
        await self._load(Section.PASSWORD)
        self.is_open = True
        return [SessionsState.load, FactorsState.load]

    @signed_in(even_suspended=True)
    async def close_dialog(self):
        self.is_open = self.is_moving = False
        self._forget_refusal()
        return FactorsState.leave

    @signed_in(even_suspended=True)
    async def show(self, section: str):
        self.section = rules.section_from(section).value
        self._forget_refusal()
        return FactorsState.leave

    @signed_in(even_suspended=True)
    async def change_password(self, form: Form):
        self._start_work()
        yield
        with told_as(rules.ERROR, broken=rules.PasswordNotUpdated, even=REFUSALS):
            chosen = rules.chosen_password(form, has_password=self.has_password)
            async with transaction() as session:
                await passwords.change(
                    session, self._actor, chosen.old, chosen.new, self._caller, now=utc_now()
                )
        # Known without asking again: what was done is never told as failed.
        self.has_password = True
        await self._begin_anew(Section.PASSWORD)
        self._notify("security.password_updated", "security.password_updated_text")
        yield SessionsState.load

    @signed_in(even_suspended=True)
    async def begin_moving(self):
        self.is_moving, self.moves_to, self.refusal = True, "", {}

    @signed_in(even_suspended=True)
    async def stay(self):
        self.is_moving, self.refusal = False, {}

    @signed_in(even_suspended=True)
    async def move(self, form: Form):
        """Ask for another address; it counts once its link was opened."""
        self._start_work()
        yield
        with told_as(rules.ERROR):
            async with transaction() as session:
                self.moves_to = await addresses.ask(
                    session,
                    self._actor,
                    form.get("email", ""),
                    form.get("password", ""),
                    self._caller,
                    now=utc_now(),
                )
        self.is_busy = self.is_moving = False
        self._notify("security.address_asked", "security.address_asked_text", email=self.moves_to)

    async def _load(self, section: Section) -> None:
        async with transaction() as session:
            self.has_password = await proving.has_password(session, self._actor.user_id)
        await self._begin_anew(section)

    async def _begin_anew(self, section: Section) -> None:
        self.section = section.value
        self.is_moving, self.moves_to = False, ""
        self._forget_refusal()
        self.is_busy = False
        self.is_loaded = True
        (await self.get_state(AuthState)).strength = {}
