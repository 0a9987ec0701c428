"""The money of companies: entries that are the truth, and the balance beside them.

Amounts are thousandths of a cent: a view costs a thousandth of its campaign's budget.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.ads.budgets import VIEWS


class Kind(StrEnum):
    OPENING = "opening"
    TOP_UP = "top_up"
    SET_ASIDE = "set_aside"
    """For the budget of a campaign that starts."""
    GIVEN_BACK = "given_back"
    """What a campaign that has ended did not spend."""
    CREDITED = "credited"
    """The price of a view that turned out invalid after its campaign was settled."""
    RETURNED = "returned"
    """A top-up that was paid back to the card."""


ENTERING: LiteralString = """
owned as (
    update advertisers set balance = advertisers.balance + moved.amount
    from moved where advertisers.id = moved.advertiser_id
    returning advertisers.id, advertisers.balance
),
entered as (
    insert into advertiser_entries
        (advertiser_id, amount, kind, cause, subject, balance_after, created_at)
    select owned.id, moved.amount, moved.kind, moved.cause, moved.subject, owned.balance, moved.at
    from moved join owned on owned.id = moved.advertiser_id
    returning advertiser_id, balance_after
)
"""
"""Two parts of one statement `with moved as (…), …`: its one row becomes an entry.

`moved` has advertiser_id, amount, kind, cause, subject and at. A cause that was entered before
breaks the whole statement.
"""

ENTER: LiteralString = f"""
with moved as (
    select id as advertiser_id, %(amount)s::bigint as amount, %(kind)s::text as kind,
        %(cause)s::text as cause, %(subject)s::text as subject, %(now)s::timestamptz as at
    from advertisers
    where id = %(advertiser)s and (not %(is_covered)s or balance + %(amount)s >= 0)
    for no key update
),
{ENTERING}
select balance_after from entered
"""  # noqa: S608  (both parts are ours)


async def enter(
    session: AsyncSession,
    advertiser_id: UUID,
    amount: int,
    kind: Kind,
    cause: str,
    *,
    subject: str = "",
    is_covered: bool = False,
    now: datetime,
) -> bool:
    """Write one entry; False where it must be covered by the balance, and is not."""
    values = {
        "advertiser": advertiser_id,
        "amount": amount,
        "kind": kind,
        "cause": cause,
        "subject": subject,
        "is_covered": is_covered,
        "now": now,
    }
    return await write(session, ENTER, values) is not None


BOOKS: LiteralString = f"""
select balance,
    (select coalesce(sum(({VIEWS} - taken) * budget_cents), 0) from ad_campaigns
        where advertiser_id = advertisers.id and set_aside_at is not null and settled_at is null)
from advertisers where id = %(id)s
"""  # noqa: S608  (all parts are ours)


@dataclass(frozen=True, slots=True)
class Funds:
    """What a company has: to spend, and set aside for campaigns and not yet taken by a view."""

    balance: int
    set_aside: int


async def funds_of(session: AsyncSession, advertiser_id: UUID) -> Funds:
    found = await rows(session, BOOKS, {"id": advertiser_id})
    return Funds(int(found[0][0]), int(found[0][1]))
