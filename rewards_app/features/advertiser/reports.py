"""The weekly report: on Mondays, what came of each campaign last week, for those who want it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import LiteralString
from uuid import UUID

from rewards_app.core import mail
from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.ads.budgets import PARTS_A_CENT
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser.letters import WANTED
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import CompanyTopic
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text

A_WEEK = timedelta(days=7)
ANALYTICS = "/advertiser?tab=analytics"
ALL_DECIMALS = 5
"""Of a dollar: spend is counted in thousandths of a cent."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one campaign."""

    campaign: str
    impressions: int
    completions: int
    clicks: int
    spend: int
    """In thousandths of a cent."""


WEEK: LiteralString = """
select figures.advertiser_id, campaign.name, sum(impressions)::bigint, sum(completions)::bigint,
    sum(clicks)::bigint, sum(spend)::bigint
from ad_days figures join ad_campaigns campaign on campaign.id = figures.campaign_id
    join advertisers advertiser on advertiser.id = figures.advertiser_id
where day between %(first)s and %(last)s and advertiser.mails_reports
    and advertiser.status = 'approved'
group by figures.advertiser_id, campaign.id
order by figures.advertiser_id, sum(spend) desc, campaign.name
"""
PEOPLE: LiteralString = f"""
select member.advertiser_id, company.company_name, account.id, account.email, account.language
from advertiser_members member join accounts account on account.id = member.account_id
    join advertisers company on company.id = member.advertiser_id
where member.advertiser_id = any(%(ids)s) and account.closed_at is null and {WANTED}
"""  # noqa: S608  (it is ours)


def week_before(today: date) -> tuple[date, date]:
    """The last whole week, from Monday to Sunday."""
    monday = today - timedelta(days=today.weekday())
    return monday - A_WEEK, monday - timedelta(days=1)


async def send(session: AsyncSession, *, now: datetime) -> int:
    """Queue the letters of the week before; how many. Nothing shown, nothing told."""
    first, last = week_before(platform_day(now))
    lines: dict[UUID, list[Line]] = defaultdict(list)
    for advertiser_id, *figures in await rows(session, WEEK, {"first": first, "last": last}):
        lines[advertiser_id].append(Line(*figures))
    topic = CompanyTopic.REPORTS
    people = await rows(session, PEOPLE, {"ids": list(lines), "topic": topic.value})
    for advertiser_id, company, account_id, email, language in people:
        letter = _letter(company, email, language, lines[advertiser_id], first, last)
        stop = notifications.unsubscribe_link(account_id, topic)
        await mail.send(session, replace(letter, unsubscribe=stop), is_to_many=True)
    return len(people)


def _letter(
    company: str, email: str, language: str, lines: Sequence[Line], first: date, last: date
) -> Letter:
    together = _sum(lines)
    params: dict[str, str | int] = {
        "company": company,
        "views": text("report.views", language, count=together.completions),
        "first": _day(first, language),
        "last": _day(last, language),
        "lines": "\n".join(f"{line.campaign}\n– {_said(line, language)}" for line in lines),
        "total": _said(together, language),
    }
    link = f"{settings().origin}{ANALYTICS}"
    return Letter(email, language, "weekly_report", link=link, params=params)


def _sum(lines: Iterable[Line]) -> Line:
    figures = [(one.impressions, one.completions, one.clicks, one.spend) for one in lines]
    return Line("", *map(sum, zip(*figures, strict=True)))


def _said(line: Line, language: str) -> str:
    # To the last part of a cent: what is rounded line by line would not add up to the sum.
    cents = Decimal(line.spend) / PARTS_A_CENT
    money = written.dollars(cents, language, decimals=ALL_DECIMALS)
    parts = [
        text("report.impressions", language, count=line.impressions),
        text("report.completed", language, count=line.completions),
        text("report.clicks", language, count=line.clicks),
        text("report.spent", language, money=money),
    ]
    return ", ".join(parts)


def _day(day: date, language: str) -> str:
    return written.day(datetime.combine(day, time(12), UTC), language)
