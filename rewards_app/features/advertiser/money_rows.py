"""Top-ups and entries of a statement as pages show them."""

from typing import Any

from rewards_app.features.advertiser.billing_rules import invoice_name
from rewards_app.features.advertiser.statement import Statement
from rewards_app.features.advertiser.top_ups import TopUp


def top_up_row(one: TopUp) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "cents": one.cents,
        "returned": one.returned_cents,
        "status": one.status.value,
        "invoice": invoice_name(one.invoice_number) if one.invoice_number else "",
        "at": (one.paid_at or one.created_at).isoformat(),
        "url": one.checkout_url or "",
        "until": one.expires_at.isoformat() if one.expires_at else "",
        "is_under_way": one.is_under_way,
        "is_test": one.is_test,
    }


def entry_rows(found: Statement) -> list[dict[str, Any]]:
    return [
        {
            "number": entry.number,
            "at": entry.created_at.isoformat(),
            "kind": entry.kind,
            "subject": entry.subject,
            "amount": entry.amount,
            "left": entry.balance_after,
        }
        for entry in found.entries
    ]
