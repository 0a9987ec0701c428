"""A real HTTP server that speaks the parts of Stripe's API that we use, as strictly as Stripe.

    with stripe_server() as stripe:
        # the app: STRIPE_API_BASE=stripe.url, stripe.api_key, stripe.webhook_secret
        stripe.webhook_url = "http://localhost:8300/webhooks/stripe"
        stripe.pay(stripe.newest_session["id"])
        stripe.wait_for_deliveries()

What Stripe remembers is in stripe/books.py, what banks decide in stripe/disputes.py, what it
accepts in stripe/parameters.py, how events travel and what forgers try in stripe/webhooks.py.
"""

import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from typing import Any

from tests.stripe import disputes, parameters, refusals, slow, webhooks
from tests.stripe.books import Books, RefundOutcome
from tests.stripe.door import Asked, Door
from tests.stripe.endpoints import Endpoint, endpoint_for
from tests.stripe.hosted_page import page, way_back
from tests.stripe.idempotency import Answer, Keys
from tests.stripe.nonsense import TURNED_AWAY, Nonsense, garbled
from tests.stripe.objects import Thing, identifier
from tests.stripe.refusals import Refusal
from tests.stripe.webhooks import Delivery, Forgery, Posted, Postman

HOSTED_PAGE = re.compile(r"/c/pay/(\w+)(?:/(pay|cancel))?")


