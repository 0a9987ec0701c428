"""Films to watch, players in front of them, and a socket that can be cut."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import LiteralString

from playwright.async_api import Page, WebSocketRoute
from sqlalchemy import text
from sqlmodel import select

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, run, transaction
from rewards_app.features.ads import serving
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.signals.rules import Rule
from rewards_app.models import Account, Ad, AdView, FraudSignal
from tests import ads
from tests.browser.chromium import Visitor
from tests.browser.conftest import Person
from tests.browser.pages import Watch

PING, PONG = "2", "3"
PAUSE_ALL: LiteralString = """
update ad_campaigns set status = 'paused' where status = 'active' returning id
"""
VIEWS_WERE_SOONER: LiteralString = """
update ad_views set started_at = started_at - :by, expires_at = expires_at - :by,
    rewarded_at = rewarded_at - :by, ended_at = ended_at - :by
where account_id = :id
"""
SITTING_WAS_SOONER: LiteralString = """
update watchers set sitting_started_at = sitting_started_at - :by,
    last_started_at = last_started_at - :by
where account_id = :id
"""
FILM = {"video_url": "/ads/drift-one.webm", "image_url": "/ads/drift-one.webp"}


async def a_film(*, seconds: int = 5, **changes: object) -> Ad:
    """A short film with a title of its own: the newest ad of all, so it is listed first."""
    title = f"Champion {secrets.token_hex(3)}"
    return await ads.an_ad(title=title, seconds=seconds, **FILM | changes)


@asynccontextmanager
async def nothing_else_to_watch() -> AsyncGenerator[None]:
    """All campaigns stand still; afterwards they go on, for those who come next."""
    async with transaction() as session:
        paused = await rows(session, PAUSE_ALL, {})
    ids = [campaign_id for (campaign_id,) in paused]
    await served_are_what_can_be()
    try:
        yield
    finally:
        async with transaction() as session:
            await run(
                session,
                text("update ad_campaigns set status = 'active' where id = any(:ids)"),
                {"ids": ids},
            )
        await served_are_what_can_be()


async def watches_all_of_today(person: Person) -> None:
    """As many ads as a day has, while nobody looked."""
    film, player, now = await a_film(), await the_actor_behind(person), utc_now()
    first = max(now - timedelta(minutes=6), now.replace(hour=0, minute=0, second=0))
    for number in range(DAILY_LIMIT):
        await ads.watches(player, film, now=first + number * timedelta(seconds=6))


async def has_watched(person: Person, count: int, *, every: timedelta, ago: timedelta) -> None:
    """So many ads, of which the last one began so long ago."""
    film, player = await a_film(), await the_actor_behind(person)
    # Not then: the app ends each minute what ran out, and a view would be over before its ad is.
    first = utc_now() - count * every
    for number in range(count):
        await ads.watches(player, film, now=first + number * every)
    await was_sooner(person, ago)


async def ends(film: Ad) -> None:
    """Its campaign ends, as one does by its dates."""
    async with transaction() as session:
        await run(
            session,
            text("update ad_campaigns set status = 'completed' where id = :id"),
            {"id": film.campaign_id},
        )
    await served_are_what_can_be()


async def served_are_what_can_be() -> None:
    """Known to all who have the page open."""
    async with transaction() as session:
        await serving.sync(session, now=utc_now())
    await live.tell_now()


async def at_the_ads(visitor: Visitor, person: Person) -> Watch:
    await visitor.comes_with(person.session)
    watch = Watch(visitor.page)
    await watch.open()
    return watch


async def started_from_home(visitor: Visitor, player: Person, film: Ad) -> Watch:
    """An ad in a tab that can be left by going back."""
    watch = await from_home(visitor, player)
    await watch.start(film.title)
    return watch


async def from_home(visitor: Visitor, player: Person) -> Watch:
    await visitor.comes_with(player.session)
    watch = Watch(await visitor.open("/"))
    await watch.page.get_by_role("link", name="Earn", exact=True).first.click()
    await watch.is_ready()
    return watch


async def the_actor_behind(person: Person) -> Actor:
    async with transaction() as session:
        account = await session.get(Account, person.account_id)
    assert account
    return ads.the_actor(account)


async def was_sooner(person: Person, by: timedelta) -> None:
    """All that this player has watched until now, and nobody else."""
    async with transaction() as session:
        for change in (VIEWS_WERE_SOONER, SITTING_WAS_SOONER):
            await run(session, text(change), {"id": person.account_id, "by": by})


async def eleven_minutes_pass(person: Person) -> None:
    """For the ad that this player has begun."""
    await was_sooner(person, timedelta(minutes=11))


async def is_known(person: Person, of_the_ad: Callable[[AdView], bool]) -> None:
    """Our server knows it of the only ad that this player has begun."""
    begun = select(AdView).where(AdView.account_id == person.account_id)
    async with asyncio.timeout(6):
        while True:
            async with transaction() as session:
                if any(of_the_ad(view) for view in (await session.exec(begun)).all()):
                    return
            await asyncio.sleep(0.05)


async def suspicions(person: Person, rule: Rule) -> int:
    """How often this player was noticed by the rule."""
    noticed = select(FraudSignal).where(
        FraudSignal.account_id == person.account_id, FraudSignal.rule == rule
    )
    async with transaction() as session:
        return len((await session.exec(noticed)).all())


@dataclass
class Wire:
    """The pages' socket, which can be cut, and can swallow what the server or the page says."""

    is_cut: bool = False
    is_mute: bool = False
    is_deaf: bool = False
    kept_back: str = ""
    """What the server says of this comes when `says_the_rest` is called."""
    held_up: str = ""
    """The same of what the page says."""
    rest: list[tuple[WebSocketRoute, str | bytes]] = field(default_factory=list)
    lines: list[WebSocketRoute] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """What was said, by either side."""

    @classmethod
    async def of(cls, visitor: Visitor) -> "Wire":
        wire = cls()
        await visitor.context.route_web_socket(lambda url: "/_event" in url, wire.carry)
        return wire

    async def carry(self, line: WebSocketRoute) -> None:
        """While it is cut nobody answers, as on a train in a tunnel."""
        while self.is_cut:
            await asyncio.sleep(0.05)
        server = line.connect_to_server()
        self.lines.append(line)
        server.on_message(lambda words: self._hear(line, words))
        line.on_message(lambda words: self._tell(server, words))

    def _hear(self, line: WebSocketRoute, words: str | bytes) -> None:
        if self.kept_back and self.kept_back in str(words):
            self.rest.append((line, words))
        elif not self.is_mute:
            line.send(self._note(words))

    def _tell(self, server: WebSocketRoute, words: str | bytes) -> None:
        if self.held_up and self.held_up in str(words):
            self.rest.append((server, words))
        elif not self.is_deaf:
            server.send(self._note(words))

    def loses_the_rest(self) -> None:
        self.kept_back = self.held_up = ""
        self.rest.clear()

    def says_the_rest(self) -> None:
        self.kept_back = self.held_up = ""
        for line, words in self.rest:
            line.send(self._note(words))
        self.rest.clear()

    def _note(self, words: str | bytes) -> str | bytes:
        self.words.append(str(words))
        return words

    def position_of(self, part: str) -> int:
        """How late it was said for the last time."""
        return max(at for at, words in enumerate(self.words) if part in words)

    async def cut(self) -> None:
        self.is_cut = True
        for line in self.lines:
            await line.close()
        self.lines.clear()

    def mend(self) -> None:
        self.is_cut = False

    async def time_passes(self, page: Page, *, minutes: int) -> None:
        """By the page's clock alone: it hears as often as it expects that the server is there."""
        for _ in range(2 * minutes):
            answers = self.words.count(PONG)
            self.lines[-1].send(PING)
            async with asyncio.timeout(10):
                while self.words.count(PONG) == answers:
                    await asyncio.sleep(0.02)
            await page.clock.fast_forward("00:30")
