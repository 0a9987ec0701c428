"""A made-up population with labels: honest players with honest troubles, and those who cheat.

What each of them does is a list of calls; what is noticed of them is decided by the app's own
rules for views, clocks, devices and clockwork, and what follows by its own rules for that. The
seed makes every population the same again.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from rewards_app.core.errors import DomainError
from rewards_app.features.ads import rules as ads
from rewards_app.features.ads.finishing import SIGNALS_OF
from rewards_app.features.ads.rules import DAILY_LIMIT, History, Status, WatchedAd
from rewards_app.features.fraud import clockwork, replay_rules
from rewards_app.features.fraud.replay_rules import Noticed
from rewards_app.features.fraud.rules import Consequence
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, clocks_differ, is_shared

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
DAYS = 30
SECOND = timedelta(seconds=1)
REWARD_SEEN_FOR = 3.0
"""So long a page shows the coins before the next ad can be chosen."""
JOB_EVERY = 10
"""Views between two looks for clockwork: some five minutes."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody watches, and what goes wrong or is made to go wrong."""

    ads_a_day: tuple[int, int]
    gap: Callable[[random.Random], float]
    """Seconds from the end of one ad to the start of the next."""
    starts_at: tuple[float, float] = (7, 22)
    """The hour of the day at which they begin."""
    later_each_day: timedelta = timedelta(0)
    """So much later than the day before."""
    accounts_on_device: int = 1
    off_clock: float = 0
    """The share of ads for which the page counts another time than the server."""
    early: float = 0
    """The share that is reported as over too early, and then again in time."""
    repeats: Sequence[float] = ()
    """How often a finished ad is reported once more, twice more and so on."""
    parallel: float = 0
    """The share of ads at which a second tab tries, too."""
    stale: float = 0
    """The share of days on which a page still calls the session of whoever used it before. The app
    empties a page that comes with another cookie: what is left is a call that was under way."""
    early_tries: int = 0
    """So often each ad is reported before its time."""
    replays: int = 0
    """So often each paid ad is reported again."""
    made_up: int = 0
    """Sessions a day that never were."""
    stolen: int = 0
    """Sessions a day that are somebody else's."""


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    is_honest: bool
    habits: Habits


def by_hand(noise: random.Random) -> float:
    """Somebody looks up, chooses and clicks; now and then something else is more important."""
    wait = REWARD_SEEN_FOR + noise.gammavariate(3, 1.1)
    return wait + noise.uniform(20, 300) if noise.random() < 0.08 else wait


def in_a_hurry(noise: random.Random) -> float:
    """Presses the moment that it is possible, all day."""
    return REWARD_SEEN_FOR + 0.15 + noise.gammavariate(4, 0.12)


def by_timer(noise: random.Random) -> float:
    """A program that waits the same time; the network adds some hundredths of a second."""
    return 5 + abs(noise.gauss(0, 0.02))


def by_dice(noise: random.Random) -> float:
    """A program that waits like a person would, as its maker thinks."""
    return noise.uniform(3.5, 9)


