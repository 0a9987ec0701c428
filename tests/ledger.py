"""Whether coins, money, codes and budgets add up, in our own words: checks are tested, too."""

import re

import psycopg

WORD = re.compile(r"\w+")
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
        select number from (
            select number, balance_after,
                sum(amount) over (partition by account_id order by number) as owned
            from coin_entries
        ) as lines where balance_after <> owned""",
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

PURCHASES = {
    "an order is not what its money, its code and its coins tell": """
        with story as (
            select purchases.*, (price_kr - coins_spent) * 100 as ore,
                coalesce(payments.status, 'none') as money, coalesce(charged, 0) as charged,
                payments.amount as asked,
                coalesce(gift_codes.status, 'none') as code, coalesce(hold.status, 'none') as hold,
                coalesce(hold.amount, 0) as held, coalesce(-taken.amount, 0) as taken,
                coalesce(given.amount, 0) as given_back
            from purchases
                left join payments on subject_id = purchases.id and purpose = 'purchase'
                left join gift_codes on purchase_id = purchases.id
                left join coin_holds as hold on hold.cause = 'purchase:' || purchases.id
                left join coin_entries as taken on taken.cause = 'purchase:' || purchases.id
                left join coin_entries as given on given.cause = 'refund:' || purchases.id
        )
        select concat_ws(' ', purchase_code, status, 'money', money, charged, 'code', code, 'coins',
            hold, taken, given_back)
        from story where held <> coins_spent or taken not in (0, coins_spent) or not case status
            when 'waiting' then money in ('opening', 'open') and charged = 0 and asked = ore
                and code = 'reserved' and hold in ('held', 'none') and taken = 0
            when 'completed' then (ore = 0 and money = 'none' or money = 'paid' and charged = ore)
                and code = 'delivered' and taken = coins_spent and given_back = 0
            when 'refunding' then money = 'returning' and charged > 0 and given_back = 0
                and (code = 'delivered' and taken = coins_spent or code = 'none' and taken = 0)
            when 'refunded' then money in ('returned', 'none') and given_back = taken
                and (code = 'withdrawn' and taken = coins_spent or code = 'none' and taken = 0)
            else money = status and charged = 0 and code = 'none' and taken = 0
                and hold in ('released', 'none') end""",
    "coins were taken or returned for no purchase": """
        select number from coin_entries left join purchases
            on cause in ('purchase:' || purchases.id, 'refund:' || purchases.id)
            and purchases.account_id = coin_entries.account_id
        where (cause like 'purchase:________-%' or cause like 'refund:________-%')
            and purchases.id is null""",
    "money was asked for no purchase, or from somebody else": """
        select payments.id from payments left join purchases
            on purchases.id = subject_id and purchases.account_id = payments.account_id
        where purpose = 'purchase' and purchases.id is null""",
    "what is secret lies open": """
        select id::text from gift_codes where code like 'CODE-%'
        union all select id from payment_events where payload like '%{%'""",
}

# Of campaigns with a budget, `place` is what a view has of it: waited for, or paid for.
_PLACES = """
select campaign.id as campaign_id, view.id as view_id, view.day, view.price,
    view.status = 'rewarded' and view.invalid_at is null as is_paid_for,
    view.holds_place or view.status = 'rewarded' and view.invalid_at is null as has_place
from ad_campaigns campaign join ads on ads.campaign_id = campaign.id
    join ad_views view on view.ad_id = ads.id
