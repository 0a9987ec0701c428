"""Pages and frames that follow what everybody does: asked to look again soon after it changed."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rewards_app.core import live, tabs
from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.core.rounds import rounds
from rewards_app.features.shell.live import TabCalls

LOOK_EVERY_SECONDS = 0.25
TELL_EVERY_SECONDS = 1.0


@dataclass
class _Follower:
    """Some tabs, and what has changed since they were told: for each topic, whose it is."""

    follows: Mapping[str, Sequence[Any]]
    tabs: Callable[[], Iterable[str]]
    concerns: Callable[[str, Collection[str]], bool]
    """Whether such a tab shows something of those whose it is."""
    changed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set[str]))
    told_at: float = 0

    async def note(self, topic: str, key: str) -> None:
        self.changed[topic].add(key)

    async def note_all(self, _key: str) -> None:
        for topic in self.follows:
            self.changed[topic].add(live.EVERYBODYS)

    def is_due(self, now: float) -> bool:
        return bool(self.changed) and now - self.told_at >= TELL_EVERY_SECONDS

    def take(self, now: float) -> dict[str, set[str]]:
        changed = {topic: keys for topic, keys in self.changed.items() if keys}
        self.changed.clear()
        self.told_at = now
        return changed

    def handlers(self, token: str, changed: dict[str, set[str]]) -> list[Any]:
        """What this tab runs for all that has changed and concerns it, each once."""
        topics = [t for t in self.follows if t in changed and self.concerns(token, changed[t])]
        return list(dict.fromkeys(one for topic in topics for one in self.follows[topic]))


def _of_a_page(page: Page) -> _Follower:
    return _Follower(page.follows, partial(tabs.of_roles_at, page.path, page.roles), tabs.concerns)


def _of_a_frame(role: Role, follows: Mapping[str, Sequence[Any]]) -> _Follower:
    """Around each of their pages: whatever that shows, all of it concerns them."""

    def theirs() -> list[str]:
        return [token for token in tabs.signed_in() if tabs.role_of(token) is role]

    return _Follower(follows, theirs, lambda _token, _keys: True)


class FollowCalls:
    """Keeps this worker's tabs up to date with what their pages follow, and the frames of roles."""

    def __init__(
        self,
        calls: TabCalls,
        pages: Iterable[Page],
        frames: Mapping[Role, Mapping[str, Sequence[Any]]],
    ) -> None:
        self.calls = calls
        self.followers = [
            *(_of_a_page(page) for page in pages if page.follows),
            *(_of_a_frame(role, follows) for role, follows in frames.items()),
        ]
        for follower in self.followers:
            live.on(live.TAKEN_UP, follower.note_all)
            for topic in follower.follows:
                live.on(topic, partial(follower.note, topic))

    async def tell(self) -> None:
        """Run for the life of a worker."""
        await rounds(self._tell_once, LOOK_EVERY_SECONDS, "followers.not_told")

    async def _tell_once(self) -> None:
        now = time.monotonic()
        for follower in self.followers:
            if follower.is_due(now):
                await self._tell(follower, follower.take(now))

    async def _tell(self, follower: _Follower, changed: dict[str, set[str]]) -> None:
        for token in follower.tabs():
            if handlers := follower.handlers(token, changed):
                await self.calls.ask([token], handlers)
