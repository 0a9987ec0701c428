"""A company whose last owner is forgotten, while somebody else is at one of its campaigns."""

import asyncio

from rewards_app.core.database import transaction
from rewards_app.features.advertiser import campaigns_repository, leaving, money
from tests.ads import NOON, a_campaign
from tests.companies import A_DOLLAR, a_company
from tests.waiting import are_waiting


async def test_it_ends_in_the_order_in_which_everybody_locks(database: str):
    company = await a_company(dollars=3)
    known = {"advertiser_id": company.id, "budget_cents": 100, "set_aside_at": NOON}
    _, second = [await a_campaign(**known) for _ in range(2)]

    async def is_forgotten() -> None:
        async with transaction() as session:
            await leaving.forget(session, company.owner.user_id, company.owner.email, now=NOON)

    async with transaction() as session:
        await campaigns_repository.lock(session, None, second.id, now=NOON)
        forgetting = asyncio.create_task(is_forgotten())
        await are_waiting(database)
        kind, cause = money.Kind.CREDITED, "a view of the second campaign"
        assert await money.enter(session, company.id, A_DOLLAR, kind, cause, now=NOON)
    await forgetting
    async with transaction() as session:
        assert (await money.funds_of(session, company.id)).set_aside == 0
