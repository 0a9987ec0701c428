"""The sandbox's checkout page: a card that pays, one that does not, and a webhook that is lost."""

from typing import Any

import reflex as rx

from rewards_app.core.access import allow
from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.state import AppState
from rewards_app.features.payments import sandbox, service
from rewards_app.features.payments.sandbox import ShownTestCheckout

PAYERS = MEMBER_ROLES
COMPANIES_MONEY = "usd"


class TestPaymentState(AppState):
    __test__ = False

    is_loaded: bool = False
    checkout: dict[str, Any] = {}
    """What is to be paid; empty for what is not this person's."""
    is_for_company: bool = False
    """A company's money: no coins come back when it is not paid."""
    was_declined: bool = False
    loses_webhook: bool = False

    @allow(*PAYERS)
    async def load(self):
        self.was_declined, self.loses_webhook, self.checkout = False, False, {}
        self.is_for_company = False
        wanted = self._query.get("checkout", "")[: sandbox.LONGEST_NAME]
        try:
            async with transaction() as session:
                self._display(await sandbox.shown(session, self._actor, wanted, now=utc_now()))
        except sandbox.UnknownTestCheckout:
            # The page says so itself.
            pass
        self.is_loaded = True

    @allow(*PAYERS)
    async def lose_webhook(self, is_lost: bool):
        self.loses_webhook = is_lost

    @allow(*PAYERS)
    async def pay(self, checkout_id: str):
        self.is_busy = True
        yield
        async with transaction() as session:
            paid = await sandbox.pay(
                session,
                self._actor,
                checkout_id,
                loses_webhook=self.loses_webhook,
                now=utc_now(),
            )
        self.is_busy = False
        yield rx.redirect(await service.way_back(paid.payment_id, "paid"))

    @allow(*PAYERS)
    async def decline(self, checkout_id: str):
        self.was_declined = False
        self.is_busy = True
        yield
        async with transaction() as session:
            await sandbox.decline(session, self._actor, checkout_id, now=utc_now())
        self.is_busy = False
        self.was_declined = True

    @allow(*PAYERS)
    async def cancel(self, checkout_id: str):
        async with transaction() as session:
            shown = await sandbox.shown(session, self._actor, checkout_id, now=utc_now())
        return rx.redirect(await service.way_back(shown.payment_id, "cancelled"))

    def _display(self, shown: ShownTestCheckout) -> None:
        self.is_for_company = shown.currency == COMPANIES_MONEY
        self.checkout = {
            "id": shown.id,
            "description": shown.description,
            "amount": shown.amount,
            "currency": shown.currency,
            "status": shown.status,
        }

    def _refuse(self, error: DomainError) -> None:
        super()._refuse(error)
        if isinstance(error, sandbox.TestCheckoutEnded):
            self.checkout = self.checkout | {"status": "ended"}
