"""Identifiers: UUIDv7, so that neighbours in time are neighbours in an index."""

import os
import time
from datetime import datetime
from threading import Lock
from uuid import UUID

COUNTED = 1 << 12
"""So many identifiers of one millisecond can be told apart by their order."""
ID_LENGTH = 36
VERSION = 7
_one_at_a_time = Lock()
_latest = (0, 0)


def new_id() -> UUID:
    """48 bits of milliseconds, 12 that count within one, then 62 random bits (RFC 9562)."""
    milliseconds, number = _place()
    chance = int.from_bytes(os.urandom(8), "big") >> 2
    return UUID(int=milliseconds << 80 | VERSION << 76 | number << 64 | 0x2 << 62 | chance)


def _place() -> tuple[int, int]:
    """After the one before it in this process, unless the clock was put back."""
    global _latest
    now = time.time_ns() // 1_000_000
    with _one_at_a_time:
        before, number = _latest
        following = number + 1
        # Begun by chance, and low enough that thousands follow: nobody tells how many there are.
        first = int.from_bytes(os.urandom(2), "big") % (COUNTED // 4)
        _latest = (now, following if now == before and following < COUNTED else first)
        return _latest


def id_at(moment: datetime) -> UUID:
    """An identifier as if it had been made then."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=new_id().int & ((1 << 80) - 1) | milliseconds << 80)


def first_id_since(moment: datetime) -> UUID:
    """Every identifier that was made then or later is at least this one."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def may_be_ours(text: object) -> bool:
    """Whether it looks as `new_id` makes them: whoever else names things seldom takes UUIDv7."""
    found = id_from(text) if isinstance(text, str) else None
    return found is not None and found.version == VERSION


def id_from(text: str) -> UUID | None:
    """What a page, an address or another program calls something of ours; else it is nothing."""
    try:
        return UUID(text) if len(text) == ID_LENGTH else None
    except ValueError:
        return None
