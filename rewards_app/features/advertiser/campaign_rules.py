"""Campaigns: what a company may plan, and what can be done with one. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError, Faults, FieldRefused
from rewards_app.core.house import HOUSE_ZONE
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET, views_a_day
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import fields

LONGEST_NAME = 80
LONGEST_DESCRIPTION = 500
REQUIRED = ("name", "budget", "start_date", "end_date")


class Status(StrEnum):
    DRAFT = "draft"
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"


class EndedBy(StrEnum):
    BUDGET = "budget"
    DATE = "date"
    COMPANY = "company"
    ADMIN = "admin"


class FieldsMissing(FieldRefused):
    code = "campaigns.fields_missing"


class EndBeforeStart(FieldRefused):
    code = "campaigns.end_before_start"


class EndIsPast(FieldRefused):
    code = "campaigns.end_is_past"


class DailyAboveBudget(FieldRefused):
    code = "campaigns.daily_above_budget"


class DailyPaysNoView(FieldRefused):
    """Less than one view costs."""

    code = "campaigns.daily_pays_no_view"


class BudgetIsFixed(FieldRefused):
    """Its thousandth is the price of views that were promised already."""

    code = "campaigns.budget_is_fixed"


class StartIsFixed(FieldRefused):
    code = "campaigns.start_is_fixed"


class NotCreated(DomainError):
    """Something broke on our side."""

    code = "campaigns.not_created"


class CampaignHasEnded(DomainError):
    code = "campaigns.has_ended"


class NothingToEnd(DomainError):
    """All campaigns of the company have ended."""

    code = "campaigns.nothing_to_end"


class CannotPause(DomainError):
    """Only what runs can be paused."""

    code = "campaigns.cannot_pause"


class CannotResume(DomainError):
    """It lacks an approved ad, its dates, a place in its budget, funds, or somebody who acts."""

    code = "campaigns.cannot_resume"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a company types when it plans a campaign."""

    name: str
    description: str
    budget_cents: int
    daily_budget_cents: int | None
    starts_at: datetime
    ends_at: datetime


def plan_from(form: Mapping[str, str], *, now: datetime) -> Plan:
    plan = _read(form)
    if plan.ends_at <= now:
        raise EndIsPast("end_date")
    return plan


def _read(form: Mapping[str, str], *, is_house: bool = False) -> Plan:
    with Faults(form) as faults:
        for field in REQUIRED:
            faults.read(_refuse_missing, form, field)
        name = faults.field(fields.line_from, "name", longest=LONGEST_NAME)
        description = faults.field(fields.text_from, "description", longest=LONGEST_DESCRIPTION)
        budgets = (0, None) if is_house else faults.read(_budgets_from, form)
        dates = faults.read(_dates_from, form)
    return Plan(name, description, *budgets, *dates)


def _refuse_missing(form: Mapping[str, str], field: str) -> None:
    if not form.get(field, "").strip():
        raise FieldsMissing(field)


def _budgets_from(form: Mapping[str, str]) -> tuple[int, int | None]:
    with Faults(form) as faults:
        budget = faults.field(fields.cents_from, "budget")
        daily = faults.field(fields.cents_from, "daily_budget", least=0, required=False)
    assert budget is not None, "it is required"
    return budget, _daily_within(budget, daily)


