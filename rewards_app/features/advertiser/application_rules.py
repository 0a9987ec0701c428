"""What a company says of itself when it applies, and later in its settings. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from rewards_app.core.errors import Faults
from rewards_app.features.advertiser import fields

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Company:
    """A company as it wants to be known and reached."""

    name: str
    email: str
    phone: str | None
    website: str


def company_from(form: Mapping[str, str], *, country: str, allows_http: bool) -> Company:
    """The company as it was typed; `country` says whose numbers need no prefix."""
    with Faults(form) as faults:
        return Company(
            name=faults.field(fields.line_from, "company_name", longest=LONGEST_NAME),
            email=faults.field(fields.email_from, "email"),
            phone=faults.field(fields.phone_from, "phone", country=country),
            website=faults.field(fields.address_from, "website", allows_http=allows_http),
        )
