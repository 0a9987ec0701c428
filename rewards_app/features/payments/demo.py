"""A payment of a demo's past, as the sandbox would have made it."""

import secrets
from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.features.payments.rules import CHECKOUT_LASTS, Status
from rewards_app.features.payments.sandbox import PATH, SandboxGateway
from rewards_app.models import Payment, TestCheckout


async def add_paid(
    session: AsyncSession,
    account_id: UUID,
    purpose: str,
    subject_id: UUID,
    description: str,
    amount: int,
    *,
    paid_at: datetime,
) -> None:
    """Paid by test payment, with its checkout, so that it can be given back like any other."""
    checkout_id = f"cs_test_{secrets.token_urlsafe(32)}"
    payment = Payment(
        account_id=account_id,
        purpose=purpose,
        subject_id=subject_id,
        description=description,
        amount=amount,
        provider=SandboxGateway.name,
        status=Status.PAID,
        checkout_id=checkout_id,
        checkout_url=f"{settings().origin}{PATH}?checkout={checkout_id}",
        intent_id=f"pi_test_{secrets.token_urlsafe(18)}",
        expires_at=paid_at + CHECKOUT_LASTS,
        paid_at=paid_at,
        charged=amount,
        created_at=paid_at,
    )
    session.add(payment)
    session.add(
        TestCheckout(
            id=checkout_id,
            payment_id=payment.id,
            account_id=account_id,
            description=description,
            amount=amount,
            currency=payment.currency,
            status="complete",
            intent_id=payment.intent_id,
            expires_at=payment.expires_at,
            created_at=paid_at,
        )
    )
    await session.flush()
