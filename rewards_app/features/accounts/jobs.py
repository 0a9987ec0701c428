"""What is forgotten of people at night, and what is done later so that no answer tells of it."""

import json
from datetime import datetime

import procrastinate

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.sealed import unseal
from rewards_app.features.accounts import mailed_links, retention, signing_up
from rewards_app.models import Account

RETRY = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)


async def forget_activity(timestamp: int) -> jobs.Counts:
    return await retention.forget_activity(now=utc_now())


async def forget_expired(timestamp: int) -> jobs.Counts:
    return await retention.forget_expired(now=utc_now())


async def finish_sign_up(email: str, sealed: str, door_hash: str, may_mail: bool) -> None:
    account = Account.model_validate(json.loads(unseal(sealed)))
    async with transaction() as session:
        await signing_up.finish_sign_up(session, account, door_hash, may_mail=may_mail)


async def mail_link(purpose: str, email: str, asked_at: str) -> None:
    now = datetime.fromisoformat(asked_at)
    async with transaction() as session:
        await mailed_links.mail_link(session, purpose, email, now=now)


JOBS = (
    jobs.Job("accounts.forget_activity", forget_activity, RETRY, cron="11 4 * * *"),
    jobs.Job("accounts.forget_expired", forget_expired, RETRY, cron="13 4 * * *"),
    jobs.Job(signing_up.SIGNING_UP, finish_sign_up, RETRY),
    jobs.Job(mailed_links.MAILING_LINK, mail_link, RETRY),
)
