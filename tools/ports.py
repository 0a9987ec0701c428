"""Ports for servers that may be stopped, and started again where they were."""

import itertools
import os
import secrets
import socket

FIRST, LAST = 20_000, 32_000
"""Below those that a system gives to connections: none of them takes a port whose server is away,
nor meets itself there."""

SHARES = 8
SHARE = "PORTS_SHARE"
"""Which eighth of them is this process's, by its number: what stands behind a port that is just
free, as its server is away or not there yet, is found by no other share."""

_next = itertools.count(secrets.randbelow(LAST - FIRST))


def free_port() -> int:
    """Another one each time; processes begin in different places."""
    share = int(os.environ.get(SHARE, "0")) % SHARES
    for number in itertools.islice(_next, (LAST - FIRST) // SHARES):
        port = FIRST + (number * SHARES + share) % (LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise OSError("no port is free")
