"""What admins find and do: orders by code, email and name, their story, refunds, imports."""

import dataclasses
import json
from collections.abc import Callable
from email import message_from_bytes
from email.policy import default
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.settings import Mode, settings
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import back_office, letters, rules, service, stock
from rewards_app.features.shop.back_office import Search
from rewards_app.features.shop.rules import Status
from tests.paying import ask, letters_queued
from tests.people import NOON
from tests.review import an_admin
from tests.serving import text_of
from tests.shop import THE_PACKAGE, a_buyer, balance_of, buys, earns, orders_of
from tests.shop import stock as in_stock
from tests.tickets import answers, replies

pytestmark = pytest.mark.usefixtures("database")

REASON = "The code did not work"


async def found(text: str = "", status: Status | None = None, before: UUID | None = None):
    async with transaction() as session:
        return await back_office.find(session, Search(text, status), before=before)


async def story(admin: Actor, order_id: UUID) -> back_office.Story:
    async with transaction() as session:
        return await back_office.story(session, admin, order_id)


async def refunds(admin: Actor, order_id: UUID, reason: str = REASON) -> None:
    async with transaction() as session:
        await back_office.refund(session, admin, order_id, reason, now=NOON)


async def an_order(name: str = "Maja") -> tuple[Actor, UUID]:
    """Completed, with coins alone."""
    await in_stock()
    buyer = await a_buyer(name, coins_owned=89)
    return buyer, (await buys(buyer, 89)).purchase_id


class TestSearching:
    async def test_everything_is_there_newest_first(self):
        _, first = await an_order("Maja")
        _, second = await an_order("Emil")
        assert [order.id for order in (await found()).shown] == [second, first]

    async def test_a_purchase_code_finds_its_order_however_it_is_typed(self):
        buyer, order_id = await an_order()
        await an_order("Emil")
        code = (await orders_of(buyer))[0].purchase_code
        for typed in (code, code.lower(), f"  {code} "):
            assert [order.id for order in (await found(typed)).shown] == [order_id]

    async def test_half_a_purchase_code_finds_nothing(self):
        buyer, _ = await an_order()
        code = (await orders_of(buyer))[0].purchase_code
        assert not (await found(code[:-1])).shown

    async def test_the_beginning_of_an_email_or_a_name_finds_its_orders_in_any_case(self):
        buyer, order_id = await an_order("Åsa")
        await an_order("Emil")
        for typed in ("Ås", "åsa", buyer.email[:6], buyer.email.upper()):
            assert [order.id for order in (await found(typed)).shown] == [order_id], typed

    async def test_a_whole_id_finds_the_orders_of_its_owner_alone(self):
        buyer, order_id = await an_order("Jo")
        await an_order(f"{buyer.user_id}"[:8])
        assert [order.id for order in (await found(str(buyer.user_id))).shown] == [order_id]
        assert not (await found(str(new_id()))).shown

    async def test_the_middle_of_a_name_finds_nothing(self):
        await an_order("Maja")
        assert not (await found("aja")).shown

    @pytest.mark.parametrize("typed", ["%", "_", "_aja", "M%a", "\\", "' or true --"])
    async def test_signs_of_patterns_stand_for_themselves(self, typed: str):
        await an_order("Maja")
        assert not (await found(typed)).shown

    async def test_a_status_leaves_the_others_out(self):
        await in_stock(2)
        buyer = await a_buyer(coins_owned=89)
        completed = (await buys(buyer, 89)).purchase_id
        waiting = (await buys(buyer)).purchase_id
        assert [o.id for o in (await found(status=Status.COMPLETED)).shown] == [completed]
        assert [o.id for o in (await found("maja", Status.WAITING)).shown] == [waiting]

    async def test_what_is_found_comes_in_pages_without_gap_or_repetition(self):
        await in_stock(60)
        buyer = await a_buyer(coins_owned=60 * 89)
        bought = [(await buys(buyer, 89)).purchase_id for _ in range(60)]
        seen, before = [], None
        while True:
            page = await found("maja", before=before)
            assert len(page.shown) <= back_office.A_PAGE
            seen += [order.id for order in page.shown]
            before = page.next_before
            if before is None:
                break
        assert sorted(seen, reverse=True) == seen
        assert set(seen) == set(bought)
        assert len(seen) == 60

    async def test_a_row_says_who_what_how_much_and_through_whom(self):
        await in_stock(is_demo=True)
        buyer = await a_buyer(coins_owned=29)
        await buys(buyer, 29)
        [order] = (await found()).shown
        assert (order.name, order.email) == ("Maja", buyer.email)
        assert (order.product_name, order.amount) == ("1000 V-Bucks", 1000)
        assert (order.coins, order.to_pay_ore) == (29, 6000)
        assert (order.provider, order.status) == ("sandbox", Status.WAITING)
        assert order.is_demo

    async def test_an_open_ticket_is_named(self):
        buyer, order_id = await an_order()
        async with transaction() as session:
            number = await service.report(session, buyer, order_id, "It is used already", now=NOON)
        [order] = (await found()).shown
        assert order.ticket == number


