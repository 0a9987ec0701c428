"""Numbers that browsers know: the specification's, and those that go with the server's own."""

import re
from pathlib import Path

import pytest

from rewards_app.core.page_states import held
from rewards_app.features.payments import stripe_gateway

ASSETS = Path(__file__).parents[2] / "assets"


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("confetti.js", "const CONFETTI = { pieces: 500, waves: 10, lasts: 5000,"),
        ("confetti.js", "pieces = CONFETTI.pieces"),
        ("toasts.js", "const DURATION = 5000;"),
        ("toasts.js", "duration: DURATION,"),
        ("player.js", "const REWARD_SEEN_FOR = 3000;"),
        ("player.js", "now.current.tell.onClose(), REWARD_SEEN_FOR);"),
        ("session.js", "const IDLE_LIMIT = 30 * 60 * 1000;"),
        ("session.js", "const CHECK_EVERY = 60 * 1000;"),
    ],
)
def test_stand_in_the_pages(module: str, number: str):
    assert number in (ASSETS / module).read_text()


DATABASE_TAKES = 10
"""Seconds beside Stripe: before the order is begun, and before its checkout is kept."""


def test_a_purchase_is_waited_for_longer_than_the_server_can_take():
    (patience,) = re.findall(r"ANSWER_WITHIN = ([\d_]+);", (ASSETS / "shop.js").read_text())
    assert int(patience) > (stripe_gateway.SECONDS_IN_ALL + DATABASE_TAKES) * 1000


QUESTIONS_OF_ONE_EVENT = 3
"""To Stripe, at most: what became of a checkout, that it closes, and what it is if it does not."""


def test_a_page_is_kept_for_whoever_waits_for_stripe():
    takes_at_most = QUESTIONS_OF_ONE_EVENT * stripe_gateway.SECONDS_IN_ALL + DATABASE_TAKES
    assert held.LONGEST_EVENT.total_seconds() > takes_at_most
