"""What the database tells: read in transactions that cannot write."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, LiteralString

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from rewards_app import build, schedule
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, rows, run, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.postgres import months, schema
from rewards_app.core.postgres.connecting import NotLetIn
from rewards_app.core.postgres.embedded import database_folder
from rewards_app.core.postgres.rights import APPEND_ONLY
from rewards_app.core.settings import settings
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Finding, Kind, wrong
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from rewards_app.features.coins import quick_check
from rewards_app.features.health import schedule as runs
from rewards_app.features.health import service as health
from rewards_app.features.health.schedule_rules import State
from rewards_app.features.health.site import ARCHIVE_FAILS
from rewards_app.features.privacy import resealing
from rewards_app.server import worker_count

SERVER: LiteralString = """
select current_setting('server_version_num')::int,
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int,
    (select sum(numbackends)::int from pg_stat_database),
    clock_timestamp(),
    current_setting('server_encoding')
"""
ARCHIVE: LiteralString = f"""
select current_setting('archive_mode') <> 'off' as is_on,
    coalesce({ARCHIVE_FAILS}, false) as is_failing,
    last_archived_time is not null as has_kept,
    current_setting('restore_command') <> '' and not pg_is_in_recovery() as was_restored
from pg_stat_archiver
"""  # noqa: S608  (all parts are ours)
OF_BEFORE: LiteralString = """
select datname from pg_database where starts_with(datname, 'watchcoins_before_') order by 1
"""
HAS_QUEUE: LiteralString = "select to_regclass('procrastinate_workers') is not null"
RIGHTS: LiteralString = """
select (select rolsuper from pg_roles where rolname = current_user),
    has_schema_privilege('public', 'create')
    or exists (select from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and pg_has_role(relowner, 'usage'))
    or exists (select from unnest(%(books)s::text[]) as book (name) where
        has_table_privilege(name, 'delete') or has_table_privilege(name, 'truncate')
        or has_table_privilege(name, 'trigger') or has_table_privilege(name, 'update'))
"""
DEMO: LiteralString = """
select (select count(*) from accounts where email like '%%@' || %(domain)s and closed_at is null),
    (select count(*) from gift_codes where is_demo and status = 'free')
"""
FIRST_RUN: LiteralString = "select min(started_at) from job_runs"


@asynccontextmanager
async def reading() -> AsyncGenerator[AsyncSession]:
    async with transaction() as session:
        await run(session, text("set transaction read only"))
        yield session


async def findings() -> list[Finding]:
    """All that it tells; one line where it does not answer."""
    try:
        found = await _server()
        found.append(_revision())
        if found[-1].kind is Kind.FINE:
            found += await _contents(now=utc_now())
    except (DomainError, DBAPIError, OSError) as failure:
        why = failure.__cause__ or failure
        return [wrong(str(NotLetIn(settings().database_url, "DATABASE_URL", why)))]
    except NotLetIn as refusal:
        return [wrong(str(refusal))]
    return found


def _is_own(url: str) -> bool:
    """The server in the data folder, which has one account for all."""
    return str(database_folder(settings().data_dir).resolve()) in url


async def _one(session: AsyncSession, query: LiteralString, **values: Any) -> Any:
    return (await rows(session, query, values))[0]


async def _server() -> list[Finding]:
    async with reading() as session:
        before = utc_now()
        number, allowed, used, theirs, encoding = await _one(session, SERVER)
        ours = before + (utc_now() - before) / 2
        kept = await _one(session, ARCHIVE)
        of_before = [name for (name,) in await rows(session, OF_BEFORE, {})]
        working = await _working(session)
        workers = max(worker_count(settings()), working)
    return [
        rules.version(number),
        *rules.encoding(encoding),
        rules.connections(allowed, used, workers=workers),
        *rules.states_of_pages(working, has_redis=bool(settings().redis_url)),
        rules.clocks(theirs - ours),
        *rules.archive(**kept._mapping),
        *rules.databases_of_before(of_before, now=ours),
    ]


async def _working(session: AsyncSession) -> int:
    """Each worker takes jobs, on whatever machine it is."""
    [has_queue] = await _one(session, HAS_QUEUE)
    return (await health.queue(session, now=utc_now())).workers if has_queue else 0


def _revision() -> Finding:
    present = schema.present_revision()
    known = present is not None and schema.is_known(present)
    return rules.revision(present, schema.newest_revision(), is_known=known)


async def _contents(*, now: datetime) -> list[Finding]:
    schedule.offer_all()
    async with reading() as session:
        [first_run] = await _one(session, FIRST_RUN)
        # A job that came with this version need not have run before it was here.
        since = max(first_run or now, build.built_at() or first_run or now)
        ran = await runs.of_now(session, now=now, watched_since=since)
        sums = await quick_check.sums(session)
        sealed = await resealing.standings(session)
        accounts, codes = await _one(session, DEMO, domain=DEMO_DOMAIN)
        is_superuser, is_owner = await _one(session, RIGHTS, books=list(APPEND_ONLY))
    late = [job.name for job in ran if job.state is State.LATE]
    failed = [job.name for job in ran if job.state in (State.FAILED, State.BROKEN_OFF)]
    return [
        *rules.schedule(late, failed, ran_ever=first_run is not None),
        rules.database_role(
            is_superuser=is_superuser,
            is_owner=is_owner,
            is_own=_is_own(settings().database_url),
            is_production=settings().is_production,
        ),
        rules.ledger(sums.apart, sums.below_zero),
        rules.sealed(sum(one.unknown for one in sealed)),
        *rules.months(months.standings(), now=now),
        rules.demo(accounts, codes, is_production=settings().is_production),
    ]
