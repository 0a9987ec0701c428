"""However many alerts there are, each list is read along its index, and so is their count."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import event

from rewards_app.core.database import engine, transaction
from rewards_app.core.settings import settings
from rewards_app.features.alerts import service
from rewards_app.features.alerts.service import Kind, Severity
from tests.databases import template_with
from tests.people import NOON

HALFWAY = UUID(int=1 << 127)
MANY = """
insert into security_alerts (id, severity, alert_type, description, params, about, times,
    resolved, created_at, last_at)
select gen_random_uuid(), (array['critical', 'high', 'medium', 'low'])[least(1 + n % 40, 4)],
    'webhook_forged', 'words', '{}', 'n' || n, 1, n % 2 = 0, now(), now()
from generate_series(1, 20000) as n
"""


async def many_are_raised() -> None:
    with psycopg.connect(settings().database_url, autocommit=True) as connection:
        connection.execute(MANY)
        connection.execute("vacuum analyze security_alerts")


@pytest.fixture(scope="module")
async def raised(postgres: str) -> AsyncIterator[str]:
    async with template_with(postgres, many_are_raised) as (name, _):
        yield name


@pytest.fixture
def template(raised: str) -> str:
    return raised


@pytest.fixture
async def plans(database: str) -> AsyncIterator[list[str]]:
    """How the database finds what is asked for from now on."""
    found: list[str] = []
    with psycopg.connect(database, autocommit=True) as connection:

        def explain(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
            if "security_alerts" in statement:
                lines = connection.execute(f"explain {statement}", values).fetchall()  # pyright: ignore
                found.append("\n".join(line for (line,) in lines))

        event.listen(engine().sync_engine, "before_cursor_execute", explain)
        yield found
        event.remove(engine().sync_engine, "before_cursor_execute", explain)


def are_read_along_an_index(plans: list[str]) -> bool:
    assert plans
    return not any("Sort" in plan or "Seq Scan on security_alerts" in plan for plan in plans)


@pytest.mark.parametrize("is_resolved", [False, True], ids=["open", "resolved"])
@pytest.mark.parametrize("severity", [None, *Severity])
@pytest.mark.parametrize("is_further", [False, True], ids=["newest", "further"])
async def test_a_list(
    plans: list[str], is_resolved: bool, severity: Severity | None, is_further: bool
):
    async with transaction() as session:
        await service.newest(
            session,
            is_resolved=is_resolved,
            severity=severity,
            before=HALFWAY if is_further else None,
        )
    assert are_read_along_an_index(plans), plans


async def test_the_count_of_what_is_open(plans: list[str]):
    async with transaction() as session:
        await service.open_by_severity(session)
    assert are_read_along_an_index(plans), plans


async def test_the_one_that_is_open_about_something(plans: list[str]):
    async with transaction() as session:
        await service.open_about(session, Kind.WEBHOOK_FORGED, about="n7")
        await service.settle(session, Kind.WEBHOOK_FORGED, about="n7", by=None, now=NOON)
    assert all("one_open_alert_about_it" in plan for plan in plans), plans
    assert len(plans) == 2
