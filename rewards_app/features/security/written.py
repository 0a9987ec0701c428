"""Sessions and passkeys as their owner's page shows them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol
from uuid import UUID

from rewards_app.features.accounts.devices import device_of
from rewards_app.features.factors.rules import KnownPasskey

PHONES = frozenset({"iPhone", "Android"})
LAPTOPS = frozenset({"macOS", "ChromeOS"})


class Signed(Protocol):
    """A session that is alive."""

    id: UUID
    user_agent: str
    ip_address: str | None
    created_at: datetime
    last_active_at: datetime


def session_rows(found: Iterable[Signed], current: UUID) -> list[dict[str, str]]:
    """The current one first; each value is empty where nothing is known, or kept."""
    ordered = sorted(found, key=lambda each: each.id != current)
    return [_session(each, is_current=each.id == current) for each in ordered]


def _session(known: Signed, *, is_current: bool) -> dict[str, str]:
    browser, system = device_of(known.user_agent)
    return {
        "id": str(known.id),
        "browser": browser,
        "system": system,
        "sign": _sign(system),
        "current": "yes" if is_current else "",
        "active_at": known.last_active_at.isoformat(),
        "since": known.created_at.isoformat(),
        "address": known.ip_address or "",
    }


def _sign(system: str) -> str:
    if system in PHONES:
        return "phone"
    return "laptop" if system in LAPTOPS else "screen"


def passkey_rows(keys: Iterable[KnownPasskey]) -> list[dict[str, str]]:
    return [
        {
            "id": str(key.id),
            "name": key.name,
            "since": key.created_at.isoformat(),
            "used_at": key.last_used_at.isoformat() if key.last_used_at else "",
        }
        for key in keys
    ]
