"""The demo's company: campaigns of every kind with a past whose books are clean."""

from collections import Counter

import psycopg
import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads import catalogue
from rewards_app.features.advertiser import figures, money
from rewards_app.features.advertiser.figure_rules import Period
from rewards_app.features.advertiser.membership import Scope
from rewards_app.features.coins import service as coins
from tests.ledger import what_is_wrong

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def template(demo: str) -> str:
    return demo


def rows_of(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query).fetchall()  # pyright: ignore[reportArgumentType]


async def the_company(url: str) -> Scope:
    ((company_id,),) = rows_of(url, "select id from advertisers where company_name = 'Fjord Audio'")
    return Scope(company_id)  # pyright: ignore[reportArgumentType]


class TestTheDemosCompany:
    async def test_has_a_campaign_of_every_kind(self, database: str):
        found = rows_of(
            database,
            "select c.status, count(*) from ad_campaigns c join advertisers a"
            " on a.id = advertiser_id where company_name = 'Fjord Audio' group by 1",
        )
        assert dict(found) == {"active": 1, "draft": 1, "paused": 1, "completed": 1}

    async def test_shows_its_films_beside_the_houses_ads(self, database: str):
        async with transaction() as session:
            listed = await catalogue.listed(session)
        assert listed[0].title == "Hear the fjord"
        assert Counter(ad.advertiser for ad in listed)["Fjord Audio"] == 2
        assert len(listed) == 9

    async def test_has_figures_in_both_periods_and_two_groups_of_ages(self, database: str):
        company = await the_company(database)
        async with transaction() as session:
            found = await figures.analytics(session, company, Period.MONTH, now=utc_now())
            ages = await figures.audience(session, company, Period.MONTH, now=utc_now())
        assert found.now.impressions > 500
        assert found.before.impressions > 100
        assert 0 < found.now.clicks < found.now.completions < found.now.impressions
        assert len([age for age in ages if age.viewers]) == 2

    async def test_has_room_for_many_more_views(self, database: str):
        ((taken,),) = rows_of(
            database, "select taken from ad_campaigns where name = 'Autumn launch: Fjord One'"
        )
        assert 300 < int(str(taken)) < 800

    async def test_has_what_its_campaigns_did_not_take(self, database: str):
        company = await the_company(database)
        assert company.advertiser_id
        async with transaction() as session:
            funds = await money.funds_of(session, company.advertiser_id)
        entries = rows_of(database, "select kind, amount from advertiser_entries order by number")
        assert [kind for kind, _ in entries] == ["opening", *["set_aside"] * 3, "given_back"]
        assert funds.balance == sum(int(str(amount)) for _, amount in entries) > 0
        ((spent,),) = rows_of(database, "select sum(spend) from ad_days")
        assert funds.balance + funds.set_aside + int(str(spent)) == 250_000_000

    async def test_keeps_every_promise_of_the_ledger(self, database: str):
        assert what_is_wrong(database) == {}
        async with transaction() as session:
            assert (await coins.check(session)).is_clean

    async def test_has_viewers_whom_nobody_can_be(self, database: str):
        found = rows_of(
            database,
            "select display_name, password_hash from accounts where email like 'viewer-%'",
        )
        assert len(found) == 48
        assert all(str(name).startswith("Demo viewer ") for name, _ in found)
        assert {hashed for _, hashed in found} == {None}