def _daily_within(budget: int, daily: int | None) -> int | None:
    if daily is None:
        return None
    if daily > budget:
        raise DailyAboveBudget("daily_budget")
    if views_a_day(budget, daily) < 1:
        least = max(1, -(-budget // VIEWS_A_BUDGET))
        raise DailyPaysNoView("daily_budget", least=f"{least // 100}.{least % 100:02}")
    return daily


def _dates_from(form: Mapping[str, str]) -> tuple[datetime, datetime]:
    with Faults(form) as faults:
        first = faults.field(fields.moment_from, "start_date")
        last = faults.field(fields.moment_from, "end_date", is_end=True)
    if last <= first:
        raise EndBeforeStart("end_date")
    return first, last


@dataclass(frozen=True, slots=True)
class Standing:
    """A campaign as it is, as far as rules ask."""

    status: Status
    plan: Plan
    """The house's own campaigns have a budget of 0."""
    is_set_aside: bool
    taken: int
    has_ad_to_show: bool
    """An approved one, which the house's rule of funding does not hold back."""
    balance: int
    """Of its company, in thousandths of a cent."""
    has_somebody: bool
    """Who can look after it."""


def edited(form: Mapping[str, str], known: Standing, *, now: datetime) -> Plan:
    """The plan with what was typed. What was promised to players and paid for stays.

    Fields that a form leaves out stay as they are.
    """
    plan = _retyped(form, known.plan)
    is_fixed = known.is_set_aside or known.status is Status.COMPLETED
    if is_fixed and plan.budget_cents != known.plan.budget_cents:
        raise BudgetIsFixed("budget")
    if is_fixed and plan.starts_at != known.plan.starts_at:
        raise StartIsFixed("start_date")
    if known.status is Status.COMPLETED:
        if (plan.daily_budget_cents, plan.ends_at) != (
            known.plan.daily_budget_cents,
            known.plan.ends_at,
        ):
            raise CampaignHasEnded
    elif plan.ends_at <= now and plan.ends_at != known.plan.ends_at:
        raise EndIsPast("end_date")
    return plan


def costs_less(plan: Plan, known: Plan) -> bool:
    """Whether a view does: its ads were approved at another price."""
    return plan.budget_cents < known.budget_cents


def _retyped(form: Mapping[str, str], known: Plan) -> Plan:
    """Forms show moments to the minute: one that was left as shown stays what it is exactly."""
    shown = written(known)
    typed = shown | {name: text.strip() for name, text in form.items() if name in shown}
    plan = _read(typed, is_house=not known.budget_cents)
    if typed["start_date"] == shown["start_date"]:
        plan = replace(plan, starts_at=known.starts_at)
    if typed["end_date"] == shown["end_date"]:
        plan = replace(plan, ends_at=known.ends_at)
    return plan


def written(plan: Plan) -> dict[str, str]:
    """As a form shows it: moments to the minute, in the house's zone.

    An end at midnight shows the last minute before it: whoever typed a day sees that day.
    """
    return {
        "name": plan.name,
        "description": plan.description,
        "budget": _dollars(plan.budget_cents),
        "daily_budget": _dollars(plan.daily_budget_cents) if plan.daily_budget_cents else "",
        "start_date": _local(plan.starts_at),
        "end_date": _local(_shown_end(plan)),
    }


def _dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _shown_end(plan: Plan) -> datetime:
    last_minute = plan.ends_at - timedelta(minutes=1)
    ends_a_day = plan.ends_at.astimezone(HOUSE_ZONE).time() == time()
    # A campaign of that one minute would seem to end as it begins.
    return last_minute if ends_a_day and last_minute > plan.starts_at else plan.ends_at


def _local(moment: datetime) -> str:
    return moment.astimezone(HOUSE_ZONE).strftime("%Y-%m-%dT%H:%M")


class When(StrEnum):
    """How a campaign's dates lie to now."""

    STARTS_IN = "starts_in"
    STARTS_TODAY = "starts_today"
    LEFT = "left"
    ENDS_TODAY = "ends_today"
    OVER = "over"


def first_day(plan: Plan) -> date:
    return platform_day(plan.starts_at)


def last_day(plan: Plan) -> date:
    """The last one of which a moment belongs to the campaign."""
    return platform_day(plan.ends_at - timedelta(microseconds=1))


def when(plan: Plan, *, now: datetime) -> tuple[When, int]:
    """How the dates lie, and how many days it is until they begin or end."""
    today = platform_day(now)
    if now < plan.starts_at:
        days = (first_day(plan) - today).days
        return (When.STARTS_IN if days else When.STARTS_TODAY), days
    if plan.ends_at <= now:
        return When.OVER, 0
    days = (last_day(plan) - today).days
    return (When.LEFT if days else When.ENDS_TODAY), days


def can_pause(status: Status) -> bool:
    return status is Status.ACTIVE


def can_resume(known: Standing, *, now: datetime) -> bool:
    """Whether it would run at once: offered only where it can work."""
    if known.taken >= VIEWS_A_BUDGET or not known.plan.starts_at <= now < known.plan.ends_at:
        return False
    if known.status is Status.PAUSED:
        return True
    is_covered = known.balance >= known.plan.budget_cents * VIEWS_A_BUDGET
    is_ready = known.has_ad_to_show and is_covered and known.has_somebody
    return known.status is Status.DRAFT and is_ready
