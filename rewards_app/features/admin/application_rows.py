"""Applications and companies as the panel shows them."""

from typing import Any

from rewards_app.core.settings import settings
from rewards_app.features.ads.rules import is_safe_url
from rewards_app.features.advertiser.review import Application
from rewards_app.features.advertiser.rules import CARD, Status


def application_row(known: Application) -> dict[str, Any]:
    applicant = known.applicant
    is_safe = is_safe_url(known.website, allows_http=not settings().is_production)
    return {
        "id": str(known.id),
        "card": f"{CARD}{known.id}",
        "company": known.company,
        "email": known.email,
        "phone": known.phone,
        "website": known.website,
        "link": known.website if is_safe else "",
        "status": known.status.value,
        "reason": known.reason,
        "sent_at": known.sent_at.isoformat(),
        "decided_at": known.decided_at.isoformat() if known.decided_at else "",
        "decided_by": known.decided_by,
        "version": known.version.isoformat(),
        "has_account": applicant is not None,
        "is_pending": known.status is Status.PENDING,
        "can_approve": known.status is not Status.APPROVED and known.has_people,
        "name": applicant.name if applicant else "",
        "account_email": applicant.email if applicant else "",
        "role": applicant.role if applicant else "",
        "is_verified": bool(applicant and applicant.is_verified),
        "since": applicant.since.isoformat() if applicant else "",
    }
