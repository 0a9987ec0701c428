"""What the whole ledger says of everybody together."""

from collections.abc import Sequence
from typing import LiteralString

from rewards_app.core.database import lookup
from rewards_app.core.house import ZONE_NAME
from rewards_app.features.coins.rules import EARNING

TALLIED: LiteralString = f"""
(select day, kind, entries, amount from ledger_days
union all
select (created_at at time zone '{ZONE_NAME}')::date, kind, 1, amount from coin_entries
where number > coalesce((select settled_to from board_progress), 0)
    and not coalesce(pg_visible_in_snapshot(written_by::text::xid8,
        (select counted::pg_snapshot from board_progress)), false))
"""  # noqa: S608  (the zone is ours)
"""The whole ledger by days and kinds: what is counted, and the few entries that are not yet."""
EARNED: LiteralString = f"""
select coalesce(sum(amount), 0), coalesce(sum(entries) filter (where kind = 'ad'), 0)
from {TALLIED} as known where kind = any(%(earning)s)
"""  # noqa: S608  (both parts are ours)


async def earned() -> tuple[int, int]:
    """What players ever earned, all of them together: coins, and how many ads were among it."""
    found = await lookup(EARNED, {"earning": [kind.value for kind in EARNING]})
    assert found, "a sum is a row"
    return int(found[0]), int(found[1])


# The few at the top are found before their names: joining everybody first takes ten times as long.
# Where none of them is shown, more are looked at; how many is written out for the planner.
STRETCHES: tuple[LiteralString, ...] = ("20", "1000", "all")
_MOST_ADS: LiteralString = """
with leaders as (
    select account_id, ads from coin_balances where ads > 0 order by ads desc, account_id
    limit {}
)
select display_name, ads from leaders join accounts on accounts.id = leaders.account_id
where role = any(%s) and closed_at is null and not exists (select from account_restrictions
    where account_restrictions.account_id = leaders.account_id
        and kind = 'suspended' and ended_at is null)
order by ads desc, account_id limit 1
"""
MOST_ADS: list[LiteralString] = [_MOST_ADS.format(stretch) for stretch in STRETCHES]


async def most_ads(roles: Sequence[str]) -> tuple[str, int] | None:
    for query in MOST_ADS:
        if found := await lookup(query, (roles,)):
            return found[0], found[1]
    return None
