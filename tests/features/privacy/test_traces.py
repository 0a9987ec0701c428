"""A whole life in the app, by its own services; then it is closed, and kept or forgotten."""

import asyncio
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import pytest
import structlog

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.settings import settings
from rewards_app.core.watching import logs
from rewards_app.features.accounts import closing, signing_in
from rewards_app.features.accounts.rules import InvalidCredentials
from rewards_app.features.advertiser import (
    books,
    choices_repository,
    company_repository,
    leaving,
    lifecycle,
    membership,
    review,
)
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.forum import replies, search, topics
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import books as shop_books
from rewards_app.models import Advertiser
from tests import loaded, scratch
from tests.ads import a_campaign, an_ad, the_player
from tests.companies import Company, a_company, a_member, an_owner, applies
from tests.features.privacy import rich
from tests.features.privacy.rich import A_DAY, JOINED, Words
from tests.people import PASSWORD
from tests.review import a_draft, an_admin
from tests.serving import PROJECT, loads_program
from tests.traces import fingerprints, found_in, rows_of, traces_in_files, traces_in_tables
from tests.waiting import are_waiting

CLOSED = JOINED + 10 * A_DAY
LATER = CLOSED + 31 * A_DAY


@dataclass
class Life:
    words: Words
    who: Actor
    own_topic: UUID
    others_topic: UUID


@pytest.fixture
async def admin(database: str) -> Actor:
    return await an_admin()


@pytest.fixture
async def otto(database: str) -> Actor:
    return await the_player("Otto", now=JOINED)


async def lived(words: Words, otto: Actor, admin: Actor) -> Life:
    ad = await an_ad()
    who = await rich.joins(words)
    own, others = await rich.talks(words, who, otto)
    await rich.does_everything(words, who, admin, ad)
    await rich.is_invited(words, await a_company(f"Company of {len(words.seed)}"))
    return Life(words, who, own, others)


@pytest.fixture
async def zofia(database: str, otto: Actor, admin: Actor) -> Life:
    return await lived(Words("zofiaq"), otto, admin)


async def closes(life: Life) -> None:
    async with transaction() as session:
        await closing.close(session, life.who.user_id, now=CLOSED)


async def is_forgotten(life: Life) -> None:
    await closes(life)
    assert await erasing.erase(life.who.user_id, now=LATER)