class TestAStory:
    async def test_tells_what_happened_and_what_the_player_says(self):
        admin = await an_admin()
        buyer, order_id = await an_order()
        async with transaction() as session:
            await service.report(session, buyer, order_id, "It is used already", now=NOON)
        told = await story(admin, order_id)
        assert (told.order.created_at, told.delivered_at) == (NOON, NOON)
        assert (told.paid_at, told.intent_id, told.ended_at) == (None, None, None)
        assert told.ticket
        assert told.ticket.said == ("It is used already",)
        assert (told.past.completed, told.past.refunded) == (1, 0)

    async def test_tells_all_that_the_player_added_and_whether_they_were_answered(self):
        admin = await an_admin()
        buyer, order_id = await an_order()
        async with transaction() as session:
            number = await service.report(session, buyer, order_id, "It is used already", now=NOON)
        await answers(admin, number)
        assert (await story(admin, order_id)).ticket.status == "answered"
        await replies(buyer, number, "I found out: my brother used it.")
        told = (await story(admin, order_id)).ticket
        assert told.said == ("It is used already", "I found out: my brother used it.")
        assert told.status == "open"

    async def test_of_a_refund_names_the_admin_and_the_reason(self):
        admin = await an_admin()
        _, order_id = await an_order()
        await refunds(admin, order_id)
        told = await story(admin, order_id)
        assert (told.refunded_at, told.refunded_by) == (NOON, "Linnea")
        assert told.refund_reason == REASON
        assert (told.past.completed, told.past.refunded) == (0, 1)

    async def test_never_has_a_gift_code(self):
        admin = await an_admin()
        [code] = await in_stock()
        buyer = await a_buyer(coins_owned=89)
        order_id = (await buys(buyer, 89)).purchase_id
        everything = json.dumps(
            [dataclasses.asdict(await story(admin, order_id)), dataclasses.asdict(await found())],
            default=str,
        )
        assert code not in everything
        assert "code=" not in everything

    async def test_of_no_order_is_refused(self):
        with pytest.raises(rules.UnknownPurchase):
            await story(await an_admin(), new_id())


class TestRefunding:
    async def test_gives_the_coins_back_and_says_why(self):
        admin = await an_admin()
        buyer, order_id = await an_order()
        await refunds(admin, order_id, "  The code\n did not work ")
        [order] = await orders_of(buyer)
        assert (order.status, order.refund_reason) == (Status.REFUNDED, REASON)
        assert await balance_of(buyer) == (89, 0)
        with pytest.raises(rules.UnknownPurchase):
            await service.code_of(buyer, order_id)

    async def test_happens_once(self):
        admin = await an_admin()
        buyer, order_id = await an_order()
        await refunds(admin, order_id)
        with pytest.raises(rules.NotRefundable):
            await refunds(admin, order_id)
        assert await balance_of(buyer) == (89, 0)

    @pytest.mark.parametrize(
        ("reason", "refusal"),
        [
            ("", rules.ReasonMissing),
            ("  ", rules.ReasonMissing),
            ("no", rules.ReasonMissing),
            ("x" * 301, rules.ReasonTooLong),
        ],
    )
    async def test_needs_a_reason_of_three_to_three_hundred_characters(
        self, reason: str, refusal: type[DomainError]
    ):
        admin = await an_admin()
        buyer, order_id = await an_order()
        with pytest.raises(refusal):
            await refunds(admin, order_id, reason)
        assert (await orders_of(buyer))[0].status is Status.COMPLETED

    async def test_of_an_unpaid_order_is_refused(self):
        admin = await an_admin()
        await in_stock()
        buyer = await a_buyer()
        order_id = (await buys(buyer)).purchase_id
        with pytest.raises(rules.NotRefundable):
            await refunds(admin, order_id)


async def sends_again(admin: Actor, order_id: UUID) -> bool:
    async with transaction() as session:
        return await back_office.send_again(session, admin, order_id, now=NOON)


