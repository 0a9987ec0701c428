"""What other statements are made of, where coins move with something else: all of it or nothing."""

from typing import LiteralString

from psycopg import errors as postgres

CREDITING: LiteralString = """
credited as (
    insert into coin_balances as known (account_id, total, balance, held, ads)
    select account_id, amount, amount, 0, (kind = 'ad')::int from paid
    on conflict (account_id) do update set total = known.total + excluded.total,
        balance = known.balance + excluded.balance, ads = known.ads + excluded.ads
    returning account_id, total, balance, held
),
entered as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(paid.cause), paid.account_id, paid.amount, paid.kind, paid.cause,
        paid.subject, credited.balance + credited.held, paid.paid_at
    from paid join credited using (account_id)
    returning account_id
)
"""
"""Two parts of one statement `with paid as (…), …`: each row of `paid` becomes an entry.

`paid` has account_id, amount, kind (an earning one), cause, subject and paid_at. A cause that
was paid before breaks the whole statement.
"""

CREDITING_ALL: LiteralString = """
credited as (
    insert into coin_balances as known (account_id, total, balance, held, ads)
    select account_id, sum(amount), sum(amount), 0, count(*) filter (where kind = 'ad') from paid
    group by account_id
    on conflict (account_id) do update set total = known.total + excluded.total,
        balance = known.balance + excluded.balance, ads = known.ads + excluded.ads
    returning account_id, balance + held as owned
),
entered as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(cause), account_id, amount, kind, cause, subject,
        owned - coalesce(sum(amount) over (partition by account_id order by paid_at, cause
        rows between 1 following and unbounded following), 0), paid_at
    from paid join credited using (account_id)
    order by paid_at, cause
    returning account_id
)
"""
"""As CREDITING, where an account may be paid several times: its entries follow their moments."""

HOLDING: LiteralString = """
set_aside as (
    update coin_balances set balance = balance - wanted.amount, held = held + wanted.amount
    from wanted where coin_balances.account_id = wanted.account_id
    returning coin_balances.account_id
),
held as (
    insert into coin_holds (id, account_id, amount, cause, status, created_at)
    select hold_id, account_id, amount, cause, 'held', at from wanted
    returning id
)
"""
"""Two parts of one statement `with wanted as (…), …`: each row of `wanted` becomes a hold.

`wanted` has hold_id, account_id, amount, cause and at. Who has no coins at all must be refused
before; who has too few breaks the whole statement (`is_short_of_coins`).
"""

SETTLING: LiteralString = """
settled as (
    update coin_holds set status = 'settled', ended_at = ending.at
    from ending
    where coin_holds.cause = ending.cause and coin_holds.status not in ('settled', 'released')
    returning coin_holds.account_id, coin_holds.amount, coin_holds.cause, ending.subject, ending.at
),
owned as (
    update coin_balances set held = coin_balances.held - settled.amount
    from settled where coin_balances.account_id = settled.account_id
    returning coin_balances.account_id, coin_balances.balance + coin_balances.held as coins
),
spent as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(settled.cause), settled.account_id, -settled.amount, 'purchase',
        settled.cause, settled.subject, owned.coins, settled.at
    from settled join owned using (account_id)
    returning account_id
)
"""
"""Three parts of one statement `with ending as (…), …`: the holds of these causes are spent.

`ending` has cause, subject and at. Not `status = 'held'`: the planner would read the index of
all open holds instead of finding this one by its cause.
"""

RELEASING: LiteralString = """
released as (
    update coin_holds set status = 'released', ended_at = ending.at
    from ending
    where coin_holds.cause = ending.cause and coin_holds.status not in ('settled', 'released')
    returning coin_holds.account_id, coin_holds.amount
),
freed as (
    update coin_balances set balance = coin_balances.balance + released.amount,
        held = coin_balances.held - released.amount
    from released where coin_balances.account_id = released.account_id
    returning coin_balances.account_id
)
"""
"""Two parts of one statement `with ending as (…), …`: these holds can be spent again."""

NOTHING_IS_NEGATIVE = "nothing_is_negative"


def is_short_of_coins(failure: BaseException) -> bool:
    """Whether a statement broke because it would have left less than nothing."""
    broken = failure.diag.constraint_name if isinstance(failure, postgres.CheckViolation) else None
    return broken == NOTHING_IS_NEGATIVE
