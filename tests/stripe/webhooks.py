"""How events reach the shop: signed, perhaps lost, late, twice or shuffled; and what forgers try.

Every true delivery carries `Stripe-Signature: t=<seconds>,v1=<HMAC-SHA256 of "t.body">`.
"""

import hmac
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import httpx

from tests.stripe.objects import Thing

NO_ANSWER = 0
TOLERANCE = 300


def body_of(event: Thing) -> bytes:
    return json.dumps(event, indent=2).encode()


def mac(body: bytes, secret: str, at: int | str) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, "sha256").hexdigest()


def signature(body: bytes, secret: str, at: int) -> str:
    return f"t={at},v1={mac(body, secret, at)}"


@dataclass(frozen=True)
class Delivery:
    """A plan for events that nobody delivers by hand."""

    is_lost: bool = False
    late: float = 0.0
    times: int = 1
    is_shuffled: bool = False

    def round(self, events: Sequence[Thing], chance: random.Random) -> list[Thing]:
        copies = [] if self.is_lost else [event for event in events for _ in range(self.times)]
        return chance.sample(copies, len(copies)) if self.is_shuffled else copies


@dataclass(frozen=True)
class Posted:
    event: str
    kind: str
    status: int


class Postman:
    """Posts for real; each post is signed anew, as Stripe does."""

    def __init__(self, secret: str, clock: Callable[[], float]) -> None:
        self.secret = secret
        self.clock = clock
        self.posted: list[Posted] = []
        self.chance = random.Random(20)
        once = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.Client(timeout=20, limits=once, verify=False)
        self._rounds = ThreadPoolExecutor(32, thread_name_prefix="stripe-webhooks")
        self._under_way: list[Future[None]] = []
        self._closing = threading.Event()

    def deliver(self, event: Thing, to: str) -> int:
        body = body_of(event)
        status = self.post(to, body, signature(body, self.secret, int(self.clock())))
        self.posted.append(Posted(event["id"], event["type"], status))
        return status

    def post(self, to: str, body: bytes, header: str | None) -> int:
        """The answer's status, or NO_ANSWER."""
        headers = {b"Content-Type": b"application/json; charset=utf-8"}
        if header is not None:
            headers[b"Stripe-Signature"] = header.encode("latin-1")
        try:
            answer = self._client.post(to, content=body, headers=headers)
        except httpx.HTTPError:
            return NO_ANSWER
        return answer.status_code

    def begin_round(self, events: Sequence[Thing], to: str, plan: Delivery) -> None:
        if to and events:
            self._under_way.append(self._rounds.submit(self._round, events, to, plan))

    def _round(self, events: Sequence[Thing], to: str, plan: Delivery) -> None:
        self._closing.wait(plan.late)
        for event in plan.round(events, self.chance):
            if not self._closing.is_set():
                self.deliver(event, to)

    def finish_rounds(self, within: float) -> None:
        under_way = list(self._under_way)
        _, late = wait(under_way, timeout=within)
        assert not late, f"{len(late)} rounds are still under way after {within} s"
        for done in under_way:
            done.result()

    def close(self) -> None:
        self._closing.set()
        self._rounds.shutdown()
        self._client.close()


@dataclass(frozen=True)
class Forgery:
    name: str
    body: bytes
    header: str | None


@dataclass(frozen=True)
class Forger:
    """Knows one true event and everything about signatures, but not the secret.

    What is signed with the secret all the same was overheard: too old, or of another body.
    """

    body: bytes
    secret: str
    now: int
    chance: random.Random

    @property
    def noise(self) -> str:
        return self.chance.randbytes(32).hex()

    @property
    def long_ago(self) -> int:
        return self.now - 2 * TOLERANCE - self.chance.randrange(TOLERANCE)

    @property
    def true_mac(self) -> str:
        return mac(self.body, self.secret, self.now)

    def tampered(self) -> bytes:
        return body_of({**json.loads(self.body), "id": f"evt_{self.noise[:24]}"})

    def now_with(self, mac: str) -> str:
        return f"t={self.now},v1={mac}"

    def headers(self) -> dict[str, str | None]:
        """Of the true body."""
        return {
            "no header": None,
            "empty header": "",
            "garbage": self.noise,
            "no time": f"v1={self.true_mac}",
            "time that is no number": f"t=now,v1={mac(self.body, self.secret, 'now')}",
            "no v1": f"t={self.now}",
            "only v0": f"t={self.now},v0={self.true_mac}",
            "wrong mac": self.now_with(self.noise),
            "several wrong macs": self.now_with(f"{self.noise},v1={self.noise}"),
            "empty mac": self.now_with(""),
            "half a mac": self.now_with(self.true_mac[:32]),
            "mac in capitals": self.now_with(self.true_mac.upper()),
            "mac beyond ASCII": self.now_with(self.true_mac[:-1] + "é"),
            "mac without the time": self.now_with(
                hmac.new(self.secret.encode(), self.body, "sha256").hexdigest()
            ),
            "mac of another body": self.now_with(mac(self.tampered(), self.secret, self.now)),
            "signed long ago": signature(self.body, self.secret, self.long_ago),
            "old mac under a new time": self.now_with(mac(self.body, self.secret, self.long_ago)),
            "signed with the empty secret": signature(self.body, "", self.now),
            "signed with another secret": signature(self.body, f"whsec_{self.noise}", self.now),
        }

    def forgeries(self) -> Iterator[Forgery]:
        for name, header in self.headers().items():
            yield Forgery(name, self.body, header)
        true_header = self.now_with(self.true_mac)
        yield Forgery("body changed after signing", self.tampered(), true_header)
        yield Forgery("body that is no text", b"\xff\xfe" + self.body, true_header)
        yield Forgery("no body", b"", true_header)


def forgeries(
    event: Thing, secret: str, *, now: int, rounds: int = 1, seed: int = 0
) -> Iterator[Forgery]:
    """Every kind once a round, each round with noise of its own."""
    chance = random.Random(seed)
    for _ in range(rounds):
        yield from Forger(body_of(event), secret, now, chance).forgeries()
