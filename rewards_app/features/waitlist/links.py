"""The links in mails to waiting people: each names one of them, and does one thing.

None can be made without our key, and none does what another one is for.
"""

import base64
import binascii
import hmac
from datetime import UTC, datetime
from uuid import UUID

from rewards_app.core.sealed import fingerprints
from rewards_app.core.settings import settings

PAGE = "/waitlist"
LEAVE = "/unsubscribe/waitlist"
CONFIRMING, LEAVING = "waitlist confirm", "waitlist leave"
BYTES_OF_ID = 16
BYTES_OF_MOMENT = 8
BYTES_OF_MARK = 16
LONGEST_TOKEN = 100


def to_confirm(entry_id: UUID, asked_at: datetime) -> str:
    return f"{settings().origin}{PAGE}?token={confirming_token(entry_id, asked_at)}"


def to_leave(entry_id: UUID, language: str) -> str:
    """It never expires: a mail may be read years later."""
    return f"{settings().origin}{LEAVE}?token={leaving_token(entry_id, language)}"


def confirming_token(entry_id: UUID, asked_at: datetime) -> str:
    moment = int(asked_at.timestamp()).to_bytes(BYTES_OF_MOMENT)
    return _signed(CONFIRMING, entry_id.bytes + moment)[0]


def leaving_token(entry_id: UUID, language: str) -> str:
    """With the language of its mail: who has left is known by nothing else."""
    return _signed(LEAVING, entry_id.bytes + language.encode())[0]


def who_confirms(token: str) -> tuple[UUID, datetime] | None:
    """Whom a link of ours names, and when they were asked; None for any other."""
    known = _read(CONFIRMING, token)
    if known is None:
        return None
    moment = int.from_bytes(known[BYTES_OF_ID:])
    return UUID(bytes=known[:BYTES_OF_ID]), datetime.fromtimestamp(moment, UTC)


def who_leaves(token: str) -> tuple[UUID, str] | None:
    """Whom a link of ours names, and in which language they were written to."""
    known = _read(LEAVING, token)
    return (UUID(bytes=known[:BYTES_OF_ID]), known[BYTES_OF_ID:].decode()) if known else None


def _signed(purpose: str, known: bytes) -> list[str]:
    """By each of our keys, the present one first."""
    return [
        base64.urlsafe_b64encode(bytes.fromhex(mark)[:BYTES_OF_MARK] + known).decode().rstrip("=")
        for mark in fingerprints(f"{purpose} {known.hex()}")
    ]


def _read(purpose: str, token: str) -> bytes | None:
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    try:
        signed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    known = signed[BYTES_OF_MARK:]
    # Compared as it is written: a text with other bits at its end would read the same.
    is_ours = any(
        hmac.compare_digest(token.encode(), ours.encode()) for ours in _signed(purpose, known)
    )
    return known if is_ours else None
