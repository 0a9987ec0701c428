"""What a company may plan, what can still be changed, and what can be done with a campaign."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.errors import FieldRefused
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET, views_a_day
from rewards_app.features.advertiser import campaign_rules as rules
from rewards_app.features.advertiser import fields
from rewards_app.features.advertiser.campaign_rules import Plan, Standing, Status, When

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
RIGHT_TO_LEFT = "Win\u202eret"
ZERO_WIDTH = "Win\u200bter"


def a_form(**changes: str) -> dict[str, str]:
    return {
        "name": "Winter sale",
        "description": "First look",
        "budget": "18000.00",
        "daily_budget": "",
        "start_date": "2026-12-01",
        "end_date": "2026-12-24",
    } | changes


def planned(**changes: str) -> Plan:
    return rules.plan_from(a_form(**changes), now=NOON)


def planned_or_refused(typed: dict[str, str]) -> Plan | FieldRefused:
    try:
        return planned(**typed)
    except FieldRefused as refusal:
        return refusal


def a_plan(**changes: object) -> Plan:
    known = Plan("Winter sale", "", 18_000_00, None, NOON - DAY, NOON + 10 * DAY)
    return replace(known, **changes)  # pyright: ignore[reportArgumentType]


def a_standing(**changes: object) -> Standing:
    known = Standing(Status.DRAFT, a_plan(), False, 0, True, 18_000_00 * VIEWS_A_BUDGET, True)
    return replace(known, **changes)  # pyright: ignore[reportArgumentType]


class TestPlanning:
    def test_takes_what_was_typed(self):
        assert planned(daily_budget="900") == Plan(
            "Winter sale",
            "First look",
            1_800_000,
            90_000,
            datetime(2026, 11, 30, 23, tzinfo=UTC),
            datetime(2026, 12, 24, 23, tzinfo=UTC),
        )

    def test_takes_minutes_where_the_form_has_them(self):
        plan = planned(start_date="2026-12-01T08:00", end_date="2026-12-01T20:00")
        assert plan.ends_at - plan.starts_at == timedelta(hours=12)

    def test_may_last_one_day_from_its_midnight_to_the_next(self):
        plan = planned(start_date="2026-12-01", end_date="2026-12-01")
        assert plan.ends_at - plan.starts_at == timedelta(days=1)
        assert rules.first_day(plan) == rules.last_day(plan)

    @pytest.mark.parametrize("field", ["name", "budget", "start_date", "end_date"])
    @pytest.mark.parametrize("nothing", ["", "   "])
    def test_needs_every_required_field(self, field: str, nothing: str):
        with pytest.raises(rules.FieldsMissing) as refusal:
            planned(**{field: nothing})
        assert refusal.value.params == {"field": field}

    def test_needs_fields_that_the_form_does_not_even_have(self):
        with pytest.raises(rules.FieldsMissing):
            rules.plan_from({}, now=NOON)

    @pytest.mark.parametrize(
        ("field", "typed", "refusal"),
        [
            ("name", "x" * 10_000, fields.TooLong),
            ("name", RIGHT_TO_LEFT, fields.Unseen),
            ("name", ZERO_WIDTH, fields.Unseen),
            ("description", "x" * 501, fields.TooLong),
            ("budget", "-5", fields.BadAmount),
            ("budget", "NaN", fields.BadAmount),
            ("budget", "1e9", fields.BadAmount),
            ("budget", "0.99", fields.AmountOutOfRange),
            ("budget", "1000000000", fields.AmountOutOfRange),
            ("daily_budget", "-1", fields.BadAmount),
            ("daily_budget", "18000.01", rules.DailyAboveBudget),
            ("daily_budget", "0", rules.DailyPaysNoView),
            ("daily_budget", "17.99", rules.DailyPaysNoView),
            ("start_date", "soon", fields.BadDate),
            ("end_date", "2026-11-30", rules.EndBeforeStart),
            ("end_date", "2026-12-01T00:00", rules.EndBeforeStart),
        ],
    )
    def test_refuses_at_the_field_that_is_wrong(
        self, field: str, typed: str, refusal: type[FieldRefused]
    ):
        with pytest.raises(refusal) as raised:
            planned(**{field: typed})
        assert raised.value.params["field"] == field

    def test_says_all_that_is_wrong_at_once_and_first_what_is_missing(self):
        with pytest.raises(rules.FieldsMissing) as refusal:
            planned(name=ZERO_WIDTH, budget="", daily_budget="-1", start_date="soon", end_date="")
        assert refusal.value.params == {"field": "budget"}
        assert {field: type(fault) for field, fault in refusal.value.faults.items()} == {
            "name": fields.Unseen,
            "budget": rules.FieldsMissing,
            "daily_budget": fields.BadAmount,
            "start_date": fields.BadDate,
            "end_date": rules.FieldsMissing,
        }

    def test_refuses_dates_that_have_passed(self):
        with pytest.raises(rules.EndIsPast) as refusal:
            planned(start_date="2026-11-01", end_date="2026-11-20")
        assert refusal.value.params == {"field": "end_date"}

    def test_may_have_begun_already(self):
        assert planned(start_date="2026-11-01", end_date="2026-11-21").starts_at < NOON

    def test_says_the_least_daily_budget_that_pays_for_a_view(self):
        with pytest.raises(rules.DailyPaysNoView) as refusal:
            planned(daily_budget="1")
        assert refusal.value.params["least"] == "18.00"
        assert planned(daily_budget="18.00").daily_budget_cents == 1800

    @given(st.integers(100, fields.LARGEST_CENTS), st.integers(0, fields.LARGEST_CENTS))
    def test_accepts_a_daily_budget_only_if_it_pays_for_a_view(self, budget: int, daily: int):
        typed = {"budget": f"{budget / 100:.2f}", "daily_budget": f"{daily / 100:.2f}"}
        try:
            plan = planned(**typed)
        except (rules.DailyAboveBudget, rules.DailyPaysNoView):
            return
        assert plan.daily_budget_cents is not None
        assert views_a_day(plan.budget_cents, plan.daily_budget_cents) >= 1

    @given(st.integers(100, fields.LARGEST_CENTS))
    def test_says_a_least_that_is_accepted(self, budget: int):
        typed = {"budget": f"{budget / 100:.2f}", "daily_budget": "0"}
        with pytest.raises(rules.DailyPaysNoView) as refusal:
            planned(**typed)
        planned(**typed | {"daily_budget": str(refusal.value.params["least"])})

    @given(st.dictionaries(st.sampled_from(sorted(a_form())), st.text(max_size=100)))
    def test_meets_anything_typed_with_a_plan_or_a_refusal_at_a_field(self, typed: dict[str, str]):
        made = planned_or_refused(typed)
        if isinstance(made, FieldRefused):
            assert made.params["field"] in a_form()
        else:
            assert made.ends_at > made.starts_at
            assert made.budget_cents >= 100


class TestChanging:
    def test_a_draft_changes_everything(self):
        assert rules.edited(a_form(), a_standing(), now=NOON) == planned()

    def test_keeps_what_the_form_leaves_out(self):
        plan = rules.edited({"name": "Spring sale"}, a_standing(), now=NOON)
        assert plan == a_plan(name="Spring sale")

    def test_keeps_moments_exactly_that_forms_show_to_the_minute(self):
        exact = a_plan(starts_at=NOON - timedelta(seconds=1, microseconds=1))
        known = a_standing(status=Status.ACTIVE, is_set_aside=True, plan=exact)
        typed = rules.written(exact) | {"name": "Spring sale"}
        assert rules.edited(typed, known, now=NOON) == replace(exact, name="Spring sale")

    def test_keeps_the_second_of_two_equal_hours_of_autumn(self):
        late = a_plan(starts_at=datetime(2026, 10, 25, 1, 30, tzinfo=UTC))
        known = a_standing(status=Status.ACTIVE, is_set_aside=True, plan=late)
        assert rules.edited(rules.written(late), known, now=NOON) == late

    @pytest.mark.parametrize("status", [Status.ACTIVE, Status.PAUSED])
    def test_a_budget_that_is_set_aside_stays_with_its_start(self, status: Status):
        known = a_standing(status=status, is_set_aside=True)
        with pytest.raises(rules.BudgetIsFixed) as refusal:
            rules.edited({"budget": "20000"}, known, now=NOON)
        assert refusal.value.params == {"field": "budget"}
        with pytest.raises(rules.StartIsFixed) as refusal:
            rules.edited({"start_date": "2026-11-22"}, known, now=NOON)
        assert refusal.value.params == {"field": "start_date"}

    def test_what_runs_may_have_another_end_and_another_daily_budget(self):
        known = a_standing(status=Status.ACTIVE, is_set_aside=True)
        typed = {"end_date": "2027-01-31", "daily_budget": "180"}
        plan = rules.edited(typed, known, now=NOON)
        assert plan.daily_budget_cents == 18_000
        assert plan.ends_at == datetime(2027, 1, 31, 23, tzinfo=UTC)

    def test_nothing_is_moved_to_an_end_that_has_passed(self):
        known = a_standing(status=Status.ACTIVE, is_set_aside=True)
        with pytest.raises(rules.EndIsPast):
            rules.edited({"end_date": "2026-11-21T12:00"}, known, now=NOON)

    def test_a_draft_whose_dates_have_passed_may_still_be_renamed(self):
        over = a_plan(starts_at=NOON - 9 * DAY, ends_at=NOON - DAY)
        plan = rules.edited({"name": "Spring"}, a_standing(plan=over), now=NOON)
        assert plan == replace(over, name="Spring")

    def test_what_has_ended_changes_its_name_and_description_only(self):
        over = a_plan(ends_at=NOON - timedelta(hours=1))
        known = a_standing(status=Status.COMPLETED, is_set_aside=True, plan=over)
        plan = rules.edited({"name": "Spring", "description": "Done"}, known, now=NOON)
        assert plan == replace(over, name="Spring", description="Done")
        for typed in ({"end_date": "2027-01-31"}, {"daily_budget": "180"}):
            with pytest.raises(rules.CampaignHasEnded):
                rules.edited(typed, known, now=NOON)
        with pytest.raises(rules.BudgetIsFixed):
            rules.edited({"budget": "20000"}, known, now=NOON)

    def test_the_houses_own_have_no_budget_to_type(self):
        house = a_plan(budget_cents=0)
        known = a_standing(status=Status.ACTIVE, plan=house)
        typed = {"name": "Spring", "budget": "50", "daily_budget": "5"}
        assert rules.edited(typed, known, now=NOON) == replace(house, name="Spring")

    @pytest.mark.parametrize(
        ("field", "typed", "refusal"),
        [
            ("name", "", rules.FieldsMissing),
            ("name", ZERO_WIDTH, fields.Unseen),
            ("budget", "NaN", fields.BadAmount),
            ("end_date", "2026-11-19", rules.EndBeforeStart),
            ("daily_budget", "18000.01", rules.DailyAboveBudget),
        ],
    )
    def test_refuses_what_no_plan_may_have(
        self, field: str, typed: str, refusal: type[FieldRefused]
    ):
        with pytest.raises(refusal) as raised:
            rules.edited({field: typed}, a_standing(), now=NOON)
        assert raised.value.params["field"] == field

    def test_is_offered_as_it_was_written(self):
        assert rules.written(planned(daily_budget="900")) == a_form(
            daily_budget="900.00", start_date="2026-12-01T00:00", end_date="2026-12-24T23:59"
        )

    @pytest.mark.parametrize(
        ("start", "end"),
        [
            ("2026-12-01", "2026-12-24"),
            ("2026-12-01T00:00", "2026-12-25T00:00"),
            ("2026-12-01T08:00", "2026-12-01T20:00"),
            ("2026-12-24T23:59", "2026-12-25T00:00"),
            ("2026-12-24T23:58", "2026-12-25T00:00"),
        ],
    )
    def test_changes_nothing_when_it_is_saved_as_offered(self, start: str, end: str):
        plan = planned(start_date=start, end_date=end)
        known = a_standing(plan=plan)
        assert rules.edited(rules.written(plan), known, now=NOON) == plan


class TestDates:
    @pytest.mark.parametrize(
        ("starts", "ends", "told"),
        [
            (10 * DAY, 20 * DAY, (When.STARTS_IN, 10)),
            (timedelta(hours=2), 20 * DAY, (When.STARTS_TODAY, 0)),
            (-DAY, 8 * DAY, (When.LEFT, 8)),
            (-DAY, timedelta(hours=1), (When.ENDS_TODAY, 0)),
            (-9 * DAY, timedelta(0), (When.OVER, 0)),
        ],
    )
    def test_say_how_they_lie_to_now(
        self, starts: timedelta, ends: timedelta, told: tuple[When, int]
    ):
        plan = a_plan(starts_at=NOON + starts, ends_at=NOON + ends)
        assert rules.when(plan, now=NOON) == told

    def test_of_days_end_with_the_last_of_them(self):
        plan = planned()
        assert (rules.first_day(plan), rules.last_day(plan)) == (
            date(2026, 12, 1),
            date(2026, 12, 24),
        )


class TestPausingAndResuming:
    @pytest.mark.parametrize("status", list(Status))
    def test_only_what_runs_can_be_paused(self, status: Status):
        assert rules.can_pause(status) == (status is Status.ACTIVE)

    def test_what_is_paused_can_be_resumed_in_its_dates_and_budget(self):
        paused = a_standing(status=Status.PAUSED, is_set_aside=True, balance=0)
        assert rules.can_resume(paused, now=NOON)
        assert not rules.can_resume(paused, now=NOON + 10 * DAY)
        assert not rules.can_resume(paused, now=NOON - 2 * DAY)
        assert not rules.can_resume(replace(paused, taken=VIEWS_A_BUDGET), now=NOON)

    def test_a_draft_needs_an_approved_ad_and_the_whole_budget(self):
        draft = a_standing()
        assert rules.can_resume(draft, now=NOON)
        assert not rules.can_resume(replace(draft, has_ad_to_show=False), now=NOON)
        assert not rules.can_resume(replace(draft, balance=draft.balance - 1), now=NOON)

    def test_a_draft_needs_somebody_who_can_look_after_it(self):
        assert not rules.can_resume(a_standing(has_somebody=False), now=NOON)

    @pytest.mark.parametrize("status", [Status.ACTIVE, Status.COMPLETED])
    def test_what_runs_or_has_ended_cannot_be_resumed(self, status: Status):
        assert not rules.can_resume(a_standing(status=status), now=NOON)
