"""Money that companies pay in by card: asked for once, added once, numbered without gaps."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.advertiser import (
    billing_rules,
    books,
    fields,
    invoices,
    jobs,
    rules,
    statement,
    top_up_repository,
    top_ups,
)
from rewards_app.features.payments import news, sandbox
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.rules import Outcome
from rewards_app.features.payments.stripe_gateway import StripeGateway
from rewards_app.models import Advertiser
from tests.ads import FAR_AHEAD, LONG_AGO, a_campaign, an_ad
from tests.companies import (
    A_DOLLAR,
    Company,
    a_company,
    a_member,
    an_owner,
    asks,
    balance_of,
    is_decided,
    is_paid_at,
    payment_of,
    pays_in,
)
from tests.paying import again, ask, changed, hears, newest
from tests.stripe.objects import Thing
from tests.stripe_server import StripeServer


async def is_clean() -> bool:
    async with transaction() as session:
        return not (await books.check(session)).wrong


async def goes_on_at(number: int) -> bool:
    async with transaction() as session:
        return await invoices.go_on_at(session, number, now=utc_now())


def queued(database: str, task: str) -> int:
    query = "select count(*) from procrastinate_jobs where task_name = %s"
    return ask(database, query, task)[0][0]


def letters(database: str) -> list[str]:
    query = "select args->>'name' from procrastinate_jobs where task_name = 'send_mail' order by id"
    return [name for (name,) in ask(database, query)]


async def a_paid_one(stripe: StripeServer, dollars: int = 100) -> tuple:
    company = await a_company()
    begun = await asks(company, str(dollars))
    assert await hears(stripe, await is_paid_at(stripe, begun)) == [Outcome.PAID]
    return company, begun


async def a_late_one(stripe: StripeServer) -> tuple:
    """Paid once it had ended."""
    company = await a_company()
    begun = await asks(company)
    told = await is_paid_at(stripe, begun)
    async with transaction() as session:
        await news.expire(session, (await payment_of(begun)).id, now=utc_now())
    assert await hears(stripe, told) == [Outcome.TOO_LATE]
    return company, begun


class TestAmounts:
    @pytest.mark.parametrize(
        ("typed", "cents"), [("10", 1_000), ("99.5", 9_950), ("50000", 5_000_000), ("12,34", 1_234)]
    )
    def test_go_from_ten_to_fifty_thousand_dollars(self, typed: str, cents: int):
        assert billing_rules.cents_of(typed) == cents

    @pytest.mark.parametrize(
        "typed", ["9.99", "50000.01", "0", "-5", "1e9", "NaN", "٥٠", "1 000", "10.001", "9" * 400]
    )
    def test_are_refused_beside_their_field(self, typed: str):
        with pytest.raises((fields.BadAmount, fields.AmountOutOfRange)) as refusal:
            billing_rules.cents_of(typed)
        assert refusal.value.params["field"] == "amount"

    def test_are_needed(self):
        with pytest.raises(fields.Missing):
            billing_rules.cents_of(" ")


class TestPaying:
    async def test_asks_for_dollars_and_leads_back_to_the_settings(self, stripe: StripeServer):
        company = await a_company()
        begun = await asks(company, "250.50")
        session = stripe.newest_session
        assert begun.checkout_url == session["url"]
        assert (session["amount_total"], session["currency"]) == (25_050, "usd")
        back = f"{settings().origin}/advertiser?tab=settings&order={begun.top_up_id}"
        assert session["success_url"] == f"{back}&came=paid"
        assert session["cancel_url"] == f"{back}&came=cancelled"
        assert await balance_of(company) == 0

    async def test_adds_it_to_the_balance_with_an_invoice_and_a_letter(
        self, stripe: StripeServer, database: str
    ):
        company, begun = await a_paid_one(stripe)
        assert await balance_of(company) == 100
        query = "select status, invoice_number, company_name from top_ups"
        assert ask(database, query) == [("paid", 1, "Fjord Audio")]
        entries = "select kind, amount, cause, subject, balance_after from advertiser_entries"
        cause = f"top_up:{begun.top_up_id}"
        paid = ("top_up", 100 * A_DOLLAR, cause, "WCA-000001", 100 * A_DOLLAR)
        assert ask(database, entries) == [paid]
        assert queued(database, top_up_repository.SEND_INVOICE) == 1
        assert await is_clean()

    @pytest.mark.parametrize("status", ["pending", "rejected"])
    async def test_adds_it_to_the_balance_of_who_is_not_approved_any_more(
        self, stripe: StripeServer, database: str, status: str
    ):
        company = await a_company()
        told = await is_paid_at(stripe, await asks(company))
        await is_decided(company.name, status)
        assert await hears(stripe, told) == [Outcome.PAID]
        assert await balance_of(company) == 100
        assert ask(database, "select status, invoice_number from top_ups") == [("paid", 1)]
        assert await is_clean()

    async def test_told_many_times_counts_once(self, stripe: StripeServer, database: str):
        company = await a_company()
        told = await is_paid_at(stripe, await asks(company))
        await asyncio.gather(*(hears(stripe, told) for _ in range(8)), return_exceptions=True)
        await hears(stripe, told)
        assert await balance_of(company) == 100
        assert queued(database, top_up_repository.SEND_INVOICE) == 1

    async def test_starts_the_campaigns_that_waited_for_it(self, stripe: StripeServer, database):
        company = await a_company()
        campaign = await a_campaign(
            await _row(company.id),
            status="draft",
            budget_cents=5_000,
            starts_at=LONG_AGO,
            ends_at=FAR_AHEAD,
        )
        await an_ad(campaign)
        begun = await asks(company, "100")
        await hears(stripe, await is_paid_at(stripe, begun))
        query = "select args->>'advertiser_id' from procrastinate_jobs where task_name = %s"
        assert ask(database, query, top_up_repository.START_WHAT_WAITED) == [(str(company.id),)]
        await jobs.start_what_waited(str(company.id))
        assert ask(database, "select status from ad_campaigns") == [("active",)]
        assert await balance_of(company) == 50
        assert await is_clean()

    async def test_pressed_twice_asks_once(self, stripe: StripeServer, database: str):
        company = await a_company()
        attempt = new_id()
        first = await asks(company, attempt=attempt)
        second = await asks(company, attempt=attempt)
        assert first == second
        assert ask(database, "select count(*) from top_ups") == [(1,)]

    async def test_pressed_twice_at_once_asks_once(self, stripe: StripeServer, database: str):
        company = await a_company()
        attempt = new_id()
        begun = await asyncio.gather(*(asks(company, attempt=attempt) for _ in range(6)))
        assert len({one.top_up_id for one in begun}) == 1
        assert ask(database, "select count(*) from payments") == [(1,)]

    async def test_of_an_attempt_of_another_company_is_refused(self, stripe, database: str):
        attempt = new_id()
        await asks(await a_company(), attempt=attempt)
        with pytest.raises(billing_rules.TopUpFailed):
            await asks(await a_company("Sidewind Studio"), attempt=attempt)
        assert ask(database, "select count(*) from top_ups") == [(1,)]

    async def test_has_three_unpaid_ones_at_most(self, stripe: StripeServer, database: str):
        company = await a_company()
        came = await asyncio.gather(*(asks(company) for _ in range(6)), return_exceptions=True)
        refused = [one for one in came if isinstance(one, billing_rules.TooManyWaiting)]
        assert len(refused) == 3
        assert ask(database, "select count(*) from payments") == [(3,)]

    async def test_is_not_held_up_by_what_is_with_a_bank(self, stripe: StripeServer):
        company = await a_company()
        for _ in range(3):
            begun = await asks(company)
            stripe.promise_to_pay(stripe.newest_session["id"])
            await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        assert (await asks(company)).checkout_url

    async def test_is_the_owners_alone(self, stripe: StripeServer, database: str):
        company = await a_company()
        member, stranger = await a_member(company), await an_owner("Eva")
        for actor, refusal in ((member, rules.NotTheOwner), (stranger, rules.NotAnAdvertiser)):
            with pytest.raises(refusal):
                await top_ups.begin(actor, "100", new_id(), language="en", now=utc_now())
        waiting = await a_company(status="pending")
        with pytest.raises(rules.NotAnAdvertiser):
            await asks(waiting)
        assert ask(database, "select count(*) from top_ups") == [(0,)]

    async def test_is_refused_where_the_checkout_cannot_be_opened(self, stripe, database: str):
        company = await a_company()
        stripe.is_away = True
        with pytest.raises(billing_rules.TopUpFailed):
            await asks(company)
        assert ask(database, "select status from top_ups") == [("failed",)]
        assert await is_clean()

    async def test_is_refused_where_no_cards_are_taken(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        company = await a_company()
        monkeypatch.setattr(type(settings()), "offers_test_payments", property(lambda _: False))
        with pytest.raises(billing_rules.CardsAreOff):
            await asks(company)


async def _row(advertiser_id: UUID) -> Advertiser:
    async with transaction() as session:
        found = await session.get(Advertiser, advertiser_id)
    assert found is not None
    return found


class TestInvoiceNumbers:
    async def test_have_no_gaps_when_all_pay_at_once(self, stripe: StripeServer, database: str):
        companies = [await a_company(f"Company {number}") for number in range(12)]
        told = [await is_paid_at(stripe, await asks(company)) for company in companies]
        await asyncio.gather(*(hears(stripe, event) for event in told + told))
        numbers = ask(database, "select invoice_number from top_ups order by 1")
        assert [number for (number,) in numbers] == list(range(1, 13))
        assert ask(database, "select last from invoice_numbers") == [(12,)]
        assert await is_clean()

    async def test_go_on_after_those_that_a_restored_backup_does_not_know(
        self, stripe: StripeServer, database: str
    ):
        company = await a_company()
        await hears(stripe, await is_paid_at(stripe, await asks(company)))
        assert [await goes_on_at(number) for number in (1, 2, 7, 7, 3)] == [
            *(False, False, True, False, False)
        ]
        assert await is_clean()
        await hears(stripe, await is_paid_at(stripe, await asks(company)))
        numbers = ask(database, "select invoice_number from top_ups order by 1")
        assert numbers == [(1,), (7,)]
        assert await is_clean()
        told = ask(database, "select action, after from audit_entries")
        assert told == [("invoices_skipped", {"next": "WCA-000007"})]

    async def test_that_are_missing_are_noticed_beside_those_that_were_skipped(
        self, stripe: StripeServer, database: str
    ):
        company = await a_company()
        assert await goes_on_at(5)
        await hears(stripe, await is_paid_at(stripe, await asks(company)))
        for table, column in (("top_ups", "invoice_number"), ("invoice_numbers", "last")):
            for number, is_right in ((6, False), (5, True)):
                ask(database, f"update {table} set {column} = {number} returning id")
                assert await is_clean() is is_right

    async def test_are_not_spent_on_what_was_not_paid(self, stripe: StripeServer, database: str):
        company = await a_company()
        expired = await asks(company)
        stripe.expire((await payment_of(expired)).checkout_id or "")
        await hears(stripe, newest(stripe, "checkout.session.expired"))
        await hears(stripe, await is_paid_at(stripe, await asks(company)))
        query = "select status, invoice_number from top_ups order by created_at"
        assert ask(database, query) == [("expired", None), ("paid", 1)]

    @pytest.mark.parametrize(
        ("number", "name"), [(1, "WCA-000001"), (999_999, "WCA-999999"), (1_000_000, "WCA-1000000")]
    )
    def test_are_written_one_way(self, number: int, name: str):
        assert billing_rules.invoice_name(number) == name


async def cancels(company: Company, begun: top_ups.Begun, *, comes_back: bool) -> None:
    """By its own button, or by that of the checkout."""
    if comes_back:
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=True)
    else:
        await top_ups.cancel(company.owner, begun.top_up_id)


class TestComingBack:
    async def test_asks_what_became_of_it(self, stripe: StripeServer):
        company = await a_company()
        begun = await asks(company)
        await is_paid_at(stripe, begun)
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        assert await balance_of(company) == 100

    async def test_from_a_cancelled_one_ends_it(self, stripe: StripeServer, database: str):
        company = await a_company()
        begun = await asks(company)
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=True)
        assert ask(database, "select status from top_ups") == [("cancelled",)]
        assert stripe.newest_session["status"] == "expired"
        with pytest.raises(billing_rules.NotWaiting):
            await top_ups.cancel(company.owner, begun.top_up_id)

    async def test_cancelled_too_late_counts(self, stripe: StripeServer):
        company = await a_company()
        begun = await asks(company)
        await is_paid_at(stripe, begun)
        with pytest.raises(billing_rules.AlreadyPaid):
            await top_ups.cancel(company.owner, begun.top_up_id)
        assert await balance_of(company) == 100

    async def test_cancelled_when_it_was_paid_otherwise_than_agreed_goes_back(
        self, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch
    ):
        company = await a_company()
        begun = await asks(company)
        closes = StripeGateway.close

        async def finds_another_amount(self, checkout_id: str):
            await is_paid_at(stripe, begun)
            return replace(await closes(self, checkout_id), amount=100)

        monkeypatch.setattr(StripeGateway, "close", finds_another_amount)
        with pytest.raises(billing_rules.GoesBack):
            await top_ups.cancel(company.owner, begun.top_up_id)
        assert await balance_of(company) == 0

    async def test_from_a_way_of_paying_that_takes_days_says_so(self, stripe: StripeServer):
        company = await a_company()
        begun = await asks(company)
        stripe.promise_to_pay(str((await payment_of(begun)).checkout_id))
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        found = await top_up_repository.find(begun.top_up_id)
        assert found
        assert (found.status, found.is_under_way) == (billing_rules.Status.WAITING, True)
        assert (found.checkout_url, found.expires_at) == (None, None)

    async def test_to_cancel_what_takes_days_is_refused_in_its_own_words(
        self, stripe: StripeServer
    ):
        company = await a_company()
        begun = await asks(company)
        stripe.promise_to_pay(str((await payment_of(begun)).checkout_id))
        with pytest.raises(billing_rules.PaymentUnderWay):
            await top_ups.cancel(company.owner, begun.top_up_id)
        assert await balance_of(company) == 0

    async def test_to_cancel_what_is_known_to_take_days_asks_nobody(self, stripe: StripeServer):
        company = await a_company()
        begun = await asks(company)
        stripe.promise_to_pay(str((await payment_of(begun)).checkout_id))
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        asked_before = len(stripe.requests)
        for turn in range(12):
            with pytest.raises(billing_rules.PaymentUnderWay):
                await cancels(company, begun, comes_back=turn % 2 == 1)
        assert len(stripe.requests) == asked_before

    async def test_to_cancel_what_stays_undecided_is_limited_as_looking_is(
        self, stripe: StripeServer
    ):
        company = await a_company()
        begun = await asks(company)
        stripe.nonsense = "wrong object"
        for turn in range(10):
            with pytest.raises(billing_rules.CannotCancelNow):
                await cancels(company, begun, comes_back=turn % 2 == 1)
        asked_before = len(stripe.requests)
        for comes_back in (False, True):
            with pytest.raises(TooManyAttempts):
                await cancels(company, begun, comes_back=comes_back)
        with pytest.raises(TooManyAttempts):
            await top_ups.look_again(company.owner, begun.top_up_id)
        assert len(stripe.requests) == asked_before

    async def test_cancelled_a_dozen_times_counts_where_checkouts_are_opened(
        self, stripe: StripeServer
    ):
        company = await a_company()
        for _ in range(12):
            await top_ups.cancel(company.owner, (await asks(company)).top_up_id)
        with pytest.raises(TooManyAttempts):
            await asks(company)

    async def test_to_what_a_bank_refused_in_the_end_finds_it_failed_and_a_letter(
        self, stripe: StripeServer, database: str
    ):
        company = await a_company()
        begun = await asks(company)
        checkout = str((await payment_of(begun)).checkout_id)
        stripe.promise_to_pay(checkout)
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        stripe.break_the_promise(checkout)
        await top_ups.come_back(company.owner, begun.top_up_id, has_cancelled=False)
        assert ask(database, "select status from top_ups") == [("failed",)]
        assert letters(database) == ["top_up_refused"]
        assert await balance_of(company) == 0

    async def test_to_anothers_does_nothing(self, stripe: StripeServer, database: str):
        company, other = await a_company(), await a_company("Sidewind Studio")
        begun = await asks(company)
        for act in (top_ups.cancel, top_ups.look_again):
            with pytest.raises(billing_rules.UnknownTopUp):
                await act(other.owner, begun.top_up_id)
            with pytest.raises(rules.NotTheOwner):
                await act(await a_member(company), begun.top_up_id)
        with pytest.raises(billing_rules.UnknownTopUp):
            await top_ups.cancel(company.owner, new_id())
        assert ask(database, "select status from top_ups") == [("waiting",)]


class TestMoneyThatGoesBack:
    async def test_leaves_the_balance_once(self, stripe: StripeServer, database: str):
        company, begun = await a_paid_one(stripe)
        intent = (await payment_of(begun)).intent_id
        stripe.refund_at_dashboard(intent)
        told = newest(stripe, "charge.refunded")
        assert await hears(stripe, told, told) == [Outcome.RETURNED, Outcome.NOTHING_NEW]
        assert await balance_of(company) == 0
        entries = "select kind, amount, subject from advertiser_entries order by number"
        assert ask(database, entries)[1:] == [("returned", -100 * A_DOLLAR, "WCA-000001")]
        assert ask(database, "select status, invoice_number from top_ups") == [("returned", 1)]
        assert letters(database) == ["top_up_returned"]
        assert ask(database, "select count(*) from security_alerts") == [(0,)]
        assert await is_clean()

    async def test_after_it_was_spent_calls_an_admin(self, stripe: StripeServer, database: str):
        company, begun = await a_paid_one(stripe)
        campaign = await a_campaign(await _row(company.id), status="draft", budget_cents=9_000)
        await an_ad(campaign)
        await jobs.start_what_waited(str(company.id))
        assert await balance_of(company) == 10
        stripe.refund_at_dashboard((await payment_of(begun)).intent_id)
        await hears(stripe, newest(stripe, "charge.refunded"))
        assert await balance_of(company) == -90
        assert ask(database, "select alert_type from security_alerts") == [
            ("advertiser_below_zero",)
        ]
        assert await is_clean()

    async def test_in_parts_leaves_the_balance_in_parts(self, stripe: StripeServer, database: str):
        company, begun = await a_paid_one(stripe)
        intent = (await payment_of(begun)).intent_id
        parts: list[Thing] = []
        for dollars, left in ((60, 40), (15, 25)):
            stripe.refund_at_dashboard(intent, amount=dollars * 100)
            parts.append(newest(stripe, "charge.refunded"))
            told = [parts[-1], again(parts[-1])]
            assert await hears(stripe, *told) == [Outcome.PARTLY_RETURNED] * 2
            assert await balance_of(company) == left
            assert await is_clean()
        # What was told first may come last.
        await hears(stripe, again(parts[0]))
        assert await balance_of(company) == 25
        assert ask(database, "select status, returned_cents from top_ups") == [("paid", 7_500)]
        stripe.refund_at_dashboard(intent)
        assert await hears(stripe, newest(stripe, "charge.refunded")) == [Outcome.RETURNED]
        assert await balance_of(company) == 0
        assert await hears(stripe, again(parts[1])) == [Outcome.NOTHING_NEW]
        entries = "select amount from advertiser_entries where kind = 'returned' order by number"
        assert ask(database, entries) == [(-60 * A_DOLLAR,), (-15 * A_DOLLAR,), (-25 * A_DOLLAR,)]
        assert ask(database, "select status, returned_cents from top_ups") == [("returned", 10_000)]
        assert letters(database) == ["top_up_partly_returned"] * 3
        told = "select args->'params'->>'part' from procrastinate_jobs order by id"
        parts_told = [part for (part,) in ask(database, told) if part]
        assert parts_told == ["$60.00", "$15.00", "$25.00"]
        assert ask(database, "select count(*) from security_alerts") == [(0,)]
        assert await is_clean()

    async def test_in_part_before_its_payment_was_heard_of_leaves_the_balance(
        self, stripe: StripeServer, database: str
    ):
        company = await a_company()
        begun = await asks(company, "100")
        completed = await is_paid_at(stripe, begun)
        stripe.refund_at_dashboard(completed["data"]["object"]["payment_intent"], amount=4_000)
        said = await hears(stripe, newest(stripe, "charge.refunded"), completed)
        assert said == [Outcome.PARTLY_RETURNED, Outcome.NOTHING_NEW]
        assert await balance_of(company) == 60
        assert ask(database, "select status, returned_cents from top_ups") == [("paid", 4_000)]
        assert ask(database, "select count(*) from security_alerts") == [(0,)]
        assert await is_clean()

    async def test_in_part_after_it_was_spent_calls_an_admin(self, stripe, database: str):
        company, begun = await a_paid_one(stripe)
        await an_ad(await a_campaign(await _row(company.id), status="draft", budget_cents=9_000))
        await jobs.start_what_waited(str(company.id))
        stripe.refund_at_dashboard((await payment_of(begun)).intent_id, amount=6_000)
        await hears(stripe, newest(stripe, "charge.refunded"))
        assert await balance_of(company) == -50
        alerts = ask(database, "select alert_type from security_alerts")
        assert alerts == [("advertiser_below_zero",)]
        assert await is_clean()

    @pytest.mark.parametrize("amount", [0, -5, None, "6000", 6000.0, 20_000])
    async def test_in_an_amount_that_is_no_part_calls_an_admin(
        self, stripe: StripeServer, database: str, amount: object
    ):
        company, begun = await a_paid_one(stripe)
        stripe.refund_at_dashboard((await payment_of(begun)).intent_id, amount=6_000)
        told = changed(newest(stripe, "charge.refunded"), amount_refunded=amount)
        assert await hears(stripe, told) == [Outcome.PARTLY_RETURNED]
        assert await balance_of(company) == 100
        alerts = ask(database, "select alert_type from security_alerts")
        assert alerts == [("payment_partly_returned",)]

    async def test_because_a_bank_took_it_leaves_the_balance_once(self, stripe, database: str):
        company, begun = await a_paid_one(stripe)
        dispute = stripe.dispute((await payment_of(begun)).intent_id)
        assert await hears(stripe, newest(stripe, "charge.dispute.created")) == [Outcome.DISPUTED]
        assert await balance_of(company) == 100, "the bank has not decided yet"
        stripe.close_dispute(dispute["id"], "lost")
        told = newest(stripe, "charge.dispute.closed")
        assert await hears(stripe, told, told) == [Outcome.RETURNED, Outcome.NOTHING_NEW]
        assert await balance_of(company) == 0
        assert ask(database, "select status from top_ups") == [("returned",)]
        assert letters(database) == ["top_up_taken"]
        assert await is_clean()

    async def test_because_a_bank_took_it_after_it_was_spent_calls_an_admin(
        self, stripe: StripeServer, database: str
    ):
        company, begun = await a_paid_one(stripe)
        await an_ad(await a_campaign(await _row(company.id), status="draft", budget_cents=9_000))
        await jobs.start_what_waited(str(company.id))
        dispute = stripe.dispute((await payment_of(begun)).intent_id)
        stripe.close_dispute(dispute["id"], "lost")
        await hears(stripe, newest(stripe, "charge.dispute.closed"))
        assert await balance_of(company) == -90
        alerts = ask(database, "select alert_type from security_alerts")
        assert alerts == [("advertiser_below_zero",)]
        assert await is_clean()

    async def test_that_the_bank_gives_back_in_the_end_calls_an_admin(self, stripe, database: str):
        """What left the balance may have stopped campaigns: nobody fills it up unasked."""
        company, begun = await a_paid_one(stripe)
        dispute = stripe.dispute((await payment_of(begun)).intent_id)
        stripe.close_dispute(dispute["id"], "lost")
        lost = newest(stripe, "charge.dispute.closed")
        said = await hears(stripe, lost, again(changed(lost, status="won")))
        assert said == [Outcome.RETURNED, Outcome.DISPUTE_WON]
        assert await balance_of(company) == 0
        alerts = ask(database, "select alert_type from security_alerts")
        assert alerts == [("payment_disputed",)]

    async def test_stays_where_the_bank_leaves_it_with_us(self, stripe: StripeServer):
        company, begun = await a_paid_one(stripe)
        dispute = stripe.dispute((await payment_of(begun)).intent_id)
        stripe.close_dispute(dispute["id"], "won")
        closed = newest(stripe, "charge.dispute.closed")
        assert await hears(stripe, closed) == [Outcome.DISPUTE_WON]
        assert await balance_of(company) == 100

    async def test_in_part_alone_stays_and_calls_an_admin(self, stripe, database: str):
        company, begun = await a_paid_one(stripe)
        dispute = stripe.dispute((await payment_of(begun)).intent_id, amount=4_000)
        stripe.close_dispute(dispute["id"], "lost")
        closed = newest(stripe, "charge.dispute.closed")
        assert await hears(stripe, closed) == [Outcome.DISPUTE_LOST]
        assert await balance_of(company) == 100
        alerts = ask(database, "select alert_type from security_alerts")
        assert alerts == [("payment_dispute_lost",)]

    async def test_because_it_came_too_late_was_never_in_the_balance(
        self, stripe: StripeServer, database: str
    ):
        company, begun = await a_late_one(stripe)
        assert await is_clean()
        await payments.return_money((await payment_of(begun)).id)
        assert await balance_of(company) == 0
        assert ask(database, "select status, invoice_number from top_ups") == [("expired", None)]
        assert letters(database) == ["top_up_too_late"]
        assert await is_clean()

    async def test_because_it_came_too_late_and_was_taken_by_a_bank_is_told_as_taken(
        self, stripe: StripeServer, database: str
    ):
        _, begun = await a_late_one(stripe)
        dispute = stripe.dispute((await payment_of(begun)).intent_id)
        stripe.close_dispute(dispute["id"], "lost")
        closed = newest(stripe, "charge.dispute.closed")
        assert await hears(stripe, closed) == [Outcome.RETURNED]
        assert letters(database) == ["top_up_taken_late"]
        assert await is_clean()


class TestTheSandbox:
    async def test_takes_companies_test_payments(self, database: str):
        company = await a_company()
        await pays_in(company)
        assert await balance_of(company) == 100
        async with transaction() as session:
            (shown,) = (await top_ups.listed(session, company.owner)).shown
        assert (shown.is_test, shown.checkout_url) == (True, None)

    async def test_is_settled_by_the_reconciliation_alone(self, database: str):
        company = await a_company()
        begun = await asks(company)
        async with transaction() as session:
            await sandbox.pay(
                session,
                company.owner,
                (await payment_of(begun)).checkout_id or "",
                loses_webhook=True,
                now=utc_now(),
            )
        await payments.look_at_what_waits(now=utc_now() + timedelta(minutes=5))
        assert await balance_of(company) == 100


class TestTheList:
    async def test_goes_on_to_the_oldest_whatever_became_of_each(
        self, stripe: StripeServer, database: str
    ):
        company, first = await a_paid_one(stripe)
        made = [first.top_up_id]
        for _ in range(2):
            begun = await asks(company)
            await top_ups.cancel(company.owner, begun.top_up_id)
            made.append(begun.top_up_id)
        await asks(await a_company("Sidewind Studio"))
        async with transaction() as session:
            newest = await top_ups.listed(session, company.owner, limit=2)
            rest = await top_ups.listed(session, company.owner, before=newest.next_before, limit=2)
        assert [one.id for one in (*newest.shown, *rest.shown)] == made[::-1]
        assert (rest.shown[0].invoice_number, rest.next_before) == (1, None)


class TestTheStatement:
    async def test_is_read_newest_first_and_in_stretches(self, database: str, monkeypatch):
        company = await a_company(dollars=1_000)
        for cents in (1_000, 2_000, 3_000):
            await an_ad(
                await a_campaign(
                    await _row(company.id), name=f"C{cents}", status="draft", budget_cents=cents
                )
            )
            await jobs.start_what_waited(str(company.id))
        monkeypatch.setattr(statement, "A_PAGE", 2)
        async with transaction() as session:
            first = await statement.statement(session, company.owner)
            rest = await statement.statement(session, company.owner, before=first.next_before)
        assert [entry.subject for entry in first.entries] == ["C3000", "C2000"]
        assert [entry.kind for entry in rest.entries] == ["set_aside", "opening"]
        assert rest.next_before is None
        assert first.entries[0].balance_after == 940 * A_DOLLAR

    async def test_is_the_owners_alone(self, database: str):
        company = await a_company(dollars=100)
        async with transaction() as session:
            for read in (statement.statement, top_ups.listed):
                with pytest.raises(rules.NotTheOwner):
                    await read(session, await a_member(company))