class TestDeliveringAgain:
    async def test_mails_the_buyer_the_code_in_a_letter_of_its_own(self, database: str, outbox):
        admin = await an_admin()
        [code] = await in_stock()
        buyer = await a_buyer(coins_owned=89)
        order_id = (await buys(buyer, 89)).purchase_id
        assert not await sends_again(admin, order_id)
        first, again = letters_queued_with_names(database)
        assert first == {"purchase_id": str(order_id)}
        assert again["purchase_id"] == str(order_id)
        for arguments in (first, again):
            await letters.send_code(**arguments)
        names, texts = zip(*outbox(), strict=True)
        assert len(set(names)) == 2
        assert all(code in text for text in texts)

    async def test_stands_in_the_audit_log_without_the_code(self, database: str):
        admin = await an_admin()
        [code] = await in_stock()
        buyer = await a_buyer(coins_owned=89)
        bought = await buys(buyer, 89)
        await sends_again(admin, bought.purchase_id)
        [line] = ask(
            database,
            "select action, about, actor_name, audit_entries::text from audit_entries",
        )
        assert line[:3] == ("order_sent_again", f"order:{bought.purchase_id}", "Linnea")
        assert code not in line[3]

    async def test_gives_an_order_without_a_code_one_from_the_stock(self, database: str):
        admin = await an_admin()
        buyer, order_id = await an_order()
        take_its_code(database)
        [fresh] = await in_stock()
        assert await sends_again(admin, order_id)
        assert await service.code_of(buyer, order_id) == fresh
        assert ask(database, "select after from audit_entries") == [({"code_assigned": True},)]
        # Once it has its code, no other one is taken.
        await in_stock()
        assert not await sends_again(admin, order_id)
        assert await service.code_of(buyer, order_id) == fresh

    @pytest.mark.usefixtures("spoilt_books")
    async def test_without_any_code_left_says_so_and_mails_nothing(self, database: str):
        admin = await an_admin()
        _, order_id = await an_order()
        take_its_code(database)
        queued = len(letters_queued(database))
        with pytest.raises(rules.NoCodeLeft):
            await sends_again(admin, order_id)
        assert len(letters_queued(database)) == queued
        assert ask(database, "select 1 from audit_entries") == []

    @pytest.mark.usefixtures("spoilt_books")
    async def test_in_production_gives_no_code_that_no_game_accepts(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        admin = await an_admin()
        buyer = await a_buyer(coins_owned=89)
        await in_stock()
        order_id = (await buys(buyer, 89)).purchase_id
        take_its_code(database)
        await in_stock(is_demo=True)
        monkeypatch.setattr(settings(), "mode", Mode.PRODUCTION)
        with pytest.raises(rules.NoCodeLeft):
            await sends_again(admin, order_id)
        monkeypatch.setattr(settings(), "mode", Mode.DEVELOPMENT)
        assert await sends_again(admin, order_id)

    async def test_is_for_what_was_bought_and_kept_only(self):
        admin = await an_admin()
        _, refunded = await an_order()
        await refunds(admin, refunded)
        await in_stock()
        waiting = (await buys(await a_buyer("Emil"))).purchase_id
        for order_id in (refunded, waiting):
            with pytest.raises(rules.NothingToSend):
                await sends_again(admin, order_id)
        with pytest.raises(rules.UnknownPurchase):
            await sends_again(admin, new_id())

    async def test_is_for_somebody_who_is_still_there(self, database: str, outbox):
        """A restored backup had brought them back; a letter that it queued tells nobody either."""
        admin = await an_admin()
        buyer, order_id = await an_order()
        assert not (await story(admin, order_id)).order.is_buyer_gone
        assert await erasing.forget_again([buyer.user_id], now=NOON) == erasing.Again(1, {})
        assert (await story(admin, order_id)).order.is_buyer_gone
        with pytest.raises(rules.BuyerIsGone):
            await sends_again(admin, order_id)
        await letters.send_code(purchase_id=str(order_id))
        assert outbox() == []

    async def test_happens_three_times_an_hour_at_most(self):
        admin = await an_admin()
        _, order_id = await an_order()
        for _ in range(3):
            await sends_again(admin, order_id)
        with pytest.raises(TooManyAttempts):
            await sends_again(admin, order_id)


def take_its_code(database: str) -> None:
    """As if it had never been given."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("delete from gift_codes where status = 'delivered'")


@pytest.fixture
def outbox() -> Callable[[], list[tuple[str, str]]]:
    """The name and the text of each letter that was sent here."""
    folder = settings().data_dir / "outbox"
    before = set(folder.glob("*.eml"))

    def sent() -> list[tuple[str, str]]:
        files = sorted(set(folder.glob("*.eml")) - before)
        letters = [message_from_bytes(file.read_bytes(), policy=default) for file in files]
        return [(letter["Message-ID"], text_of(letter)) for letter in letters]

    return sent


def letters_queued_with_names(database: str) -> list[dict[str, str]]:
    query = "select args from procrastinate_jobs where task_name = 'shop.send_code' order by id"
    return [arguments for (arguments,) in ask(database, query)]


class TestImporting:
    async def test_names_who_brought_the_codes_in(self):
        admin = await an_admin()
        async with transaction() as session:
            imported = await back_office.import_codes(
                session, admin, f"package,code\n{THE_PACKAGE},AAAA-BBBB\n", now=NOON
            )
        assert (imported.count, list(imported.problems)) == (1, [])
        buyer = await a_buyer()
        await earns(buyer, 89)
        bought = await buys(buyer, 89)
        assert await service.code_of(buyer, bought.purchase_id) == "AAAA-BBBB"

    async def test_one_bad_line_keeps_all_others_out(self):
        admin = await an_admin()
        async with transaction() as session:
            imported = await back_office.import_codes(
                session,
                admin,
                f"package,code\n{THE_PACKAGE},AAAA-BBBB\nnothing,CCCC-DDDD\n",
                now=NOON,
            )
        assert imported.count == 0
        assert [problem.line for problem in imported.problems] == [3]
        async with transaction() as session:
            assert sum(level.free for level in await stock.levels(session)) == 0