class StripeServer:
    """Stripe, with a hand in it: what buyers and banks do, and what goes wrong on the way."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.api_key = identifier("sk_test_")
        self.webhook_url = ""
        self.delivery = Delivery()
        self.requests: list[Asked] = []

        self.is_away = False  # connections are closed at once
        self.delay = 0.0  # seconds that carrying out a request takes
        self.nonsense: Nonsense | None = None
        self.may_read_payments = True  # as our key may, unless its owner forgot
        self.swallows_answers = 0  # so many requests are carried out and never answered

        self._door = Door(self._answer, lambda: not self.is_away)
        self._books = Books(self.url, clock)
        self._postman = Postman(identifier("whsec_", 32), clock)
        self._keys = Keys()
        self._turn = threading.RLock()
        self._closing = threading.Event()
        self._goes_on = threading.Event()
        self._goes_on.set()

    @property
    def url(self) -> str:
        return self._door.url

    @property
    def webhook_secret(self) -> str:
        """What events are signed with."""
        return self._postman.secret

    @webhook_secret.setter
    def webhook_secret(self, secret: str) -> None:
        self._postman.secret = secret

    def start(self) -> None:
        self._door.open()

    def speak_tls(self, tls: ssl.SSLContext) -> None:
        """From now on, and nothing else."""
        self._door.speak_tls(tls)

    def stop(self) -> None:
        self._closing.set()
        self._goes_on.set()
        self._door.close()
        self._postman.close()

    @contextmanager
    def hesitating(self) -> Iterator[None]:
        """What is asked for meanwhile is carried out afterwards."""
        self._goes_on.clear()
        try:
            yield
        finally:
            self._goes_on.set()

    # What buyers, banks and the shop's owner do

    def pay(self, session_id: str) -> Thing:
        return self._done(Books.pay, session_id)

    def decline(self, session_id: str) -> Thing:
        """A card is refused; the session stays open."""
        return self._done(Books.decline, session_id)

    def promise_to_pay(self, session_id: str) -> Thing:
        """By a way that takes days."""
        return self._done(slow.promise, session_id)

    def break_the_promise(self, session_id: str) -> Thing:
        return self._done(slow.come_to_nothing, session_id)

    def expire(self, session_id: str) -> Thing:
        return self._done(Books.expire, session_id)

    def refund_at_dashboard(self, payment_intent: str, *, amount: int | None = None) -> Thing:
        part = {} if amount is None else {"amount": amount}
        return self._done(Books.give_back, {"payment_intent": payment_intent, **part})

    def settle_refund(self, refund_id: str) -> Thing:
        return self._done(Books.settle_refund, refund_id)

    def fail_refund(self, refund_id: str) -> Thing:
        return self._done(Books.fail_refund, refund_id)

    def dispute(
        self, payment_intent: str, *, amount: int | None = None, is_inquiry: bool = False
    ) -> Thing:
        """The card's owner has their bank take the money back, or ask about it at first."""
        begun = partial(disputes.begin, is_inquiry=is_inquiry)
        return self._done(begun, payment_intent, amount)

    def close_dispute(self, dispute_id: str, status: str) -> Thing:
        return self._done(disputes.close, dispute_id, status)

    def _done(self, act: Callable[..., Thing], *details: Any) -> Thing:
        with self._changing() as books:
            return deepcopy(act(books, *details))

    @contextmanager
    def _changing(self) -> Iterator[Books]:
        """One change at a time; what it tells goes out, even if it ends in a refusal."""
        with self._turn:
            told_before = len(self._books.events)
            try:
                yield self._books
            finally:
                news = self._books.events[told_before:]
                self._postman.begin_round(news, self.webhook_url, self.delivery)

    # What can be seen

    @property
    def sessions(self) -> list[Thing]:
        return self._seen(self._books.sessions)

    def session(self, session_id: str) -> Thing:
        return self._done(Books.session, session_id)

    @property
    def newest_session(self) -> Thing:
        return self.session(next(reversed(self._books.sessions)))

    @property
    def payments(self) -> list[Thing]:
        return self._seen(self._books.payments)

    @property
    def refunds(self) -> list[Thing]:
        return self._seen(self._books.refunds)

    def _seen(self, things: dict[str, Thing]) -> list[Thing]:
        with self._turn:
            return deepcopy(list(things.values()))

    @property
    def events(self) -> list[Thing]:
        with self._turn:
            return list(self._books.events)

    def events_of(self, kind: str) -> list[Thing]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def refund_outcome(self) -> RefundOutcome:
        """What becomes of refunds from now on."""
        return self._books.refund_outcome

    @refund_outcome.setter
    def refund_outcome(self, outcome: RefundOutcome) -> None:
        self._books.refund_outcome = outcome

    # How events travel

    def signed(
        self, event: Thing, secret: str | None = None, at: float | None = None
    ) -> tuple[bytes, str]:
        """The body and its `Stripe-Signature`."""
        body = webhooks.body_of(event)
        moment = int(self._books.clock() if at is None else at)
        secret = self.webhook_secret if secret is None else secret
        return body, webhooks.signature(body, secret, moment)

    def deliver(
        self,
        *events: Thing,
        to: str = "",
        times: int = 1,
        is_shuffled: bool = False,
        at_once: int = 1,
    ) -> list[int]:
        """Post the events now and return the answers' statuses (0: no answer).

        Blocks: a test that runs the receiver in its own event loop calls this in a thread.
        """
        plan = Delivery(times=times, is_shuffled=is_shuffled)
        copies = plan.round(events, self._postman.chance)
        address = self._address(to)
        with ThreadPoolExecutor(at_once) as hands:
            return list(hands.map(lambda event: self._postman.deliver(event, address), copies))

    def post(self, body: bytes, header: str | None, *, to: str = "") -> int:
        """Post anything, as a forger would."""
        return self._postman.post(self._address(to), body, header)

    def _address(self, to: str) -> str:
        assert to or self.webhook_url, "nobody listens: set webhook_url, or say to whom"
        return to or self.webhook_url

    def forgeries(self, event: Thing, *, rounds: int = 1, seed: int = 0) -> Iterator[Forgery]:
        now = self._books.now
        return webhooks.forgeries(event, self.webhook_secret, now=now, rounds=rounds, seed=seed)

    @property
    def posted(self) -> list[Posted]:
        return list(self._postman.posted)

    @property
    def undelivered(self) -> list[Thing]:
        """What Stripe would go on trying to deliver: nobody has answered it with a 2xx."""
        arrived = {post.event for post in self.posted if 200 <= post.status < 300}
        return [event for event in self.events if event["id"] not in arrived]

    def wait_for_deliveries(self, within: float = 30) -> None:
        self._postman.finish_rounds(within)

    # What comes in by HTTP

    def _answer(self, asked: Asked) -> Answer | None:
        if found := HOSTED_PAGE.fullmatch(asked.path):
            return self._show(found[1], found[2] if asked.method == "POST" else None)
        with self._turn:
            self.requests.append(asked)
        answer = garbled(self._api(asked), self.nonsense)
        return None if self._is_swallowed() else answer

    def _is_swallowed(self) -> bool:
        with self._turn:
            is_swallowed = self.swallows_answers > 0
            self.swallows_answers -= is_swallowed
        return is_swallowed

    def _api(self, asked: Asked) -> Answer:
        """Keys are remembered for what is carried out, not for what was never begun."""
        try:
            if self.nonsense in TURNED_AWAY:
                raise TURNED_AWAY[self.nonsense]()
            self._check_key(asked)
            endpoint, name = endpoint_for(asked.method, asked.path)
            self._check_right(asked)
            if asked.method == "POST" and not asked.is_form:
                raise refusals.not_a_form()
            wanted = endpoint.shape(parameters.nested(asked.form.items()), "")
            key = asked.idempotency_key if asked.method == "POST" else ""
            same = (asked.method, asked.path, asked.form)
            return self._keys.once(key, same, lambda: self._carry_out(endpoint, name, wanted))
        except Refusal as refusal:
            return Answer(refusal.status, refusal.body)

    def _check_key(self, asked: Asked) -> None:
        if not asked.api_key:
            raise refusals.no_key()
        if asked.api_key != self.api_key:
            raise refusals.wrong_key(asked.api_key)

    def _check_right(self, asked: Asked) -> None:
        """Of a restricted key: what is expanded needs a right of its own."""
        wants_payment = "payment_intent" in asked.form.values() or "payment_intents" in asked.path
        if wants_payment and not self.may_read_payments:
            raise refusals.not_permitted(asked.api_key, "rak_payment_intent_read")

    def _carry_out(self, endpoint: Endpoint, name: str, wanted: Thing) -> Answer:
        self._closing.wait(self.delay)
        self._goes_on.wait()
        try:
            return Answer(200, self._done(endpoint.act, name, wanted))
        except Refusal as refusal:
            return Answer(refusal.status, refusal.body)

    def _show(self, session_id: str, action: str | None) -> Answer:
        """The hosted page; its buttons lead back to the shop while the session is open."""
        with self._changing() as books:
            try:
                session = books.session(session_id)
            except Refusal:
                return Answer(404, b"Not found")
            is_open = session["status"] == "open"
            if not action or not is_open or not way_back(session, action):
                return Answer(200, page(session))
            if action == "pay":
                books.pay(session_id)
            return Answer(303, b"", {"Location": way_back(session, action)})


@contextmanager
def stripe_server(
    *,
    webhook_url: str = "",
    delivery: Delivery | None = None,
    clock: Callable[[], float] = time.time,
) -> Iterator[StripeServer]:
    server = StripeServer(clock)
    server.webhook_url = webhook_url
    server.delivery = delivery or Delivery()
    server.start()
    try:
        yield server
    finally:
        server.stop()
