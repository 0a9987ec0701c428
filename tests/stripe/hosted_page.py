"""The page on which a buyer pays: what is bought, a button that pays and one that goes back."""

from html import escape

from tests.stripe.objects import Thing

WRITTEN = {"sek": "{} kr", "usd": "${}"}
CLOSED = {
    "complete": "You have already paid.",
    "expired": "This Checkout Session has expired.",
}


def page(session: Thing) -> bytes:
    said = _buttons(session) if session["status"] == "open" else CLOSED[session["status"]]
    whole, part = divmod(session["amount_total"], 100)
    amount = WRITTEN[session["currency"]].format(f"{whole}.{part:02}")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title>'
        f"<h1>{amount}</h1>{said}</html>"
    ).encode()


def _buttons(session: Thing) -> str:
    cancel = _button(session, "cancel", "Back") if session["cancel_url"] else ""
    return _button(session, "pay", "Pay") + cancel


def _button(session: Thing, action: str, label: str) -> str:
    address = escape(f"/c/pay/{session['id']}/{action}")
    return f'<form method="post" action="{address}"><button>{label}</button></form>'


def way_back(session: Thing, action: str) -> str:
    """Where the buyer goes next, if anywhere; names the session where the shop asks for it."""
    address = session["success_url"] if action == "pay" else session["cancel_url"]
    return (address or "").replace("{CHECKOUT_SESSION_ID}", session["id"])
