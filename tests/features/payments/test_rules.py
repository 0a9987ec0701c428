"""What news of a checkout mean for a payment, told for every state that it can be in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.core.ids import new_id
from rewards_app.features.payments import rules
from rewards_app.features.payments.rules import Checkout, Due, Outcome, Status

PAYMENT, ANOTHER = new_id(), new_id()
NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)

STILL_OPEN = Checkout(
    id="cs_1",
    references=frozenset({str(PAYMENT)}),
    is_paid=False,
    is_expired=False,
    amount=6300,
    currency="sek",
    intent_id=None,
    is_under_way=False,
    is_by_us=True,
)
PAID = replace(STILL_OPEN, is_paid=True, intent_id="pi_1")
EXPIRED = replace(STILL_OPEN, is_expired=True)


def a_due(status: Status, **changes: object) -> Due:
    intent = None if status in rules.UNDECIDED | rules.UNPAID else "pi_1"
    known = Due(PAYMENT, status, 6300, "sek", checkout_id="cs_1", intent_id=intent)
    return replace(known, **changes)


MEANING = {
    Status.OPENING: (Outcome.STILL_OPEN, Outcome.PAID, Outcome.ENDED),
    Status.OPEN: (Outcome.STILL_OPEN, Outcome.PAID, Outcome.ENDED),
    Status.PAID: (Outcome.NOTHING_NEW, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW),
    Status.RETURNING: (Outcome.NOTHING_NEW, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW),
    Status.RETURNED: (Outcome.NOTHING_NEW, Outcome.NOTHING_NEW, Outcome.NOTHING_NEW),
    Status.EXPIRED: (Outcome.NOTHING_NEW, Outcome.TOO_LATE, Outcome.NOTHING_NEW),
    Status.CANCELLED: (Outcome.NOTHING_NEW, Outcome.TOO_LATE, Outcome.NOTHING_NEW),
    Status.FAILED: (Outcome.NOTHING_NEW, Outcome.TOO_LATE, Outcome.NOTHING_NEW),
}
"""What it means that a checkout is open, paid, expired."""


class TestNews:
    def test_are_told_for_every_status(self):
        assert set(MEANING) == set(Status)

    @pytest.mark.parametrize("status", Status)
    def test_of_an_open_a_paid_and_an_expired_checkout(self, status: Status):
        due = a_due(status)
        said = tuple(rules.outcome_of(due, news) for news in (STILL_OPEN, PAID, EXPIRED))
        assert said == MEANING[status]

    @pytest.mark.parametrize("status", Status)
    @pytest.mark.parametrize("news", [STILL_OPEN, PAID, EXPIRED], ids=["open", "paid", "expired"])
    def test_of_another_checkout_move_nothing(self, status: Status, news: Checkout):
        said = rules.outcome_of(a_due(status), replace(news, id="cs_2"))
        assert said is Outcome.OTHER_CHECKOUT

    @pytest.mark.parametrize("status", Status)
    @pytest.mark.parametrize(
        "references", [{str(ANOTHER)}, {str(PAYMENT), str(ANOTHER)}, {"COIN-1"}]
    )
    def test_that_name_another_payment_move_nothing(self, status: Status, references: set[str]):
        said = rules.outcome_of(a_due(status), replace(PAID, references=frozenset(references)))
        assert said is Outcome.OTHER_CHECKOUT

    @pytest.mark.parametrize("status", Status)
    @pytest.mark.parametrize(
        "changes",
        [{"amount": 6299}, {"amount": 0}, {"amount": -6300}, {"amount": 63}, {"currency": "usd"}],
        ids=repr,
    )
    def test_of_other_money_move_nothing(self, status: Status, changes: dict[str, object]):
        assert rules.outcome_of(a_due(status), replace(PAID, **changes)) is Outcome.OTHER_AMOUNT

    @pytest.mark.parametrize("status", [Status.PAID, Status.RETURNING, Status.RETURNED])
    def test_of_a_second_charge_are_noticed(self, status: Status):
        again = replace(PAID, intent_id="pi_2")
        assert rules.outcome_of(a_due(status), again) is Outcome.PAID_TWICE

    @pytest.mark.parametrize("status", rules.UNDECIDED)
    def test_that_come_before_the_checkout_was_kept_are_believed(self, status: Status):
        assert rules.outcome_of(a_due(status, checkout_id=None), PAID) is Outcome.PAID

    def test_that_name_no_payment_are_known_by_their_checkout(self):
        unnamed = replace(PAID, references=frozenset())
        assert rules.outcome_of(a_due(Status.OPEN), unnamed) is Outcome.PAID

    def test_what_does_not_fit_is_all_suspicious(self):
        assert {
            Outcome.OTHER_CHECKOUT,
            Outcome.OTHER_AMOUNT,
            Outcome.PAID_TWICE,
            Outcome.PARTLY_RETURNED,
            Outcome.REFUND_FAILED,
            Outcome.DISPUTED,
            Outcome.DISPUTE_LOST,
        } == rules.SUSPICIOUS


class TestNextLook:
    ENDS = NOON + rules.CHECKOUT_LASTS

    def test_is_at_the_next_round_for_as_long_as_it_can_be_paid(self):
        at, begun = NOON, NOON
        while at < self.ENDS:
            at = rules.next_look(0, expires_at=self.ENDS, now=begun)
            assert begun < at < begun + timedelta(minutes=1)
            begun = at
        assert at <= self.ENDS + rules.FIRST_LOOK

    def test_is_soon_and_then_less_and_less_often(self):
        now = self.ENDS + rules.FIRST_LOOK
        waits = [rules.next_look(looks, expires_at=self.ENDS, now=now) - now for looks in range(8)]
        seconds = [wait.total_seconds() for wait in waits]
        assert seconds == [30, 60, 120, 240, 480, 900, 900, 900]

    def test_is_never_long_after_the_checkout_must_have_ended(self):
        at = rules.next_look(6, expires_at=self.ENDS, now=self.ENDS - timedelta(seconds=1))
        assert self.ENDS < at <= self.ENDS + rules.FIRST_LOOK

    def test_goes_on_after_that_if_nothing_was_learned(self):
        late = self.ENDS + timedelta(hours=1)
        assert rules.next_look(9, expires_at=self.ENDS, now=late) == late + timedelta(minutes=15)

    @pytest.mark.parametrize("looks", [0, 5, 40, 1000])
    def test_always_comes_later_than_now(self, looks: int):
        for minutes in range(0, 90, 5):
            now = NOON + timedelta(minutes=minutes)
            assert rules.next_look(looks, expires_at=self.ENDS, now=now) > now
