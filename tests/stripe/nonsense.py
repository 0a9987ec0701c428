"""What comes back on a bad day instead of Stripe's answer."""

import json
from collections.abc import Callable
from typing import Any, Literal

from tests.stripe import refusals
from tests.stripe.idempotency import Answer

Nonsense = Literal[
    "html",
    "empty",
    "truncated json",
    "wrong object",
    "no url",
    "bad url",
    "other amount",
    "500",
    "429",
]

AMOUNTS = ("amount_total", "amount_subtotal", "amount", "amount_received")


def _with(body: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**body, **changes}).encode()


def _another_amount(body: dict[str, Any]) -> bytes:
    return _with(body, **{name: body[name] + 100 for name in AMOUNTS if name in body})


# The request is carried out, and its answer is garbled on the way.
GARBLED: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "html": lambda body: b"<!doctype html><title>Bad gateway</title><h1>502</h1>",
    "empty": lambda body: b"",
    "truncated json": lambda body: json.dumps(body).encode()[: len(json.dumps(body)) // 2],
    "wrong object": lambda body: b'{"id": "cus_9s6XKzkNRiz8i3", "object": "customer"}',
    "no url": lambda body: _with(body, url=None),
    "bad url": lambda body: _with(body, url="javascript:alert(document.cookie)"),
    "other amount": _another_amount,
}

# The request is turned away and nothing has happened.
TURNED_AWAY = {"500": refusals.broken, "429": refusals.too_many_requests}


def garbled(answer: Answer, nonsense: Nonsense | None) -> Answer:
    if nonsense not in GARBLED or not isinstance(answer.body, dict) or "error" in answer.body:
        return answer
    return Answer(answer.status, GARBLED[nonsense](answer.body), answer.headers)