HONEST = (
    Kind("now and then", True, Habits((1, 15), by_hand)),
    Kind("50 ads a day", True, Habits((45, 50), by_hand)),
    Kind("50 ads a day in a hurry", True, Habits((50, 50), in_a_hurry)),
    Kind(
        "a family on one computer",
        True,
        Habits((5, 30), by_hand, accounts_on_device=5, stale=0.003, parallel=0.01),
    ),
    Kind(
        "a shared phone",
        True,
        Habits((10, 50), by_hand, accounts_on_device=4, stale=0.005, off_clock=0.02),
    ),
    Kind(
        "a bad connection",
        True,
        Habits((10, 50), by_hand, repeats=(0.05, 0.3), parallel=0.04, off_clock=0.05),
    ),
    Kind("a wrong clock", True, Habits((10, 50), by_hand, off_clock=0.9, early=0.03)),
    Kind(
        "everything at once",
        True,
        Habits(
            (30, 50),
            in_a_hurry,
            accounts_on_device=5,
            repeats=(0.04, 0.3),
            parallel=0.03,
            stale=0.003,
            off_clock=0.3,
            early=0.02,
        ),
    ),
)
CHEATING = (
    Kind("a bot with a timer", False, Habits((50, 50), by_timer, starts_at=(4, 4.02))),
    Kind(
        "a bot that sleeps a day and goes on",
        False,
        Habits((50, 50), by_timer, starts_at=(4, 4.02), later_each_day=timedelta(minutes=30)),
    ),
    Kind("a bot that rolls dice", False, Habits((50, 50), by_dice, starts_at=(4, 4.1))),
    Kind("a speeder", False, Habits((30, 50), by_timer, early_tries=2)),
    Kind("a replayer", False, Habits((5, 50), by_hand, replays=6)),
    Kind("a forger", False, Habits((0, 20), by_hand, made_up=12)),
    Kind("a thief of sessions", False, Habits((0, 20), by_hand, stolen=6)),
    Kind(
        "a farm",
        False,
        Habits((50, 50), by_timer, starts_at=(2, 2.02), accounts_on_device=40, off_clock=0.1),
    ),
    Kind(
        "a farm that forges",
        False,
        Habits((20, 50), by_timer, accounts_on_device=40, made_up=3, replays=1),
    ),
)


@dataclass(slots=True)
class Player:
    """One account: what it does, and what the rules notice of that."""

    habits: Habits
    noise: random.Random
    noticed: list[Noticed] = field(default_factory=list[Noticed])
    views: list[clockwork.Watched] = field(default_factory=list[clockwork.Watched])
    last_rewarded_at: datetime | None = None
    ticked_at: datetime | None = None

    def live(self) -> None:
        for day in range(DAYS):
            self._spend(BEGIN + timedelta(days=day), day * self.habits.later_each_day)
        self.noticed.sort(key=lambda one: one.at)

    def _note(self, at: datetime, rule: Rule, session: str = "") -> None:
        self.noticed.append(Noticed(at, rule, session))

    def _spend(self, midnight: datetime, later: timedelta) -> None:
        now = midnight + timedelta(hours=self.noise.uniform(*self.habits.starts_at)) + later
        if is_shared(self.habits.accounts_on_device):
            self._note(now, Rule.SHARED_DEVICE)
        self._forge(now, midnight)
        for number in range(min(DAILY_LIMIT, self.noise.randint(*self.habits.ads_a_day))):
            now = self._watch(now, number, f"{midnight:%d}/{number}")
            if number % JOB_EVERY == JOB_EVERY - 1:
                self._look_for_clockwork(now, midnight)
            now += timedelta(seconds=self.habits.gap(self.noise))

    def _forge(self, now: datetime, midnight: datetime) -> None:
        for number in range(self.habits.made_up):
            self._note(now + number * SECOND, Rule.MADE_UP_SESSION, f"{midnight:%d}!{number}")
        for number in range(self.habits.stolen):
            self._note(now + number * SECOND, Rule.FOREIGN_SESSION, f"{midnight:%d}?{number}")
        if self.noise.random() < self.habits.stale:
            for number in range(self.noise.randint(1, 2)):
                self._note(now + number * SECOND, Rule.FOREIGN_SESSION, f"{midnight:%d}: before")

    def _watch(self, start: datetime, number: int, session: str) -> datetime:
        """One ad, to its end; when that was."""
        seconds = self.noise.choice((10, 15, 20, 30))
        required = seconds * SECOND
        view = WatchedAd(Status.RUNNING, start, required, 15, ads.expiry(required, now=start))
        if self.noise.random() < self.habits.parallel:
            self._note(start + SECOND, Rule.PARALLEL_SESSIONS)
        for _ in range(self.habits.early_tries):
            self._finish(view, number, session, start + 2 * SECOND)
        if self.noise.random() < self.habits.early:
            self._finish(view, number, session, start + required - SECOND)
        end = start + required + timedelta(seconds=self.noise.uniform(0.15, 0.35))
        if self._finish(view, number, session, end):
            self.last_rewarded_at = end
            self.views.append((start, end))
            self._compare_clocks(view, end)
            self._repeat(replace(view, status=Status.REWARDED), number, session, end)
        return end

    def _finish(self, view: WatchedAd, number: int, session: str, now: datetime) -> bool:
        """Whether it is paid; a refusal is noticed as the app does."""
        try:
            ads.coins_for(view, History(number, self.last_rewarded_at), now=now)
        except DomainError as refusal:
            if rule := SIGNALS_OF.get(type(refusal)):
                self._note(now, rule, session)
            return False
        return True

    def _compare_clocks(self, view: WatchedAd, end: datetime) -> None:
        told = ads.watched_time(view, now=end)
        if self.noise.random() < self.habits.off_clock:
            told += self.noise.choice((-1, 1)) * self.noise.uniform(5.5, 3600) * SECOND
        if clocks_differ(told, ads.watched_time(view, now=end)):
            self._note(end, Rule.CLOCK_MISMATCH)

    def _repeat(self, paid: WatchedAd, number: int, session: str, end: datetime) -> None:
        """A bad connection sends what was sent before; a replayer does so as often as they like."""
        times = self.habits.replays
        for chance in self.habits.repeats:
            if self.noise.random() >= chance:
                break
            times += 1
        for again in range(times):
            self._finish(paid, number, session, end + (again + 1) * SECOND)

    def _look_for_clockwork(self, now: datetime, midnight: datetime) -> None:
        if not clockwork.is_another_day(self.ticked_at, today=midnight, now=now):
            return
        views = clockwork.watched_since(self.ticked_at, self.views[-2 * clockwork.GAPS - 1 :])
        if clockwork.is_clockwork(clockwork.spread_of(clockwork.gaps_between(views))):
            self.ticked_at = now
            self._note(now, Rule.CLOCKWORK)


