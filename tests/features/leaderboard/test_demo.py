"""The demo's players: days in a row, watched and paid for like anybody's."""

from datetime import timedelta

import psycopg
import pytest

from rewards_app.features.accounts.demo import PLAYERS
from rewards_app.features.leaderboard.demo import HABITS
from tests.ledger import what_is_wrong

DAYS_WATCHED = """
select handle, array_agg(distinct view.day order by view.day desc), count(*)
from account_handles join ad_views view using (account_id)
where handle like 'demo\\_%' and handle not like 'demo\\_viewer%' group by handle
"""


@pytest.fixture
def template(demo: str) -> str:
    return demo


class TestTheDemosPlayers:
    async def test_have_watched_every_day_of_their_streaks(self, database: str):
        with psycopg.connect(database) as connection:
            found = {handle: (days, ads) for handle, days, ads in connection.execute(DAYS_WATCHED)}
        assert found.keys() == HABITS.keys()
        for handle, habit in HABITS.items():
            days, ads = found[handle]
            # Shortly after midnight today's ads were still yesterday's.
            in_a_row = days[: habit.streak - 1]
            assert in_a_row == [days[0] - timedelta(days=ago) for ago in range(len(in_a_row))]
            assert ads == habit.ads_a_day * (habit.streak + habit.before)

    async def test_say_so_in_their_names_and_cannot_sign_in(self, database: str):
        with psycopg.connect(database) as connection:
            found = connection.execute(
                "select display_name, password_hash from accounts join account_handles on"
                " account_id = accounts.id where handle = any(%s)",
                ([player.handle for player in PLAYERS],),
            ).fetchall()
        assert len(found) == len(PLAYERS)
        assert all(name.endswith(" (demo)") and secret is None for name, secret in found)

    async def test_were_paid_what_the_ledger_says(self, database: str):
        assert what_is_wrong(database) == {}
