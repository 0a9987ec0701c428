"""What a provider of card payments does for us."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from rewards_app.features.payments.rules import Checkout


@dataclass(frozen=True, slots=True)
class Asked:
    """A payment as its checkout shows it."""

    payment_id: UUID
    account_id: UUID
    description: str
    amount: int
    currency: str
    email: str
    language: str
    expires_at: datetime
    paid_url: str
    cancelled_url: str


@dataclass(frozen=True, slots=True)
class Opened:
    checkout_id: str
    url: str


class Gateway(Protocol):
    """Each call may raise ProviderAway, after which it is safe to repeat, or ProviderRefused."""

    name: str
    is_for_trial: bool
    """No money moves."""

    async def open(self, asked: Asked) -> Opened:
        """A checkout for this payment; the same payment is asked for once, however often called."""
        ...

    async def find(self, checkout_id: str) -> Checkout: ...

    async def close(self, checkout_id: str) -> Checkout:
        """Nobody can pay it any more, unless somebody has: then it is as it was."""
        ...

    async def pay_back(self, payment_id: UUID, intent_id: str, amount: int) -> str:
        """Return the money, once for each payment; the refund's name."""
        ...
