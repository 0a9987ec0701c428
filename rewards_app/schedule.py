"""Every job that the queue runs: by itself at its hours, or when it is asked for. No logic."""

from rewards_app.core import jobs
from rewards_app.features.accounts import jobs as accounts_jobs
from rewards_app.features.admin import jobs as admin_jobs
from rewards_app.features.ads import jobs as ads_jobs
from rewards_app.features.advertiser import jobs as advertiser_jobs
from rewards_app.features.alerts import jobs as alerts_jobs
from rewards_app.features.arrivals import jobs as arrivals_jobs
from rewards_app.features.coins import jobs as coins_jobs
from rewards_app.features.factors import jobs as factors_jobs
from rewards_app.features.forum import jobs as forum_jobs
from rewards_app.features.fraud import jobs as fraud_jobs
from rewards_app.features.guardians import jobs as guardians_jobs
from rewards_app.features.health import jobs as health_jobs
from rewards_app.features.leaderboard import jobs as leaderboard_jobs
from rewards_app.features.notifications import jobs as notifications_jobs
from rewards_app.features.payments import jobs as payments_jobs
from rewards_app.features.privacy import closing_jobs
from rewards_app.features.privacy import jobs as privacy_jobs
from rewards_app.features.shop import jobs as shop_jobs
from rewards_app.features.signals import jobs as signals_jobs
from rewards_app.features.support import jobs as support_jobs
from rewards_app.features.waitlist import jobs as waitlist_jobs

JOBS = (
    *accounts_jobs.JOBS,
    *alerts_jobs.JOBS,
    *arrivals_jobs.JOBS,
    *coins_jobs.JOBS,
    *admin_jobs.JOBS,
    *ads_jobs.JOBS,
    *advertiser_jobs.JOBS,
    *forum_jobs.JOBS,
    factors_jobs.PERFORM_RESETS,
    *fraud_jobs.JOBS,
    *guardians_jobs.JOBS,
    *health_jobs.JOBS,
    *leaderboard_jobs.JOBS,
    *notifications_jobs.JOBS,
    *payments_jobs.JOBS,
    *closing_jobs.JOBS,
    *privacy_jobs.JOBS,
    *shop_jobs.JOBS,
    *signals_jobs.JOBS,
    *support_jobs.JOBS,
    *waitlist_jobs.JOBS,
)


def offer_all() -> None:
    """Make them known to the queue of this process."""
    for job in JOBS:
        jobs.offer(job)
