"""What is proven for admins at night: that nobody touched the audit log."""

import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit

_log = structlog.get_logger(__name__)


async def check_audit_log(timestamp: int) -> jobs.Counts:
    """Its last hash goes into the app's own log, which is kept elsewhere: a cut off end shows."""
    async with transaction() as session:
        found = await audit.check(session)
        if found.broken_at is not None:
            await alerts.raise_alert(
                session,
                alerts.Kind.AUDIT_BROKEN,
                about="audit",
                now=utc_now(),
                entry=found.broken_at,
            )
    _log.info(
        "audit.checked",
        entries=found.entries,
        broken_at=found.broken_at or 0,
        head=in_groups(found.head),
    )
    return {"checked": found.entries, "wrong": int(found.broken_at is not None)}


def in_groups(digest: str) -> str:
    """The log hides what looks like a secret: this is none, and must be readable."""
    return " ".join(digest[start : start + 8] for start in range(0, len(digest), 8))


CHECK_AUDIT_LOG = jobs.Job(
    "admin.check_audit_log",
    check_audit_log,
    procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4),
    cron="47 3 * * *",
)
JOBS = (CHECK_AUDIT_LOG,)
