"""A PostgreSQL or Redis that is gone without a word: how long a connection goes on waiting for it.

A machine without power and a network that is cut say no goodbye. Left to itself, the system says
again for a quarter of an hour what is not taken, and where nothing is said it waits for ever.
"""

import socket
from typing import Any

PATIENCE: dict[str, int] = {
    "connect_timeout": 5,
    # What was said and is not taken, in thousandths of a second: as far as Linux knows.
    "tcp_user_timeout": 15_000,
    # Where nothing is said the system asks, in seconds, and asks again.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""What each connection of a worker is made with. On one machine there is nothing to wait for."""

_ASKED_BY_THE_SYSTEM = {
    getattr(socket, name): PATIENCE[same]
    for name, same in (
        ("TCP_USER_TIMEOUT", "tcp_user_timeout"),
        ("TCP_KEEPIDLE", "keepalives_idle"),
        ("TCP_KEEPINTVL", "keepalives_interval"),
        ("TCP_KEEPCNT", "keepalives_count"),
    )
    if hasattr(socket, name)
}


def patience_with_redis(url: str) -> dict[str, Any]:
    """What each connection to this Redis is made with, in the words of its client.

    No time by which it has to answer: who only listens to it may hear nothing for hours.
    """
    connecting = {"socket_connect_timeout": PATIENCE["connect_timeout"]}
    if url.startswith("unix:"):
        return connecting
    return {
        **connecting,
        "socket_keepalive": True,
        "socket_keepalive_options": _ASKED_BY_THE_SYSTEM,
    }
