"""What the app does by itself at night, put off: it would tidy away what a test compares."""

import time
from collections.abc import Iterator

import psycopg
from croniter import croniter

from rewards_app import schedule
from rewards_app.core import jobs

LONGEST_RUN = 6 * 3600
QUEUED_ALREADY = """
    insert into procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
    values (%s, '', %s) on conflict do nothing
"""


def put_off_nights(url: str) -> None:
    """Each job that comes once a day is queued already, as far as those who queue them know."""
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.executemany(QUEUED_ALREADY, list(_hours_to_come()))


def _hours_to_come() -> Iterator[tuple[str, int]]:
    before = dict(jobs.JOBS)
    schedule.offer_all()
    offered = list(jobs.JOBS.values())
    jobs.JOBS.clear()
    jobs.JOBS.update(before)
    now = time.time()
    for job in offered:
        if job.cron and job.cron.split()[1] != "*":
            at = round(croniter(job.cron, now).get_next(float))
            if at - now < LONGEST_RUN:
                yield job.name, at
