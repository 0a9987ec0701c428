"""Who listens to what changes: what one test adds is gone for the next one."""

from collections.abc import Iterator
from contextlib import contextmanager

from rewards_app.core import live


@contextmanager
def put_back() -> Iterator[None]:
    tables = (live._listeners, live._own_listeners)
    before = [{topic: list(known) for topic, known in table.items()} for table in tables]
    try:
        yield
    finally:
        for table, known in zip(tables, before, strict=True):
            table.clear()
            table.update(known)


@contextmanager
def told(*topics: str) -> Iterator[dict[str, list[str]]]:
    """The keys that are announced under each topic meanwhile."""
    heard: dict[str, list[str]] = {topic: [] for topic in topics}
    with put_back():
        for topic, keys in heard.items():
            live.on_own(topic, keys.append)
        yield heard
