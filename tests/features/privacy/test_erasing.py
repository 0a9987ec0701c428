"""Whoever is forgotten leaves no trace but what books need; everybody else keeps everything."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event
from uuid import UUID

import psycopg
import pytest
from aiosmtpd.controller import Controller

from rewards_app.core import limits, mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing, mailed_links, roles
from rewards_app.features.admin import alert_desk
from rewards_app.features.advertiser import company_repository, review, settings_service
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit
from rewards_app.features.forum import casebook, decisions, replies
from rewards_app.features.forum.desk_rules import Deed, Target
from rewards_app.features.forum.desk_rules import about as desk_about
from rewards_app.features.guardians import letters as guardians
from rewards_app.features.privacy import erasing
from rewards_app.features.privacy import erasing_repository as repository
from rewards_app.models import Payment, WaitlistEntry
from tests import held, steady
from tests.ads import an_ad, finishes, starts, the_actor, the_player
from tests.companies import a_company, a_member
from tests.forum import a_reply, a_topic
from tests.people import a_browser, an_account
from tests.review import an_admin
from tests.traces import fingerprints, rows_of, tables_of, traces_in_tables
from tests.waiting import are_waiting
from tests.waitlist import somebody_waits
from tools.ports import free_port

MAJA, OTTO = "maja", "otto"
NOON = held.NOON
A_DAY = timedelta(days=1)
LATER = NOON + 31 * A_DAY
STAYS = {
    *("ad_campaigns.name", "ad_campaigns.description", "ads.title", "ads.description"),
    *("ads.video_url", "ads.image_url", "ads.click_url", "ads.review_reason"),
    *("ad_views.refusal", "board_scores.board"),
    *("advertiser_entries.cause", "advertiser_entries.subject", "top_ups.company_name"),
    *("audit_entries.action", "audit_entries.digest", "audit_entries.hash", "audit_entries.origin"),
    *("coin_entries.cause", "coin_entries.kind", "coin_entries.subject", "coin_holds.cause"),
    *("forum_counts.name", "forum_decisions.action", "forum_posts.category"),
    *("forum_reports.reason", "fraud_signals.action_taken", "fraud_signals.rule"),
    *("gift_codes.code", "gift_codes.fingerprint", "gift_codes.package_id"),
    *("payment_events.id", "payment_events.kind", "payment_events.outcome"),
    *("payments.checkout_id", "payments.description", "payments.intent_id"),
    *("payments.purpose", "payments.refund_id", "purchases.game", "purchases.package_id"),
    *("purchases.product_name", "purchases.purchase_code"),
    *("test_checkouts.description", "test_checkouts.id", "test_checkouts.intent_id"),
}
"""Columns of the books, of companies' ads, and of words that the app itself chooses from."""


