"""The weekly report: last week, once, to those who want it, with the sums of its rows."""

from datetime import date, timedelta

import pytest

from rewards_app.core import mail
from rewards_app.core.database import transaction
from rewards_app.core.mail import Letter
from rewards_app.features.advertiser import reports
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications import unsubscribing
from rewards_app.features.notifications.rules import CompanyTopic
from rewards_app.i18n.languages import CODES
from rewards_app.models import Ad, Advertiser
from tests.ads import a_campaign, an_ad
from tests.companies import Company, a_company, a_member
from tests.figures import TODAY, came_of
from tests.paying import ask
from tests.people import NOON

pytestmark = pytest.mark.usefixtures("database")
LAST_MONDAY = date(2026, 3, 2)


async def an_ad_of(company: Company, name: str, budget_cents: int | None = None) -> Ad:
    async with transaction() as session:
        row = await session.get(Advertiser, company.id)
    assert row is not None
    return await an_ad(await a_campaign(row, name=name, budget_cents=budget_cents))


async def sends() -> int:
    async with transaction() as session:
        return await reports.send(session, now=NOON)


def letters(database: str) -> list[tuple]:
    query = (
        "select args->>'recipient', args->'params'->>'views', args->'params'->>'lines',"
        " args->'params'->>'total' from procrastinate_jobs"
        " where args->>'name' = 'weekly_report' order by 1"
    )
    return ask(database, query)


class TestTheWeekBefore:
    @pytest.mark.parametrize("day", [date(2026, 3, 9), date(2026, 3, 12), date(2026, 3, 15)])
    def test_is_monday_to_sunday(self, day: date):
        assert reports.week_before(day) == (LAST_MONDAY, date(2026, 3, 8))


class TestAReport:
    async def test_tells_of_each_campaign_and_of_all(self, database: str):
        company = await a_company()
        winter = await an_ad_of(company, "Winter")
        summer = await an_ad_of(company, "Summer")
        await came_of(winter, LAST_MONDAY, impressions=5, completions=3, clicks=1)
        await came_of(winter, LAST_MONDAY + timedelta(days=6), impressions=2, completions=1)
        await came_of(summer, LAST_MONDAY + timedelta(days=2), impressions=1)
        # Neither of these days is in it.
        await came_of(summer, LAST_MONDAY - timedelta(days=1), impressions=9)
        await came_of(summer, LAST_MONDAY + timedelta(days=7), impressions=9)
        assert await sends() == 1
        [(email, views, lines, total)] = letters(database)
        assert (email, views) == (company.owner.email, "4 views")
        assert "Winter\n– 7 impressions, 4 completed views, 1 click, $0.00 spent" in lines
        assert "Summer\n– 1 impression, 0 completed views, 0 clicks, $0.00 spent" in lines
        assert total == "8 impressions, 4 completed views, 1 click, $0.00 spent"

    async def test_has_lines_that_add_up_to_its_sum(self, database: str):
        company = await a_company()
        for name in ("Winter", "Summer"):
            ad = await an_ad_of(company, name, budget_cents=333)
            await came_of(ad, LAST_MONDAY, impressions=1, completions=1)
        await sends()
        [(_, _, lines, total)] = letters(database)
        assert lines.count("$0.00333 spent") == 2
        assert total.endswith("$0.00666 spent")

    async def test_goes_to_everybody_who_acts_for_the_company(self, database: str):
        company = await a_company()
        sven = await a_member(company)
        await came_of(await an_ad_of(company, "Winter"), LAST_MONDAY, impressions=1)
        assert await sends() == 2
        assert {row[0] for row in letters(database)} == {company.owner.email, sven.email}

    async def test_honours_the_switch(self, database: str):
        company = await a_company(mails_reports=False)
        await came_of(await an_ad_of(company, "Winter"), LAST_MONDAY, impressions=1)
        assert await sends() == 0

    async def test_honours_what_each_person_chose(self, database: str):
        company = await a_company()
        sven = await a_member(company)
        link = notifications.unsubscribe_link(sven.user_id, CompanyTopic.REPORTS)
        async with transaction() as session:
            token = link.partition("?token=")[2]
            assert await unsubscribing.choose(session, token, by_mail=False)
        await came_of(await an_ad_of(company, "Winter"), LAST_MONDAY, impressions=1)
        assert await sends() == 1
        assert [row[0] for row in letters(database)] == [company.owner.email]

    async def test_is_not_sent_of_a_week_in_which_nothing_was_shown(self, database: str):
        company = await a_company()
        await came_of(await an_ad_of(company, "Winter"), TODAY, impressions=1)
        assert await sends() == 0

    async def test_says_nothing_of_other_companies(self, database: str):
        company, other = await a_company(), await a_company("Sidewind Studio")
        await came_of(await an_ad_of(company, "Winter"), LAST_MONDAY, impressions=1)
        await came_of(await an_ad_of(other, "Secret"), LAST_MONDAY, impressions=1)
        await sends()
        said = {row[0]: row[2] for row in letters(database)}
        assert "Secret" not in said[company.owner.email]

    @pytest.mark.parametrize("language", CODES)
    def test_keeps_its_lines_in_both_kinds_of_text(self, language: str):
        params = {"company": "Fjord", "views": "4", "first": "a", "last": "b", "total": "c"}
        letter = Letter(
            "freja@fjord.example",
            language,
            "weekly_report",
            link="https://x.example",
            params=params | {"lines": "Winter <1>\n– 7"},
        )
        message = mail.composed(letter)
        html = message.get_body(("html",))
        plain = message.get_body(("plain",))
        assert html
        assert plain
        assert "Winter &lt;1&gt;<br />– 7" in html.get_content()
        assert "Winter <1>\n– 7" in plain.get_content()
