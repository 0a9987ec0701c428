"""What a person has is found by an index: an archive and an erasure cost what that person has."""

import psycopg
import pytest

from rewards_app.core.ids import new_id
from rewards_app.features.privacy import selecting
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import HOLDINGS
from tests.plans import plan_of

SMALL = {
    "fraud_simulations": "those of a week",
    "presence": "who is here now",
    "advertiser_invitations": "those of a week",
    "top_ups": "as many as companies pay, and they are asked for their payer as well",
}
"""They are read as a whole; and why they stay as small as they are."""


@pytest.mark.parametrize(
    "holding",
    [one for one in HOLDINGS if one.whose and one.table not in SMALL],
    ids=lambda one: f"{one.table} {one.file}",
)
def test_a_person_s_rows_are_found_by_an_index(database: str, holding: Holding):
    with psycopg.connect(database) as connection:
        connection.execute("set enable_seqscan = off")
        values = {"account": new_id()}
        plan = plan_of(connection, selecting.counting([holding]), values, runs=False)
    assert not plan.reads_whole | plan.walks_through
