"""Ports for servers that may be stopped, and started again where they were."""

import itertools
import secrets
import socket

FIRST, LAST = 20_000, 32_000
"""Below those that a system gives to connections: none of them takes a port whose server is away,
nor meets itself there."""

_next = itertools.count(secrets.randbelow(LAST - FIRST))


def free_port() -> int:
    """Another one each time; processes begin in different places."""
    for number in itertools.islice(_next, LAST - FIRST):
        port = FIRST + number % (LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise OSError("no port is free")
