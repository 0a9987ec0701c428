"""Made companies with their people, and money that they pay in."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import (
    application,
    company_repository,
    money,
    top_up_outcomes,
    top_ups,
)
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.top_up_repository import PURPOSE
from rewards_app.features.payments import purposes, sandbox
from rewards_app.features.payments import service as payments
from rewards_app.models import Advertiser, AdvertiserMember
from tests.ads import the_player
from tests.people import NOON
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer

purposes.offer(top_up_outcomes.PAYING)

A_DOLLAR = 100_000
"""In thousandths of a cent."""


@dataclass(frozen=True, slots=True)
class Company:
    id: UUID
    owner: Actor
    name: str


async def an_owner(name: str = "Freja", role: Role = Role.COMPANY) -> Actor:
    """Who could own a company, and owns none."""
    return replace(await the_player(name), role=role)


async def a_company(
    name: str = "Fjord Audio",
    *,
    owner: Actor | None = None,
    dollars: int = 0,
    status: str = "approved",
    **changes: object,
) -> Company:
    """A company with its owner, and with so much money to begin with."""
    owner = owner or await an_owner()
    known = {"company_name": name, "email": "ads@fjord.example", "status": status}
    made = Advertiser(account_id=owner.user_id, decided_at=NOON, created_at=NOON, **known | changes)
    async with transaction() as session:
        session.add(made)
        await session.flush()
        await company_repository.add_member(
            session, owner.user_id, made.id, MemberRole.OWNER, now=NOON
        )
        if dollars:
            await money.enter(
                session,
                made.id,
                dollars * A_DOLLAR,
                money.Kind.OPENING,
                f"opening:{made.id}",
                now=NOON,
            )
    return Company(made.id, owner, name)


async def a_member(company: Company, name: str = "Sven") -> Actor:
    """A colleague who acts for the company, too."""
    member = await an_owner(name)
    async with transaction() as session:
        session.add(AdvertiserMember(account_id=member.user_id, advertiser_id=company.id))
    return member


def a_form(**changes: str) -> dict[str, str]:
    """An application as it is typed."""
    typed = {
        "company_name": "Fjord Audio",
        "email": "ads@fjord.example",
        "phone": "+46 8 123 456 78",
        "website": "https://fjord.example",
    }
    return typed | changes


async def applies(actor: Actor, *, now: datetime = NOON, **changes: str) -> None:
    async with transaction() as session:
        await application.apply(session, actor, a_form(**changes), now=now)


async def is_decided(company: str, status: str, reason: str = "") -> None:
    """As an admin decides; how admins do it is another test's."""
    async with transaction() as session:
        connection = await session.connection()
        await connection.exec_driver_sql(
            "update advertisers set status = %(status)s, reason = %(reason)s, decided_at = now()"
            " where company_name = %(company)s",
            {"status": status, "reason": reason, "company": company},
        )


async def asks(
    company: Company, amount: str = "100", *, attempt: UUID | None = None
) -> top_ups.Begun:
    """The owner asks to pay money in, now."""
    return await top_ups.begin(
        company.owner, amount, attempt or new_id(), language="en", now=utc_now()
    )


async def payment_of(begun: top_ups.Begun) -> payments.DuePayment:
    found = await payments.of_subject(PURPOSE, begun.top_up_id)
    assert found is not None
    return found


async def pays_in(company: Company, amount: str = "100") -> top_ups.Begun:
    """With a test card, and comes back; the webhook is lost on its way."""
    begun = await asks(company, amount)
    checkout = (await payment_of(begun)).checkout_id
    assert checkout
    async with transaction() as session:
        await sandbox.pay(session, company.owner, checkout, loses_webhook=True, now=utc_now())
    await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
    return begun


async def is_paid_at(stripe: StripeServer, begun: top_ups.Begun) -> Thing:
    """The owner pays; what Stripe then tells, and nobody has heard yet."""
    checkout_id = (await payment_of(begun)).checkout_id
    assert checkout_id
    stripe.pay(checkout_id)
    return stripe.events_of("checkout.session.completed")[-1]


async def balance_of(company: Company) -> int:
    """In whole dollars."""
    async with transaction() as session:
        parts = (await money.funds_of(session, company.id)).balance
    assert parts % A_DOLLAR == 0
    return parts // A_DOLLAR
