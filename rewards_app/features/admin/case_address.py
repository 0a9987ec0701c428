"""Where the case of an account is in the panel."""

from uuid import UUID

from rewards_app.features.admin.state import PATH

TAB = "fraud"
QUERY = "case"


def address_of(account_id: UUID | str) -> str:
    return f"{PATH}?tab={TAB}&{QUERY}={account_id}"