@dataclass(frozen=True, slots=True)
class Judged:
    kind: Kind
    consequence: Consequence


def judge(seed: int, of_each: int, policy: Policy = DEFAULT) -> Iterator[Judged]:
    """So many of each kind, a month of their lives, and what follows from it by itself."""
    for kind in (*HONEST, *CHEATING):
        for number in range(of_each):
            player = Player(kind.habits, random.Random(f"{seed} {kind.name} {number}"))
            player.live()
            hit = replay_rules.hit_by(player.noticed, policy, since=BEGIN)
            yield Judged(kind, hit.consequence if hit else Consequence.NONE)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How many of each kind met each consequence."""

    counted: Counter[tuple[Kind, Consequence]]

    @classmethod
    def of(cls, judged: Iterator[Judged]) -> "Verdicts":
        return cls(Counter((one.kind, one.consequence) for one in judged))

    def of_kind(self, kind: Kind, *consequences: Consequence) -> int:
        return sum(self.counted[kind, one] for one in consequences)

    def precision(self, *consequences: Consequence) -> float:
        """Of those who meet one of the consequences, the share that cheats."""
        right = sum(self.of_kind(kind, *consequences) for kind in CHEATING)
        return right / (right + self.honest(*consequences) or 1)

    def recall(self, *consequences: Consequence) -> float:
        """Of those who cheat, the share that meets one of the consequences."""
        everybody = sum(self.of_kind(kind, *Consequence) for kind in CHEATING)
        return sum(self.of_kind(kind, *consequences) for kind in CHEATING) / everybody

    def honest(self, *consequences: Consequence) -> int:
        """How many honest people meet one of the consequences."""
        return sum(self.of_kind(kind, *consequences) for kind in HONEST)