where campaign.budget_cents is not null
"""
ADS = {
    "a day's figures are not what its views add up to": """
        with views as (
            select ad_id, day, count(*) as impressions, count(clicked_at) as clicks,
                count(*) filter (where status = 'rewarded' and invalid_at is null) as completions,
                coalesce(sum(price) filter
                    (where status = 'rewarded' and invalid_at is null), 0) as spend,
                coalesce(sum(reward_coins) filter (where status = 'rewarded'), 0) as rewards,
                count(refused_at) filter (where status <> 'rewarded') as refused
            from ad_views group by ad_id, day
        ), days as (
            select ad_id, day, sum(impressions) as impressions, sum(clicks) as clicks,
                sum(completions) as completions, sum(spend) as spend, sum(rewards) as rewards,
                sum(refused) as refused
            from ad_days group by ad_id, day
        )
        select ad_id || ' on ' || day from views full join days using (ad_id, day)
        where (views.impressions, views.clicks, views.completions, views.spend, views.rewards,
                views.refused)
            is distinct from
            (days.impressions, days.clicks, days.completions, days.spend, days.rewards,
                days.refused)""",
    "a day's figures are another company's": """
        select ad_id from ad_days join ads on ads.id = ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
        where campaign.id <> ad_days.campaign_id
            or campaign.advertiser_id <> ad_days.advertiser_id""",
    "a campaign's places are not those of its views": f"""
        with places as ({_PLACES})
        select id from ad_campaigns campaign
        where budget_cents is not null and settled_at is null and taken <>
            (select count(*) from places where campaign_id = campaign.id and has_place)""",
    "more places of a day were taken than were counted": f"""
        with places as ({_PLACES})
        select id from ad_campaigns campaign
        where budget_cents is not null and settled_at is null and taken_today <
            (select count(*) from places
            where campaign_id = campaign.id and has_place and day = taken_day)""",
    "a company pays more than its budget": f"""
        with places as ({_PLACES})
        select id from ad_campaigns campaign where budget_cents * 1000 <
            (select sum(price) from places where campaign_id = campaign.id and is_paid_for)""",
    "a view has another price than its campaign": """
        select view.id from ad_views view join ads on ads.id = view.ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
        where view.price <> coalesce(campaign.budget_cents, 0)""",
    "a place waits in a campaign that has none": """
        select view.id from ad_views view join ads on ads.id = view.ad_id
            join ad_campaigns campaign on campaign.id = ads.campaign_id
        where view.holds_place
            and (campaign.budget_cents is null or campaign.settled_at is not null)""",
    "servings have gaps": """
        select max(position) from ad_servings having max(position) <> count(*)""",
}
COMPANIES = {
    "a company has something else than its entries add up to": """
        select id from advertisers where balance <> (
            select coalesce(sum(amount), 0) from advertiser_entries
            where advertiser_id = advertisers.id)""",
    "a company's entry does not follow from the one before": """
        select number from advertiser_entries as entry where balance_after <> (
            select sum(amount) from advertiser_entries as past
            where past.advertiser_id = entry.advertiser_id and past.number <= entry.number)""",
    "a top-up is not what its payment and its entries tell": """
        select concat_ws(' ', top_ups.id, top_ups.status, payments.status, paid.amount,
            back.amount)
        from top_ups
            left join payments on subject_id = top_ups.id and purpose = 'top_up'
            left join advertiser_entries as paid on paid.cause = 'top_up:' || top_ups.id
                and paid.advertiser_id = top_ups.advertiser_id
            left join (
                select split_part(cause, ':', 2) as top_up, advertiser_id, sum(amount) as amount
                from advertiser_entries where kind = 'returned' group by 1, 2
            ) as back on back.top_up = top_ups.id::text
                and back.advertiser_id = top_ups.advertiser_id
        where payments.amount is distinct from cents or not case top_ups.status
            when 'waiting' then payments.status in ('opening', 'open') and paid.number is null
            when 'paid' then coalesce(charged, 0) = cents
                and coalesce(paid.amount, 0) = cents * 1000::bigint
                and coalesce(back.amount, 0) = returned_cents * -1000::bigint
            when 'returned' then payments.status = 'returned'
                and coalesce(paid.amount, 0) = cents * 1000::bigint
                and coalesce(back.amount, 0) = -paid.amount
            else charged is null and paid.number is null
                or payments.status in ('returning', 'returned') and paid.number is null end""",
    "invoices have gaps": """
        select last from invoice_numbers where last - skipped <> (
            select count(invoice_number) from top_ups where invoice_number <= last)""",
}
BUDGETS = {
    "a company's money moved for nothing that is there": """
        select number from advertiser_entries as entry
            left join top_ups on top_ups.id::text = split_part(cause, ':', 2)
                and top_ups.advertiser_id = entry.advertiser_id
            left join ad_campaigns as campaign on campaign.id::text = split_part(cause, ':', 2)
                and campaign.advertiser_id = entry.advertiser_id
            left join ad_views as view on cause = 'view:' || view.id
        where not case kind
            when 'top_up' then top_ups.id is not null
            when 'returned' then top_ups.id is not null
            when 'set_aside' then campaign.id is not null
            when 'given_back' then campaign.id is not null
            when 'credited' then view.id is not null
            else kind = 'opening' end""",
    "a campaign's budget is not what its entries tell": """
        select id from ad_campaigns as campaign
            left join advertiser_entries as aside on aside.cause = 'campaign:' || id
            left join advertiser_entries as rest on rest.cause = 'rest:' || id
        where coalesce(-aside.amount, 0) <>
                case when set_aside_at is null then 0 else budget_cents * 1000 end
            or coalesce(rest.amount, 0) <>
                case when settled_at is null then 0 else (1000 - taken) * budget_cents end""",
}
BOARDS = {
    "a board is not what the counted entries add up to": """
        with progress as (select counted::pg_snapshot as counted, settled_to from board_progress),
        entries as (
            select account_id, sum(amount) as coins, count(*) filter (where kind = 'ad') as ads
            from coin_entries, progress
            where kind in ('ad', 'welcome') and (written_by is null or number <= settled_to
                or pg_visible_in_snapshot(written_by::text::xid8, counted))
            group by account_id
        ), scores as (select account_id, coins, ads from board_scores where board = 'all')
        select account_id from entries full join scores using (account_id)
        where exists (select from progress)
            and (entries.coins, entries.ads) is distinct from (scores.coins, scores.ads)""",
    "a step of a board has others than its scores": """
        with scores as (
            select board, width, coins >> width as step, count(*) as players
            from board_scores cross join unnest(array[0, 6, 12, 18]) as width
            where not is_hidden group by board, width, coins >> width
        ), steps as (select * from board_steps where players > 0)
        select concat_ws(' ', board, width, step) from scores full join steps
            using (board, width, step) where scores.players is distinct from steps.players""",
    "a board's sums are not those of its scores": """
        with scores as (
            select board, count(*) as players, sum(ads) as ads, sum(coins) as coins
            from board_scores where not is_hidden group by board
        ), sums as (select * from boards where players > 0)
        select board from scores full join sums using (board)
        where (scores.players, scores.ads, scores.coins)
            is distinct from (sums.players, sums.ads, sums.coins)""",
}
ALWAYS = COINS | PURCHASES | ADS | COMPANIES | BOARDS
"""Also where a test has made up views that nobody was paid for."""
EVERYTHING = ALWAYS | VIEWS | BUDGETS
"""Where nothing at all was made up, neither a view nor a budget."""


def what_is_wrong(
    url: str, promises: dict[str, str] = COINS | VIEWS | PURCHASES | ADS | COMPANIES | BOARDS
) -> dict[str, list[str]]:
    """Each broken promise with the rows that break it; empty when all coins are in their place."""
    with psycopg.connect(url, autocommit=True) as connection:
        return broken_promises(connection, promises)


def broken_promises(
    connection: psycopg.Connection, promises: dict[str, str]
) -> dict[str, list[str]]:
    written = _written_tables(connection)
    found = {
        promise: [str(row[0]) for row in connection.execute(query)]
        for promise, query in promises.items()
        if written & set(WORD.findall(query))
    }
    return {promise: rows for promise, rows in found.items() if rows}


def _written_tables(connection: psycopg.Connection) -> set[str]:
    """Tables with a row, now or once: a promise about others cannot be broken, and is not asked.
    What is cut by month goes by the name of the whole.

    Most tests write a few tables, and to plan all these questions takes longer than many a test.
    """
    files = connection.execute("""
        select distinct coalesce(pg_partition_root(oid), oid)::regclass::text from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
    """)
    return {name for (name,) in files}


def spoil(url: str, *statements: str) -> None:
    """Change the ledger behind its back, as only the server's owner can: no trigger runs."""
    with psycopg.connect(url) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)
