"""What people read of how long things are kept is what the jobs do."""

import re

import pytest

import rewards_app.rewards_app  # noqa: F401  (offers every job)
from rewards_app.core import forgetting, jobs
from rewards_app.features.accounts import retention as accounts
from rewards_app.features.alerts import rules as alerts
from rewards_app.features.guardians import rules as guardians
from rewards_app.features.health import retention as health
from rewards_app.features.notifications import rules as notifications
from rewards_app.features.privacy.retention import KEPT, Kept, Period
from rewards_app.features.support import rules as support
from rewards_app.features.waitlist import rules as waitlist
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

ABOUT_NOBODY = {
    "arrivals.forget",  # sums of a day
    "leaderboard.forget_old_boards",  # counted from coins, which are kept
    "payments.forget_test_checkouts",  # nobody paid at them
}
FORGETS = re.compile(r"\.(forget|tidy|erase)")
DAYS = {Period.WEEK: 7, Period.MONTH: 30, Period.QUARTER: 90, Period.YEAR: 365}


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
class TestWhatIsKept:
    def test_is_forgotten_by_jobs_that_run_by_themselves(self, kept: Kept):
        assert [name for name in kept.jobs if not jobs.JOBS[name].cron] == []
        assert bool(kept.jobs) is (kept.period is not Period.FOR_GOOD)

    def test_has_its_words_in_every_language(self, kept: Kept):
        for language in CODES:
            said = catalogues.interface(language)
            assert said[f"retention.kept.{kept.name}"]
            assert said[f"retention.kept.{kept.name}_why"]
            assert said[f"retention.periods.{kept.period}"]


def test_every_job_that_forgets_by_itself_is_told_of_or_about_nobody():
    forgetting_ones = {name for name, job in jobs.JOBS.items() if job.cron and FORGETS.search(name)}
    told = {name for kept in KEPT for name in kept.jobs}
    assert forgetting_ones - told == ABOUT_NOBODY


class TestThePeriods:
    def test_are_those_of_the_jobs(self):
        assert forgetting.ACTIVITY_IS_KEPT.days == DAYS[Period.YEAR]
        assert health.FAILED_JOBS_ARE_KEPT.days == DAYS[Period.MONTH]
        assert notifications.READ_ONES_ARE_KEPT.days == DAYS[Period.QUARTER]
        assert notifications.UNREAD_ONES_ARE_KEPT.days == DAYS[Period.YEAR]
        assert alerts.ADDRESS_KEPT_FOR.days == DAYS[Period.QUARTER]
        assert guardians.UNANSWERED_ARE_KEPT.days == DAYS[Period.MONTH]
        assert accounts.NEVER_PROVEN.days == DAYS[Period.MONTH]
        assert waitlist.UNCONFIRMED_ARE_KEPT.days == DAYS[Period.MONTH]
        assert accounts.LINKS_ARE_KEPT.days == DAYS[Period.WEEK]
        assert support.KEPT_FOR.days in (2 * 365, 2 * 365 + 1)
