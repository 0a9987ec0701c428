"""The processes of an app that is served by several of them."""

import psutil

from tests.serving import Served


def workers_of(served: Served) -> list[int]:
    """The processes that hold sockets."""
    family = psutil.Process(served.process.pid).children(recursive=True)
    return [
        one.pid
        for one in family
        if any(link.status == "ESTABLISHED" for link in one.net_connections("tcp"))
    ]
