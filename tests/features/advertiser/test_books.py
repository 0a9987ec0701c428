"""The proof of companies' money: silent when all is right, and finds whatever is not."""

import pytest

from rewards_app.core.database import transaction
from rewards_app.features.advertiser import books, jobs
from rewards_app.models import Advertiser
from tests.ads import a_campaign, an_ad
from tests.companies import Company, a_company, asks, is_paid_at
from tests.ledger import spoil
from tests.paying import ask, hears
from tests.stripe_server import StripeServer

pytestmark = pytest.mark.usefixtures("spoilt_books")


async def wrong() -> list[str]:
    async with transaction() as session:
        return list((await books.check(session)).wrong)


@pytest.fixture
async def company(stripe: StripeServer) -> Company:
    """One that paid money in, once, and has a campaign that runs."""
    made = await a_company(dollars=10)
    await hears(stripe, await is_paid_at(stripe, await asks(made, "100")))
    async with transaction() as session:
        row = await session.get(Advertiser, made.id)
    assert row is not None
    await an_ad(await a_campaign(row, status="draft", budget_cents=5_000))
    await jobs.start_what_waited(str(made.id))
    return made


SPOILT = [
    ("update advertisers set balance = balance + 1", "its entries add up to"),
    ("update advertiser_entries set balance_after = 7 where number = 2", "does not follow"),
    ("delete from advertiser_entries where kind = 'top_up'", "which its entries contradict"),
    ("update top_ups set cents = 9999", "which its entries contradict"),
    ("update top_ups set status = 'returned'", "which its entries contradict"),
    ("update top_ups set returned_cents = 1", "which its entries contradict"),
    ("delete from top_ups", "not there"),
    ("update payments set status = 'returned', returned_at = now()", "its payment is returned"),
    ("update payments set currency = 'sek'", "its payment is"),
    ("update payments set charged = null", "its payment is paid"),
    ("delete from payments", "its payment is not there"),
    ("update invoice_numbers set last = 2", "numbered up to 2"),
    ("update top_ups set invoice_number = 3", "up to 3"),
    ("update ad_campaigns set budget_cents = 6000", "for a budget of"),
    ("delete from advertiser_entries where kind = 'set_aside'", "set aside 0"),
    ("update ad_campaigns set settled_at = now()", "gave back 0"),
    ("update ad_campaigns set settled_at = now(), taken = 3", "was charged 0 for 3 places"),
    (
        "insert into ad_days (ad_id, day, slot, campaign_id, advertiser_id, impressions,"
        " completions, refused, clicks, spend, rewards) select ads.id, current_date, 0,"
        " campaign.id, campaign.advertiser_id, 1, 0, 1, 0, 0, 0"
        " from ads join ad_campaigns campaign on campaign.id = ads.campaign_id",
        "counts 1 views that were refused at their end, there are 0",
    ),
    (
        "insert into advertiser_entries (advertiser_id, amount, kind, cause, subject,"
        " balance_after, created_at) select id, 5, 'credited', 'view:x', '', 5, now()"
        " from advertisers",
        "credits a view that is not invalid",
    ),
]


class TestTheBooks:
    async def test_are_right(self, company: Company):
        assert await wrong() == []

    @pytest.mark.parametrize(("change", "said"), SPOILT, ids=[change[:50] for change, _ in SPOILT])
    async def test_say_what_is_wrong(self, company: Company, database: str, change: str, said: str):
        spoil(database, change)
        assert any(said in line for line in await wrong()), await wrong()

    async def test_call_somebody_at_night(self, company: Company, database: str):
        await jobs.check_money(0)
        assert ask(database, "select count(*) from security_alerts") == [(0,)]
        spoil(database, "update advertisers set balance = balance + 1")
        await jobs.check_money(0)
        assert ask(database, "select alert_type from security_alerts") == [
            ("advertiser_difference",)
        ]
