"""Identifiers: UUIDv7, so that neighbours in time are neighbours in an index."""

import os
import time
from datetime import datetime
from uuid import UUID


def new_id() -> UUID:
    """48 bits of milliseconds, then 74 random bits (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = int.from_bytes(milliseconds.to_bytes(6, "big") + os.urandom(10), "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    return UUID(int=value & ~(0x3 << 62) | (0x2 << 62))


def id_at(moment: datetime) -> UUID:
    """An identifier as if it had been made then."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=new_id().int & ((1 << 80) - 1) | milliseconds << 80)


def first_id_since(moment: datetime) -> UUID:
    """Every identifier that was made then or later is at least this one."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)