async def closes(account_id: UUID, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await closing.close(session, account_id, now=now)


async def calls_it(actor: Actor, name: str) -> None:
    """Their company."""
    async with transaction() as session:
        await settings_service.describe(session, actor, {"company_name": name}, now=NOON)


async def checked() -> audit.Check:
    async with transaction() as session:
        return await audit.check(session)


def letters(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("select args from procrastinate_jobs order by id").fetchall()
    return [row[0]["name"] for row in found]


@pytest.fixture(autouse=True)
def _empty_outbox(database: str) -> None:
    for file in mail.outbox().glob("*.eml"):
        file.unlink()


class TestOfEveryTable:
    """Each column of each table has a word that tells whose it is."""

    @pytest.fixture
    async def two_people(self, database: str, spoilt_books: None) -> None:
        held.hold_everything(database, MAJA, OTTO)
        with psycopg.connect(database) as connection:
            connection.execute("delete from account_closures")
            connection.execute("update accounts set closed_at = null")
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute("update audit_entries set erased_at = null")
            connection.execute("alter table audit_entries enable trigger all")
        await closes(held.id_of(MAJA))

    @pytest.mark.usefixtures("two_people")
    async def test_nothing_is_left_but_the_columns_of_books(self, database: str):
        assert await erasing.erase(held.id_of(MAJA), now=LATER)
        found = {trace.partition(":")[0] for trace in traces_in_tables(database, [MAJA])}
        assert found == STAYS

    @pytest.mark.usefixtures("two_people")
    async def test_another_person_keeps_every_row(self, database: str):
        def of_otto() -> dict[str, list[dict[str, str]]]:
            return {
                table: [row for row in rows_of(database, table) if OTTO in str(row)]
                for table in tables_of(database)
            }

        before = of_otto()
        assert await erasing.erase(held.id_of(MAJA), now=LATER)
        assert of_otto() == before

    @pytest.mark.usefixtures("two_people")
    async def test_the_account_is_nobodys(self, database: str):
        await erasing.erase(held.id_of(MAJA), now=LATER)
        [row] = [row for row in rows_of(database, "accounts") if OTTO not in str(row)]
        assert re.fullmatch(r"erased-[0-9a-f]{24}@erased\.invalid", row["email"])
        named = ("username", "display_name", "phone", "birth_date", "gender", "password_hash")
        assert [row[name] for name in named] == [""] * 6
        assert row["role"] == "player"
        assert row["closed_at"]


class Waiting:
    """Takes a letter once it may."""

    def __init__(self) -> None:
        self.is_asked, self.may_answer, self.taken = Event(), Event(), 0

    async def handle_DATA(self, *_: object) -> str:
        self.is_asked.set()
        await asyncio.to_thread(self.may_answer.wait, 10)
        self.taken += 1
        return "250 OK"


@contextmanager
def waiting_server() -> Iterator[tuple[Waiting, int]]:
    server = Waiting()
    controller = Controller(server, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield server, controller.port
    finally:
        controller.stop()


class TestErase:
    async def test_waits_for_its_day(self):
        maja = await an_account()
        await closes(maja.id)
        assert not await erasing.erase(maja.id, now=NOON + 30 * A_DAY - timedelta(seconds=1))
        assert await erasing.erase(maja.id, now=NOON + 30 * A_DAY)

    async def test_takes_no_account_that_is_open_however_urgent(self, database: str):
        maja = await an_account()
        before = fingerprints(database)
        assert not await erasing.erase(maja.id, is_urgent=True, now=LATER)
        assert fingerprints(database) == before

    async def test_takes_no_account_that_was_kept(self):
        maja = await an_account()
        await closes(maja.id)
        async with transaction() as session:
            assert await closing.reopen(session, maja.id, now=NOON + A_DAY)
        assert not await erasing.erase(maja.id, now=LATER)

    async def test_an_urgent_wish_needs_no_waiting(self):
        maja = await an_account()
        await closes(maja.id)
        assert await erasing.erase(maja.id, is_urgent=True, now=NOON)

    async def test_a_second_time_changes_nothing(self, database: str):
        maja = await an_account()
        await closes(maja.id)
        assert await erasing.erase(maja.id, now=LATER)
        before = fingerprints(database)
        assert not await erasing.erase(maja.id, is_urgent=True, now=LATER)
        assert fingerprints(database) == before

    async def test_twice_at_once_is_done_once(self):
        maja = await an_account()
        await closes(maja.id)
        done = await asyncio.gather(*(erasing.erase(maja.id, now=LATER) for _ in range(4)))
        assert sorted(done) == [False, False, False, True]
        assert (await checked()).entries == 1

    async def test_cannot_be_taken_back(self):
        maja = await an_account()
        await closes(maja.id)
        await erasing.erase(maja.id, now=LATER)
        async with transaction() as session:
            assert not await closing.reopen(session, maja.id, now=LATER)

    async def test_and_keeping_it_at_once_is_one_of_both(self):
        for number in range(6):
            maja = await an_account(f"maja{number}@example.com", name=f"Maja{number}")
            await closes(maja.id)

            async def keeps(account_id: UUID = maja.id) -> bool:
                async with transaction() as session:
                    return await closing.reopen(session, account_id, now=LATER)

            both = await asyncio.gather(erasing.erase(maja.id, now=LATER), keeps())
            assert sorted(both) == [False, True]

    async def test_keeps_nobody_waiting_while_the_last_letter_is_sent(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        """Whoever answers a topic of theirs neither waits for a mail server nor stops it all."""
        maja, otto = the_actor(await an_account()), await the_player("Otto")
        topic = await a_topic(maja)
        await closes(maja.user_id)
        with waiting_server() as (server, port):
            for name, value in {"host": "127.0.0.1", "port": port, "starttls": False}.items():
                monkeypatch.setattr(settings(), f"smtp_{name}", value)
            going = asyncio.create_task(erasing.erase(maja.user_id, now=LATER))
            await asyncio.to_thread(server.is_asked.wait, 10)
            async with steady.timeout(5), transaction() as session:
                await replies.reply(
                    session, otto, topic, "Is anybody there?", language="en", now=NOON
                )
            server.may_answer.set()
            assert await going
        assert server.taken == 1

    async def test_waits_for_who_calls_a_company_of_theirs_otherwise(self, database: str):
        """They hold the company when the alert is told what it is called now."""
        company = await a_company()
        maja, sven = company.owner, await a_member(company)
        with psycopg.connect(database) as connection:
            connection.execute("update advertiser_members set role = 'owner'")
        await calls_it(maja, "Fjord Sound")
        await closes(maja.user_id)
        async with transaction() as session:
            await company_repository.lock(session, company.id)
            going = asyncio.create_task(erasing.erase(maja.user_id, now=LATER))
            await are_waiting(database)
            form = {"company_name": "Fjord Music"}
            await settings_service.describe(session, sven, form, now=NOON)
        assert await going

    async def test_is_written_down_without_words(self):
        maja = await an_account()
        await closes(maja.id)
        await erasing.erase(maja.id, now=LATER)
        assert (await checked()).is_clean

    async def test_is_done_while_redis_is_away(self, monkeypatch: pytest.MonkeyPatch):
        maja = await an_account()
        await closes(maja.id)
        monkeypatch.setattr(settings(), "redis_url", f"redis://127.0.0.1:{free_port()}/0")
        limits._limiter.cache_clear()
        try:
            assert await erasing.erase(maja.id, now=LATER)
        finally:
            limits._limiter.cache_clear()

    async def test_nothing_is_counted_of_the_address_any_more(self):
        maja = await an_account()
        await closes(maja.id)
        for asks in (mailed_links.request_reset, mailed_links.send_verification_again) * 5:
            async with transaction() as session:
                await asks(session, maja.email, a_browser(), now=LATER)
        await erasing.erase(maja.id, now=LATER)
        for asks in (mailed_links.request_reset, mailed_links.send_verification_again):
            async with transaction() as session:
                await asks(session, maja.email, a_browser(), now=LATER)

    async def test_the_address_can_sign_up_again(self):
        maja = await an_account("maja@example.com")
        await closes(maja.id)
        await erasing.erase(maja.id, now=LATER)
        again = await an_account("maja@example.com")
        assert again.id != maja.id


class TestForgetAgain:
    """A restored backup is older than the wish of some people in it."""

    async def test_forgets_who_came_back_and_tells_them_nothing(self, database: str):
        maja = await an_account()
        otto = await an_account("otto@example.com", name="Otto")
        gone = await an_account("gone@example.com", name="Gone")
        await closes(gone.id)
        await erasing.erase(gone.id, now=LATER)
        assert await erasing.forgotten() == [gone.id]
        posted = len(list(mail.outbox().glob("*.eml")))
        ids = [maja.id, gone.id, new_id()]
        assert await erasing.forget_again(ids, now=LATER) == erasing.Again(1, {})
        assert await erasing.forgotten() == sorted([maja.id, gone.id])
        assert letters(database) == []
        assert len(list(mail.outbox().glob("*.eml"))) == posted
        assert traces_in_tables(database, ["maja@example.com"]) == []
        assert traces_in_tables(database, [otto.email])

    async def test_goes_on_past_who_cannot_be(self, database: str):
        """There may be no other admin in what was restored."""
        linnea = await an_account("linnea@example.com", Role.ADMIN, name="Linnea")
        maja = await an_account()
        again = await erasing.forget_again([linnea.id, maja.id], now=LATER)
        assert again == erasing.Again(1, {linnea.id: "LastAdmin"})
        assert await erasing.forgotten() == [maja.id]


class TestTheLastLetter:
    @pytest.fixture
    def posted(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str | None]]:
        letters: list[tuple[str, str, str | None]] = []

        async def post(letter: mail.Letter, *, message_id: str | None = None) -> None:
            letters.append((letter.recipient, letter.name, message_id))

        monkeypatch.setattr(mail, "post", post)
        return letters

    async def test_goes_to_the_address_before_that_is_forgotten(self, posted):
        maja = await an_account("maja@example.com")
        await closes(maja.id)
        await erasing.erase(maja.id, now=LATER)
        [(to, name, message_id)] = posted
        assert (to, name) == ("maja@example.com", "account_erased")
        assert message_id

    async def test_never_lies_in_the_queue_and_takes_along_what_does(self, database: str, posted):
        maja = await an_account("maja@example.com")
        await closes(maja.id)
        assert letters(database) == ["account_closing"]
        await erasing.erase(maja.id, now=LATER)
        assert letters(database) == []

    async def test_takes_letters_about_them_to_others_along(self, database: str):
        maja = await an_account("maja@example.com")
        async with transaction() as session:
            await guardians.ask(session, maja, "mum@example.com", "a token")
        await closes(maja.id)
        with psycopg.connect(database) as connection:
            connection.execute("update procrastinate_jobs set status = 'failed'")
        await erasing.erase(maja.id, now=LATER)
        assert letters(database) == []
        assert traces_in_tables(database, ["mum@example.com"]) == []

    async def test_leaves_letters_to_others_in_the_queue(self, database: str):
        maja = await an_account("maja@example.com")
        other = await an_account("xmaja@example.com", name="Other")
        await closes(maja.id)
        await closes(other.id)
        await erasing.erase(maja.id, now=LATER)
        assert letters(database) == ["account_closing"]

    async def test_a_letter_on_its_way_is_waited_for(self, database: str):
        maja = await an_account("maja@example.com")
        await closes(maja.id)
        with psycopg.connect(database) as connection:
            connection.execute("update procrastinate_jobs set status = 'doing'")
        assert await erasing.erase_due(now=LATER) == {"erased": 0, "postponed": 1}
        with psycopg.connect(database) as connection:
            connection.execute("update procrastinate_jobs set status = 'failed'")
        assert await erasing.erase_due(now=LATER) == {"erased": 1, "postponed": 0}

    async def test_a_mail_server_that_is_away_delays_it_for_three_days_at_most(self, monkeypatch):
        async def post(*_: object, **__: object) -> None:
            raise OSError

        monkeypatch.setattr(mail, "post", post)
        maja = await an_account()
        await closes(maja.id)
        due = NOON + 30 * A_DAY
        assert await erasing.erase_due(now=due + 2 * A_DAY) == {"erased": 0, "postponed": 1}
        assert await erasing.erase_due(now=due + 3 * A_DAY) == {"erased": 1, "postponed": 0}


async def a_payment(account_id: UUID, status: str) -> UUID:
    was_paid = status == "returning"
    payment = Payment(
        account_id=account_id,
        purpose="order",
        subject_id=new_id(),
        description="800 Robux",
        amount=8900,
        currency="sek",
        provider="stripe",
        status=status,
        intent_id="pi_1" if was_paid else None,
        charged=8900 if was_paid else None,
        paid_at=NOON if was_paid else None,
        expires_at=NOON + A_DAY,
        created_at=NOON,
    )
    async with transaction() as session:
        session.add(payment)
    return payment.id


class TestMoneyOnItsWay:
    @pytest.mark.parametrize("status", ["opening", "open", "returning"])
    async def test_is_waited_for_even_where_a_wish_is_urgent(self, database: str, status: str):
        maja = await an_account()
        payment = await a_payment(maja.id, status)
        await closes(maja.id)
        with pytest.raises(erasing.NotYet):
            await erasing.erase(maja.id, is_urgent=True, now=NOON)
        assert list(mail.outbox().glob("*.eml")) == []
        with psycopg.connect(database) as connection:
            over = "update payments set status = 'failed', paid_at = null where id = %s"
            connection.execute(over, (payment,))
        assert await erasing.erase(maja.id, is_urgent=True, now=NOON)

    async def test_delays_the_end_by_three_days_at_most(self):
        maja = await an_account()
        await a_payment(maja.id, "returning")
        await closes(maja.id)
        due = NOON + 30 * A_DAY
        assert await erasing.erase_due(now=due + 2 * A_DAY) == {"erased": 0, "postponed": 1}
        assert await erasing.erase_due(now=due + 3 * A_DAY) == {"erased": 1, "postponed": 0}


class TestEraseDue:
    async def test_forgets_everybody_whose_day_has_come(self):
        for number in range(3):
            one = await an_account(f"maja{number}@example.com", name=f"Maja{number}")
            await closes(one.id, now=NOON + number * A_DAY)
        assert await erasing.erase_due(now=NOON + 31 * A_DAY) == {"erased": 2, "postponed": 0}

    async def test_one_that_cannot_be_forgotten_keeps_nobody_else(self, monkeypatch):
        first = await an_account("first@example.com", name="First")
        second = await an_account("second@example.com", name="Second")
        await closes(first.id)
        await closes(second.id)
        forget = repository.forget_holdings

        async def fails_once(session, account_id, values):
            if account_id == first.id:
                raise ZeroDivisionError
            await forget(session, account_id, values)

        monkeypatch.setattr(repository, "forget_holdings", fails_once)
        assert await erasing.erase_due(now=LATER) == {"erased": 1, "postponed": 1}
        monkeypatch.undo()
        assert await erasing.erase_due(now=LATER) == {"erased": 1, "postponed": 0}


async def hides(moderator: Actor, author: Actor, topic: UUID) -> str:
    """How the audit log calls the reply of theirs that was hidden."""
    reply = await a_reply(author, topic)
    async with transaction() as session:
        version = (await casebook.case(session, Target.REPLY, reply)).item.version
        seen = decisions.Seen(Target.REPLY, reply, version)
        await decisions.decide(session, moderator, seen, Deed.HIDE, "spam", "Again", now=NOON)
    return desk_about(Target.REPLY, reply)


async def promotes(admin: Actor | None, name: str) -> UUID:
    who = await an_account(f"{name.lower()}@example.com", name=name)
    async with transaction() as session:
        now = NOON + timedelta(seconds=len(name))
        await roles.change(session, admin, who.id, Role.MODERATOR, "Helps a lot", now=now)
    return who.id


async def alerts_by() -> dict[UUID | None, tuple[str, str]]:
    """Of whom alerts tell: whose act that was, and in which words."""
    async with transaction() as session:
        shown = (await alerts.newest(session)).shown
    return {one.account_id: (one.params["by"], one.description) for one in shown}


class TestNamesakes:
    """A name is whatever somebody chose: nothing of anybody else goes for it."""

    async def test_keep_every_line_of_the_audit_log(self, database: str):
        linnea = await an_admin()
        max_, other = [
            the_actor(await an_account(f"max{n}@example.com", name="Max")) for n in range(2)
        ]
        topic = await a_topic(await the_player("Otto"))
        theirs, others = await hides(linnea, max_, topic), await hides(linnea, other, topic)
        before = {row["about"]: row for row in rows_of(database, "audit_entries")}
        await closes(max_.user_id)
        assert await erasing.erase(max_.user_id, now=LATER)
        after = {row["about"]: row for row in rows_of(database, "audit_entries")}
        assert after[others] == before[others]
        assert (after[theirs]["label"], after[theirs]["reason"]) == ("", "")

    async def test_keep_what_was_written_of_their_views(self, database: str):
        linnea, ad = await an_admin(), await an_ad()
        credited = {}
        for name in ("Max", "Maxine"):
            player = await the_player(name)
            view = await starts(player, ad, now=NOON)
            await finishes(player, view, now=NOON + timedelta(seconds=view.seconds))
            async with transaction() as session:
                await review.credit_back(
                    session, linnea, view.view_id, f"{name} is no robot", now=NOON
                )
            credited[player.user_id] = str(view.view_id)
        theirs, others = credited.values()
        [max_, _] = credited
        await closes(max_)
        assert await erasing.erase(max_, now=LATER)
        said = {row["about"]: row["reason"] for row in rows_of(database, "audit_entries")}
        assert (said[f"view:{theirs}"], said[f"view:{others}"]) == ("", "Maxine is no robot")
        kept = {row["id"]: row["invalid_reason"] for row in rows_of(database, "ad_views")}
        assert kept == {theirs: "", others: "Maxine is no robot"}
        assert (await checked()).is_clean

    async def test_keep_their_alerts(self):
        anna, linnea = await an_admin("Anna"), await an_admin()
        same = the_actor(await an_account("other@example.com", Role.ADMIN, name="Linnea"))
        hers, others = await promotes(linnea, "Nils"), await promotes(same, "Oskar")
        await promotes(anna, "Ottilia")
        before = await alerts_by()
        await closes(linnea.user_id)
        assert await erasing.erase(linnea.user_id, now=LATER)
        assert await alerts_by() == before | {hers: ("", "")}
        assert before[others][0] == "Linnea"

    async def test_nobody_takes_what_the_command_line_did(self):
        maja = await an_account(name="rewards promote")
        nils = await promotes(None, "Nils")
        await closes(maja.id)
        assert await erasing.erase(maja.id, now=LATER)
        assert (await alerts_by())[nils][0] == "rewards promote"

    async def test_are_not_who_acted_in_what_another_admin_resolved(self, database: str):
        anna, linnea = await an_admin("Anna"), await an_admin()
        same = the_actor(await an_account("other@example.com", Role.ADMIN, name="Linnea"))
        for admin, name in ((linnea, "Nils"), (same, "Oskar")):
            await promotes(admin, name)
        async with transaction() as session:
            for alert in (await alerts.newest(session)).shown:
                await alert_desk.resolve(session, anna, alert.id, now=NOON)
        await closes(linnea.user_id)
        assert await erasing.erase(linnea.user_id, now=LATER)
        lines = [r for r in rows_of(database, "audit_entries") if r["action"] == "alert_resolved"]
        assert sorted(row["salt"] == "" for row in lines) == [False, True]


class TestThePlaceInLine:
    async def test_goes_with_the_account_and_is_free_for_whoever_comes(self, database: str):
        maja = await an_account("maja@example.com")
        await somebody_waits("maja@example.com", at=NOON)
        await somebody_waits("maja@example.com.au", at=NOON)
        await closes(maja.id)
        assert await erasing.erase(maja.id, now=LATER)
        assert [row["email"] for row in rows_of(database, "waitlist")] == ["maja@example.com.au"]
        await somebody_waits("maja@example.com", at=LATER)

    async def test_counts_no_more_for_who_sent_them(self, database: str):
        maja = await an_account("maja@example.com")
        friend = await somebody_waits("linnea@example.com", at=NOON)
        entry = await somebody_waits("maja@example.com", at=NOON)
        async with transaction() as session:
            own, theirs = [await session.get_one(WaitlistEntry, one.id) for one in (entry, friend)]
            own.referred_by, theirs.referrals, theirs.stands_at = friend.id, 1, NOON - A_DAY
        await closes(maja.id)
        assert await erasing.erase(maja.id, now=LATER)
        async with transaction() as session:
            known = await session.get_one(WaitlistEntry, friend.id)
        assert (known.referrals, known.stands_at) == (0, NOON)

    async def test_stays_while_the_account_can_still_come_back(self, database: str):
        maja = await an_account("maja@example.com")
        await somebody_waits("maja@example.com", at=NOON)
        await closes(maja.id)
        assert not await erasing.erase(maja.id, now=NOON + A_DAY)
        assert len(rows_of(database, "waitlist")) == 1


class TestTheOutbox:
    async def test_keeps_no_letter_to_or_about_them(self):
        maja = await an_account("maja.storm@example.com", name="Maja Storm")
        support = {"support": settings().support_email}
        await mail.post(mail.Letter(maja.email, "sv", "account_kept", "https://x.example", support))
        told = {"name": "Maja Storm", "company": "Fjord", "email": "otto@example.com"}
        await mail.post(mail.Letter("otto@example.com", "de", "invitation", "https://x.e", told))
        await mail.post(mail.Letter("otto@example.com", "de", "account_kept", "https://x", support))
        await closes(maja.id)
        await erasing.erase(maja.id, now=LATER)
        [kept] = mail.outbox().glob("*.eml")
        assert b"otto@example.com" in kept.read_bytes()

    async def test_keeps_letters_of_who_is_called_as_a_pattern_would_have_it(self):
        anna = await an_account("a.b+c@example.com", name="A.b+c")
        for recipient, name in (("axbbc@example.com", "axbbc"), (anna.email, "Otto")):
            told = {"name": name, "company": "Fjord", "email": recipient}
            await mail.post(mail.Letter(recipient, "de", "invitation", "https://x.e", told))
        await closes(anna.id)
        await erasing.erase(anna.id, now=LATER)
        [kept] = mail.outbox().glob("*.eml")
        assert b"To: axbbc@example.com" in kept.read_bytes()
