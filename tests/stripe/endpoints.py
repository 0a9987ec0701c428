"""Which addresses there are, what each takes, and what it does."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.stripe import parameters
from tests.stripe.books import Books
from tests.stripe.objects import Thing
from tests.stripe.parameters import Shape
from tests.stripe.refusals import no_such_address


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    shape: Shape
    act: Callable[[Books, str, Thing], Thing]


def taking(method: str, path: str, shape: Shape, act: Callable[[Books, Thing], Thing]) -> Endpoint:
    return Endpoint(method, path, shape, lambda books, _, wanted: act(books, wanted))


def of_one(method: str, path: str, act: Callable[[Books, str], Thing]) -> Endpoint:
    """For one thing, named in the path, and without parameters."""
    return Endpoint(method, path, parameters.nothing, lambda books, name, _: act(books, name))


ENDPOINTS = (
    taking("POST", "/v1/checkout/sessions()", parameters.checkout_session, Books.open_session),
    taking("GET", "/v1/checkout/sessions()", parameters.newest, Books.list_sessions),
    Endpoint("GET", "/v1/checkout/sessions/([^/]+)", parameters.one_session, Books.shown),
    of_one("POST", "/v1/checkout/sessions/([^/]+)/expire", Books.expire),
    taking("GET", "/v1/payment_intents()", parameters.newest, Books.list_payments),
    of_one("GET", "/v1/payment_intents/([^/]+)", Books.payment),
    taking("POST", "/v1/refunds()", parameters.refund, Books.give_back),
    taking("GET", "/v1/refunds()", parameters.refunds, Books.list_refunds),
    of_one("GET", "/v1/refunds/([^/]+)", Books.refund),
    taking("GET", "/v1/events()", parameters.events, Books.list_events),
    of_one("GET", "/v1/events/([^/]+)", Books.event),
)


def endpoint_for(method: str, path: str) -> tuple[Endpoint, str]:
    """The endpoint, and the name of the thing in the path."""
    for endpoint in ENDPOINTS:
        found = re.fullmatch(endpoint.path, path)
        if found and endpoint.method == method:
            return endpoint, found[1]
    raise no_such_address(method, path)
