"""What a person has is found by an index: an archive and an erasure cost what that person has."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from rewards_app.core.ids import new_id
from rewards_app.features.privacy import selecting
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import HOLDINGS
from tests.databases import TEMPLATE, Swept
from tests.plans import plan_of

SMALL = {
    "fraud_simulations": "those of a week",
    "presence": "who is here now",
    "advertiser_invitations": "those of a week",
    "top_ups": "as many as companies pay, and they are asked for their payer as well",
}
"""They are read as a whole; and why they stay as small as they are."""


@pytest.fixture(scope="module")
def empty(postgres: str) -> Iterator[psycopg.Connection[Any]]:
    """A database that nothing was ever counted in: all tables are as large to its planner.

    It is to look for rows one by one where it can, and to say so where it cannot.
    """
    own = Swept(postgres, TEMPLATE)
    for way in ("seqscan", "hashjoin", "mergejoin"):
        own.connection.execute(f"set enable_{way} = off".encode())
    yield own.connection
    own.drop()


@pytest.mark.parametrize(
    "holding",
    [one for one in HOLDINGS if one.whose and one.table not in SMALL],
    ids=lambda one: f"{one.table} {one.file}",
)
def test_a_person_s_rows_are_found_by_an_index(empty: psycopg.Connection[Any], holding: Holding):
    plan = plan_of(empty, selecting.counting([holding]), {"account": new_id()}, runs=False)
    assert not plan.reads_whole | plan.walks_through
