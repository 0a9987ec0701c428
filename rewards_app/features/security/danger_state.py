"""Deleting one's account: asked twice, with the password, and begun at once."""

import reflex as rx

from rewards_app.core.access import Form, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.accounts import closing, proving
from rewards_app.features.coins import service as coins
from rewards_app.features.security import rules, service


class DangerState(AppState):
    is_asked: bool = False
    has_password: bool = True
    balance: int = 0
    """What a player would lose, in coins."""
    stranded: int = 0
    """What nobody else of their company could be paid back, in cents."""

    @signed_in(even_suspended=True)
    async def ask(self):
        """Show what deleting means, before anything is deleted."""
        actor = self._actor
        async with transaction() as session:
            self.has_password = await proving.has_password(session, actor.user_id)
            self.stranded = await closing.stranded(session, actor.user_id)
        self.balance = (await coins.balance_of(actor.user_id)).balance if actor.is_player else 0
        self._forget_refusal()
        self.is_asked = True

    @signed_in(even_suspended=True)
    async def stay(self):
        self.is_asked = False
        self._forget_refusal()

    @signed_in(even_suspended=True)
    async def delete(self, form: Form):
        self._start_work()
        yield
        with told_as(rules.ERROR):
            async with transaction() as session:
                await service.close_account(
                    session, self._actor, form.get("password", ""), self._caller, now=utc_now()
                )
        self.is_busy = self.is_asked = False
        self._notify("security.deletion_begun", "security.deletion_begun_text")
        yield rx.redirect("/landing", replace=True)