class TestForgotten:
    async def test_everything_of_it_was_there(self, database: str, zofia: Life):
        """Else the next test would prove nothing."""
        found = "\n".join(traces_in_tables(database, zofia.words.everything))
        assert [word for word in zofia.words.everything if word not in found] == []

    async def test_nothing_is_left_in_any_table(self, database: str, zofia: Life):
        rich.failed_letters(database)
        await is_forgotten(zofia)
        assert traces_in_tables(database, zofia.words.everything) == []

    async def test_nothing_is_left_in_any_file(self, zofia: Life):
        await is_forgotten(zofia)
        assert traces_in_files(settings().data_dir, zofia.words.everything) == []

    async def test_nothing_is_told_in_the_log(self, database: str, otto: Actor, admin: Actor):
        words = Words("zofiaq")
        with structlog.testing.capture_logs() as told:
            await is_forgotten(await lived(words, otto, admin))
        assert found_in(str(told), words.everything) == set()

    async def test_nothing_is_told_in_the_lines_of_production(
        self, database: str, otto: Actor, admin: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        """Whole lines, as a collector of logs gets them, with those of libraries."""
        output = io.StringIO()
        monkeypatch.setattr("sys.stderr", output)
        logs.configure(as_json=True)
        words = Words("zofiaq")
        await is_forgotten(await lived(words, otto, admin))
        structlog.get_logger("test").warning("refused", about=words.email)
        logging.getLogger("a.library").warning("No answer to %s", words.phone)
        told = output.getvalue()
        lines = [json.loads(line) for line in told.splitlines()]
        assert {line["event"] for line in lines} >= {"refused", f"No answer to {logs.HIDDEN}"}
        assert found_in(told, words.everything) == set()

    async def test_coins_orders_and_the_log_still_add_up(self, zofia: Life):
        await is_forgotten(zofia)
        async with transaction() as session:
            assert (await coins.check(session)).is_clean
            assert (await shop_books.check(session)).is_clean
            assert (await audit.check(session)).is_clean

    async def test_another_one_with_the_same_life_keeps_it(
        self, database: str, otto: Actor, admin: Actor
    ):
        similar = await lived(Words("ludmila", address="203.0.113.78"), otto, admin)
        before = traces_in_tables(database, similar.words.everything)
        await is_forgotten(await lived(Words("zofiaq"), await the_player("Nils"), admin))
        assert traces_in_tables(database, similar.words.everything) == before


class TestTheForumAfterwards:
    async def test_nobody_is_told_of_answers_any_more(
        self, database: str, zofia: Life, otto: Actor
    ):
        await is_forgotten(zofia)
        async with transaction() as session:
            await replies.reply(
                session, otto, zofia.own_topic, "Still here?", language="en", now=LATER
            )
        told = [row["account_id"] for row in rows_of(database, "notifications")]
        assert str(zofia.who.user_id) not in told

    async def test_what_others_were_told_names_a_deleted_player(
        self, database: str, zofia: Life, otto: Actor
    ):
        await is_forgotten(zofia)
        [told] = [row for row in rows_of(database, "notifications") if row["kind"] == "reply"]
        assert told["account_id"] == str(otto.user_id)
        assert "closing.deleted_player" in told["params"]

    async def test_threads_of_others_stay_whole(self, zofia: Life, otto: Actor):
        await is_forgotten(zofia)
        async with transaction() as session:
            own = await topics.topic(session, otto, zofia.own_topic)
            others = await topics.topic(session, otto, zofia.others_topic)
        assert (own.title, own.content, own.author, own.handle) == ("", "", "", "")
        assert not own.is_public
        assert (own.replies, own.likes) == (1, 1)
        assert (others.replies, others.likes) == (1, 1)

    async def test_calls_of_them_name_nobody(self, zofia: Life, otto: Actor):
        await is_forgotten(zofia)
        async with transaction() as session:
            topic = await topics.topic(session, otto, zofia.others_topic)
        assert topic.content == "Has @deleted been here? Or @deleted, as we write it."

    async def test_search_finds_none_of_their_words(self, zofia: Life, otto: Actor):
        await is_forgotten(zofia)
        async with transaction() as session:
            for word in (zofia.words.handle, "thistle"):
                found = await search.search(session, otto, word)
                assert not found.items


class TestKept:
    async def test_everything_is_as_it_was(self, database: str, zofia: Life):
        changes = {
            *("account_closures", "account_sessions", "procrastinate_jobs", "procrastinate_events")
        }
        before = fingerprints(database)
        await closes(zofia)
        hidden = fingerprints(database)
        async with transaction() as session:
            assert await closing.reopen(session, zofia.who.user_id, now=CLOSED + A_DAY)
        after = fingerprints(database)
        assert {table for table in before if hidden[table] != before[table]} == {
            *changes,
            *("accounts", "profiles"),
        }
        assert {table for table in before if after[table] != before[table]} == changes


class TestACrash:
    """A process that dies in the middle leaves all or nothing."""

    PROGRAM = """
import asyncio, os, sys
from datetime import datetime
from uuid import UUID
from rewards_app.features.privacy import erasing
from rewards_app.features.privacy import erasing_repository as repository
from rewards_app.features.audit import service as audit
from tests import loaded

async def dies(*_, **__):
    os._exit(9)

def erases():
    _, who, when, module, function = sys.argv
    setattr({"repository": repository, "erasing.audit": audit}[module], function, dies)
    asyncio.run(erasing.erase(UUID(who), now=datetime.fromisoformat(when)))

loaded.serve(sys.argv[1], lambda: erases)
"""

    @pytest.fixture(scope="class")
    def program(self) -> Iterator[list[str]]:
        """Loaded once, and forked for each process that dies."""
        with loads_program(folder := scratch.a_folder(), self.PROGRAM):
            yield [sys.executable, "-I", "-S", loaded.__file__, str(folder)]

    @pytest.mark.parametrize(
        ("module", "function"),
        [
            ("repository", "forget_alerts"),
            ("repository", "forget_holdings"),
            ("repository", "note_erased"),
            ("erasing.audit", "record"),
        ],
    )
    async def test_leaves_everything_to_the_next_round(
        self, database: str, zofia: Life, program: list[str], module: str, function: str
    ):
        await closes(zofia)
        before = fingerprints(database)
        arguments = (str(zofia.who.user_id), LATER.isoformat(), module, function)
        process = await asyncio.create_subprocess_exec(
            *program, *arguments, cwd=PROJECT, env=dict(os.environ)
        )
        assert await process.wait() == 9
        assert fingerprints(database) == before
        assert await erasing.erase_due(now=LATER) == {"erased": 1, "postponed": 0}
        assert traces_in_tables(database, zofia.words.everything) == []


class TestSigningInMeanwhile:
    async def test_finds_an_account_or_none_but_never_half_of_one(self, zofia: Life):
        await closes(zofia)

        async def signs_in() -> str:
            try:
                async with transaction() as session:
                    await signing_in.sign_in(
                        session,
                        zofia.words.email,
                        PASSWORD,
                        zofia.words.browser,
                        may_log_address=True,
                        now=LATER,
                    )
            except (InvalidCredentials, TooManyAttempts) as refusal:
                return refusal.code
            return "step"

        *answers, done = await asyncio.gather(
            *(signs_in() for _ in range(3)), erasing.erase(zofia.who.user_id, now=LATER)
        )
        assert done
        assert await signs_in() == InvalidCredentials.code
        assert set(answers) <= {"step", InvalidCredentials.code}


class TestACompany:
    async def test_whose_only_person_is_forgotten_ends_and_keeps_its_books(self, database: str):
        company = await a_company(dollars=500, email="freja@fjord.example", phone="+46700000001")
        campaign = await a_campaign_of(company)
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=CLOSED)
        assert await erasing.erase(company.owner.user_id, now=LATER)
        rows = rows_of(database, "advertisers")
        [row] = [row for row in rows if row["id"] == str(company.id)]
        assert (row["company_name"], row["email"], row["phone"]) == ("–", "", "")
        async with transaction() as session:
            assert company.id not in dict((await choices_repository.approved(session)).shown)
        assert row["balance"] == str(500 * 100_000)
        [ended] = [r for r in rows_of(database, "ad_campaigns") if r["id"] == str(campaign)]
        assert (ended["status"], ended["ended_by"]) == ("completed", "company")
        async with transaction() as session:
            assert (await books.check(session)).is_clean

    async def test_that_was_only_applied_for_and_left_behind_leaves_nothing(
        self, database: str, admin: Actor
    ):
        name, eva = "Zofiaq Werkstatt", await an_owner("Eva")
        await applies(eva, company_name=name, email=eva.email, website="https://zofiaq.example")
        async with transaction() as session:
            [waiting] = (await review.pending(session)).shown
            why = f"{name} shows nothing yet."
            rejected = Status.REJECTED
            await review.decide(session, admin, waiting.id, rejected, why, now=CLOSED)
        async with transaction() as session:
            await company_repository.leave(session, eva.user_id, waiting.id, now=CLOSED)
            await closing.close(session, eva.user_id, now=CLOSED)
        assert await erasing.erase(eva.user_id, now=LATER)
        assert traces_in_tables(database, ["Zofiaq Werkstatt", "zofiaq.example"]) == []

    async def test_goes_on_with_who_has_been_there_longest(self, database: str):
        company = await a_company(dollars=500)
        first = await a_member(company, "Sven")
        await a_member(company, "Tove")
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=CLOSED)
        assert await erasing.erase(company.owner.user_id, now=LATER)
        async with transaction() as session:
            member = await membership.membership_of(session, first.user_id)
        assert member
        assert member.role is membership.MemberRole.OWNER
        assert member.company == company.name
        owners = [r for r in rows_of(database, "advertiser_members") if r["role"] == "owner"]
        assert len(owners) == 1

    async def test_goes_on_with_who_was_leaving_too_and_comes_back(self, database: str):
        company = await a_company(dollars=500)
        last = await a_member(company, "Sven")
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=CLOSED)
            await closing.close(session, last.user_id, now=CLOSED + 10 * A_DAY)
        assert await erasing.erase(company.owner.user_id, now=LATER)
        async with transaction() as session:
            await closing.reopen(session, last.user_id, now=LATER)
            member = await membership.membership_of(session, last.user_id)
        assert member
        assert member.role is membership.MemberRole.OWNER

    async def test_its_campaigns_wait_while_its_owner_may_come_back(self, database: str):
        company = await a_company(dollars=500)
        campaign = await a_campaign_of(company)
        before = fingerprints(database, ["ad_campaigns", "ad_servings", "advertisers"])
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=CLOSED)
        [row] = [r for r in rows_of(database, "ad_campaigns") if r["id"] == str(campaign)]
        assert row["status"] == "paused"
        assert rows_of(database, "ad_servings") == []
        async with transaction() as session:
            await closing.reopen(session, company.owner.user_id, now=CLOSED + A_DAY)
        [row] = [r for r in rows_of(database, "ad_campaigns") if r["id"] == str(campaign)]
        assert (row["status"], row["paused_at"]) == ("active", "")
        after = fingerprints(database, ["advertisers"])
        assert after["advertisers"] == before["advertisers"]
        assert len(rows_of(database, "ad_servings")) == 1

    @pytest.mark.parametrize("is_owner", [True, False])
    async def test_campaigns_go_on_while_somebody_else_stays(self, database: str, is_owner: bool):
        company = await a_company(dollars=500)
        campaign = await a_campaign_of(company)
        both = [company.owner, await a_member(company)]
        first, last = both if is_owner else reversed(both)
        async with transaction() as session:
            await closing.close(session, first.user_id, now=CLOSED)
        assert status_of(campaign, database) == "active"
        async with transaction() as session:
            await closing.close(session, last.user_id, now=CLOSED + A_DAY)
        assert status_of(campaign, database) == "paused"
        async with transaction() as session:
            await closing.reopen(session, last.user_id, now=CLOSED + 2 * A_DAY)
        assert status_of(campaign, database) == "active"

    async def test_the_last_two_leave_at_once_and_nothing_runs_on(self, database: str):
        company = await a_company(dollars=500)
        campaign = await a_campaign_of(company)
        member = await a_member(company)

        async def leave(who: Actor) -> None:
            async with transaction() as session:
                await closing.close(session, who.user_id, now=CLOSED)

        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=CLOSED)
            await session.flush()
            other = asyncio.create_task(leave(member))
            async with asyncio.timeout(10):
                await are_waiting(database)
        await other
        assert status_of(campaign, database) == "paused"

    async def test_a_draft_starts_for_who_stays_and_for_nobody_who_leaves(self, database: str):
        company = await a_company(dollars=1500)
        drafts = [await a_ready_draft(company) for _ in range(2)]
        member = await a_member(company)
        began = []
        for draft, goes in zip(drafts, (company.owner, member), strict=True):
            async with transaction() as session:
                await closing.close(session, goes.user_id, now=CLOSED)
                began += await lifecycle.start_what_can(
                    session, campaign_id=draft, by_hand=True, now=CLOSED
                )
        assert began == drafts[:1]


def status_of(campaign: UUID, database: str) -> str:
    [row] = [r for r in rows_of(database, "ad_campaigns") if r["id"] == str(campaign)]
    return row["status"]


async def a_campaign_of(company: Company) -> UUID:
    campaign = await a_campaign(await found(company.id))
    await an_ad(campaign)
    return campaign.id


async def a_ready_draft(company: Company) -> UUID:
    campaign = await a_draft(await found(company.id))
    await an_ad(campaign)
    return campaign.id


async def found(advertiser_id: UUID) -> Advertiser:
    async with transaction() as session:
        advertiser = await session.get(Advertiser, advertiser_id)
    assert advertiser
    return advertiser


@pytest.fixture(autouse=True)
def _leavings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "ON_CLOSE", [leaving.LEAVING])
