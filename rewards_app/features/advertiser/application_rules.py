"""What a company says of itself when it applies, and later in its settings. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from rewards_app.core.errors import Faults, FieldRefused
from rewards_app.features.advertiser import fields
from rewards_app.paper.letters import undrawable_letters

LONGEST_NAME = 80
LETTERS_NAMED = 5


class NotForInvoices(FieldRefused):
    """Has letters that no invoice can write: `letters`, or the first of them."""

    code = "field.not_for_invoices"


@dataclass(frozen=True, slots=True)
class Company:
    """A company as it wants to be known and reached."""

    name: str
    email: str
    phone: str | None
    website: str


def company_from(
    form: Mapping[str, str], *, country: str, allows_http: bool, called: str = ""
) -> Company:
    """The company as it was typed; `country` says whose numbers need no prefix.

    Whatever it is called already, it may be called.
    """
    with Faults(form) as faults:
        return Company(
            name=faults.field(_name_from, "company_name", called=called),
            email=faults.field(fields.email_from, "email"),
            phone=faults.field(fields.phone_from, "phone", country=country),
            website=faults.field(fields.address_from, "website", allows_http=allows_http),
        )


def _name_from(raw: str, field: str, *, called: str = "") -> str:
    name = fields.line_from(raw, field, longest=LONGEST_NAME)
    if name != called and (missing := undrawable_letters(name)):
        raise NotForInvoices(field, letters=missing[:LETTERS_NAMED])
    return name
