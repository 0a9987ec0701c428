"""Identifiers: UUIDv7, so that neighbours in time are neighbours in an index."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """48 bits of milliseconds, then 74 random bits (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = int.from_bytes(milliseconds.to_bytes(6, "big") + os.urandom(10), "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    return UUID(int=value & ~(0x3 << 62) | (0x2 << 62))
