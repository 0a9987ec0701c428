"""Whether coins add up, asked in words of our own: the ledger's own check is under test, too."""

import psycopg

COINS = {
    "a balance is not what its entries and holds add up to": """
        with entries as (
            select account_id, sum(amount) as owned,
                coalesce(sum(amount) filter (where kind in ('ad', 'welcome')), 0) as earned
            from coin_entries group by account_id
        ), holds as (
            select account_id, sum(amount) as held
            from coin_holds where status = 'held' group by account_id
        )
        select account_id from coin_balances as b
            full join entries using (account_id) full join holds using (account_id)
        where coalesce(b.balance, 0) + coalesce(b.held, 0) <> coalesce(entries.owned, 0)
            or coalesce(b.held, 0) <> coalesce(holds.held, 0)
            or coalesce(b.total, 0) <> coalesce(entries.earned, 0)""",
    "a balance is below zero": """
        select account_id from coin_balances where balance < 0 or held < 0 or total < 0""",
    "a count of paid ads is not that of their entries": """
        select account_id from coin_balances where ads <> (
            select count(*) from coin_entries
            where coin_entries.account_id = coin_balances.account_id and kind = 'ad')""",
    "an entry does not follow from the one before": """
        select number from coin_entries as entry where balance_after <> (
            select sum(amount) from coin_entries as past
            where past.account_id = entry.account_id and past.number <= entry.number)""",
}
VIEWS = {
    "a rewarded view has no entry, or another amount": """
        select id from ad_views left join coin_entries on cause = 'ad:' || id
        where status = 'rewarded' and coin_entries.amount is distinct from reward_coins""",
    "an ad's entry has no rewarded view": """
        select number from coin_entries left join ad_views
            on cause = 'ad:' || ad_views.id and status = 'rewarded'
            and ad_views.account_id = coin_entries.account_id
        where kind = 'ad' and cause like 'ad:%' and ad_views.id is null""",
}


def what_is_wrong(url: str, promises: dict[str, str] = COINS | VIEWS) -> dict[str, list[str]]:
    """Each broken promise with the rows that break it; empty when all coins are in their place."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = {
            promise: [str(row[0]) for row in connection.execute(query)]
            for promise, query in promises.items()
        }
    return {promise: rows for promise, rows in found.items() if rows}


def spoil(url: str, *statements: str) -> None:
    """Change the ledger behind its back, as only the server's owner can: no trigger runs."""
    with psycopg.connect(url) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)
