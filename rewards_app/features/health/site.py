"""What concerns all workers alike, in one look at the database: orders, people, the server."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.postgres import months
from rewards_app.features.health.repository import SILENT_AFTER

DELIVERY_TAKES = timedelta(minutes=5)

ARCHIVE_FAILS: LiteralString = """(
    last_failed_time > coalesce(last_archived_time, '-infinity')
    or current_setting('archive_mode') <> 'off' and (
        current_setting('archive_library') = ''
            and btrim(current_setting('archive_command'))
                in ('', 'true', '/bin/true', '/usr/bin/true')
        or current_setting('archive_timeout') <> '0'
            and greatest(last_archived_time, stats_reset, pg_postmaster_start_time())
                < now() - current_setting('archive_timeout')::interval - interval '15 minutes'
    )
)"""
"""Of pg_stat_archiver: what is tried fails, is thrown away, or does not end: the app writes each
minute, and what is written is to be handed over within archive_timeout."""
# Nothing that PostgreSQL tells of others' sessions to their owner alone: workers are no superusers.
SITE: LiteralString = f"""
select
    (select count(*) from purchases join payments
        on purpose = 'purchase' and subject_id = purchases.id
        where purchases.status = 'waiting' and payments.status = 'paid' and paid_at < %(paid)s),
    (select count(*) from payments where look_at < %(paid)s),
    (select count(distinct account_id) from presence where seen_at > %(seen)s),
    pg_database_size(current_database()),
    (select sum(numbackends)::int from pg_stat_database),
    current_setting('max_connections')::int,
    (select count(*) from pg_stat_replication),
    (select coalesce({ARCHIVE_FAILS}, false)::int from pg_stat_archiver),
    {months.MISSING}
"""  # noqa: S608  (all parts are ours)


@dataclass(frozen=True, slots=True)
class Site:
    paid_not_delivered: int
    """Orders whose money came minutes ago, and whose code did not go."""
    payments_unsettled: int
    """Those that should have been asked about, and were not."""
    online: int
    database_bytes: int
    connections: int
    connections_allowed: int
    replicas: int
    is_archive_failing: int
    months_missing: int
    """Tables that are cut by month, and have no next one."""


async def seen(session: AsyncSession, *, now: datetime) -> Site:
    values = {
        "paid": now - DELIVERY_TAKES,
        "seen": now - SILENT_AFTER,
        "next_month": months.suffix_of_next(now),
    }
    [row] = await rows(session, SITE, values)
    return Site(*row)
